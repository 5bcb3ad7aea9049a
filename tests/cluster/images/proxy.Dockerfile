# A plain reverse proxy, where a cluster would have its ingress controller. Its settings are mounted.
FROM scratch
ADD proxy.tar /
USER 65532:65532
STOPSIGNAL SIGQUIT
ENTRYPOINT ["nginx", "-g", "daemon off; pid /tmp/nginx.pid;"]
