# What holds a pod's namespaces: a process that sleeps.
FROM scratch
ADD debian.tar /
USER 65535:65535
ENTRYPOINT ["sleep", "infinity"]
