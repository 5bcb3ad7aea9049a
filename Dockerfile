# Builds the image from a plain checkout: docker build -t gleaner:0.1.0 .
# With a binary that is built already: docker build -f Dockerfile.binary -t gleaner:0.1.0 .
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked -p gleaner && cp target/release/gleaner /gleaner

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /gleaner /usr/local/bin/gleaner
LABEL org.opencontainers.image.title="gleaner" \
      org.opencontainers.image.description="Finds the tasks in meetings, calls, mails and chats, and keeps them followed through" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.url="https://gleaner.dev"
USER 65532:65532
ENTRYPOINT ["gleaner"]
