# Debian's own redis-server, with nothing set: the chart says how it runs.
FROM scratch
ADD redis.tar /
EXPOSE 6379
VOLUME /data
ENTRYPOINT ["redis-server"]
