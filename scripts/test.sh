#!/usr/bin/env bash
# test.sh   installs what the tests need, then runs every suite. ARGS go to `cargo test`, and leave the browser out.
#
# Each suite ends with its runner's own lines. A suite that could not run is a failure, but for that of the chart on a real
# cluster: it takes root and a Linux kernel with the usual parts, and a machine without them says why and counts it as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
scripts/ensure-redis.sh
scripts/ensure-faketime.sh
[ $# != 0 ] || scripts/ensure-browser.sh
tests/test-needs.sh
# The binary that the integration suite starts, kills and asks.
cargo build --quiet --package gleaner
[ $# = 0 ] || exec cargo test --workspace "$@"
# A failure of one suite keeps nobody from hearing of the others.
status=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tests/browser/run.sh | tee -a "$log" || status=$?
tests/clients/run.sh | tee -a "$log" || status=$?
cargo test --workspace --no-fail-fast | tee -a "$log" || status=$?
# With the binary of the other suites: `make cluster-test` makes a release first. Never on a cluster that somebody's KUBECONFIG
# happens to name.
if lacking=$(tests/cluster/node/preflight.sh 2>&1); then
  binary=$(realpath "${CARGO_TARGET_DIR:-target}/debug/gleaner")
  env -u KUBECONFIG GLEANER_BINARY="$binary" tests/cluster/run.sh test | tee -a "$log" || status=$?
else
  printf 'THE CHART WAS NOT TRIED ON A CLUSTER. What this machine lacks for a node:\n%s\n' "$lacking" | tee -a "$log"
  echo "test result: skipped. 0 passed; 0 failed; 1 ignored" >>"$log"
fi
# The sum over all four suites, whose runners each count for themselves.
awk '
  /^test result: / { passed += $4; failed += $6; skipped += $8 }
  /^[^ ]+ pass [0-9]+$/ { passed += $3 }
  /^[^ ]+ fail [0-9]+$/ { failed += $3 }
  # pytest: "1 failed, 12 passed in 6.8s"
  /^[0-9]+ (passed|failed).* in [0-9.]+s/ { for (at = 1; at < NF; at++) if ($(at + 1) ~ /^passed/) passed += $at; else if ($(at + 1) ~ /^failed/) failed += $at }
  END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }
' "$log"
exit "$status"
