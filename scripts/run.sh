#!/usr/bin/env bash
# run.sh   starts everything on this machine, ingests the sample meeting, and serves until Ctrl-C.
#
# Installs what is missing and builds first. ARGS are those of `gleaner dev`, from the environment variable ARGS.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
scripts/ensure-redis.sh
cargo build --release --bin gleaner
target=${CARGO_TARGET_DIR:-target}
# In place of this shell: Ctrl-C and the exit status are then gleaner's own.
# shellcheck disable=SC2086
exec "$target/release/gleaner" dev --me 'Dana Reyes' --ingest samples/weekly.vtt ${ARGS:-}
