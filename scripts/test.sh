#!/usr/bin/env bash
# test.sh   installs what the tests need, then runs every suite. ARGS go to `cargo test`, and leave the browser out.
#
# Each suite ends with its runner's own lines. A suite that could not run is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
scripts/ensure-redis.sh
[ $# != 0 ] || scripts/ensure-browser.sh
tests/test-needs.sh
# The binary that the integration suite starts, kills and asks.
cargo build --quiet --package gleaner
[ $# = 0 ] || exec cargo test --workspace "$@"
# A failure of one suite keeps nobody from hearing of the other.
status=0
tests/browser/run.sh || status=$?
cargo test --workspace --no-fail-fast || status=$?
exit "$status"
