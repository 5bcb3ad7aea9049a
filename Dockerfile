# Builds the image from a plain checkout: docker build -t gleaner:0.1.0 .
# With a binary that is built already: docker build -f Dockerfile.binary -t gleaner:0.1.0 target/release
#
# The bases are exact versions. A digest pins their bytes too: --build-arg RUST_DIGEST=sha256:… --build-arg DEBIAN_DIGEST=sha256:…
ARG RUST_VERSION=1.95.0-bookworm
ARG RUST_DIGEST=
ARG DEBIAN_VERSION=12.11-slim
ARG DEBIAN_DIGEST=

FROM rust:${RUST_VERSION}${RUST_DIGEST:+@${RUST_DIGEST}} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked -p gleaner && cp target/release/gleaner /gleaner
# What it is made of.
RUN --mount=type=cache,target=/usr/local/cargo/registry scripts/sbom.sh /gleaner.cdx.json

FROM debian:${DEBIAN_VERSION}${DEBIAN_DIGEST:+@${DEBIAN_DIGEST}}
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /gleaner /usr/local/bin/gleaner
COPY --from=build /gleaner.cdx.json /usr/share/sbom/gleaner.cdx.json
LABEL org.opencontainers.image.title="gleaner" \
      org.opencontainers.image.description="Finds the tasks in meetings, calls, mails and chats, and keeps them followed through" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.url="https://gleaner.dev"
USER 65532:65532
ENTRYPOINT ["gleaner"]
