#!/usr/bin/env bash
# run.sh   starts everything on this machine, ingests the sample meeting, and serves until Ctrl-C.
#
# Installs what is missing and builds first. ARGS are those of `gleaner dev`, from the environment variable ARGS.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
scripts/ensure-redis.sh
target=${CARGO_TARGET_DIR:-target}
[ -x "$target/release/gleaner" ] || echo "Building Gleaner: 5 to 15 minutes this first time. Then it serves until Ctrl-C." >&2
cargo build --release --bin gleaner
# In place of this shell: Ctrl-C and the exit status are then gleaner's own.
# shellcheck disable=SC2086
exec "$target/release/gleaner" dev --me 'Dana Reyes' --ingest samples/weekly.vtt ${ARGS:-}
