#!/usr/bin/env bash
# test.sh   installs what the tests need, then runs every suite. ARGS go to `cargo test`.
#
# Ends with the test runner's own lines. A suite that could not run is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
scripts/ensure-redis.sh
tests/test-needs.sh
# The binary that the integration suite starts, kills and asks.
cargo build --quiet --package gleaner
exec cargo test --workspace "$@"
