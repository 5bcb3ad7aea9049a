#!/usr/bin/env bash
# run.sh up|test|down   the node as `make` knows it.
#
# up    starts the node with the images of the present code, and prints a KUBECONFIG
# test  runs the chart's suite, on a node that it starts and takes down unless one is up; ARGS go to the suite
# down  takes the node down
# With KUBECONFIG set, that cluster is used instead. It must hold the images (gleaner, and those of images.yaml), have a
# default StorageClass or free volumes, and let this machine reach its Services' addresses.
# GLEANER_BINARY: a release binary that is built already.
set -euo pipefail
cluster=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$cluster/../.." && pwd)
. "$cluster/node/settings.sh"

# Before the minutes that the binary takes.
look_ahead() {
  "$cluster/node/preflight.sh" || fail "NO CLUSTER HERE: what is missing stands above"
}

build_binary() {
  if [ -n "${GLEANER_BINARY:-}" ]; then echo "$GLEANER_BINARY"; return; fi
  "$root/scripts/ensure-rust.sh"
  (cd "$root" && cargo build --release --package gleaner)
  echo "${CARGO_TARGET_DIR:-$root/target}/release/gleaner"
}

up() {
  look_ahead
  local binary; binary=$(build_binary)
  "$cluster/node/up.sh" "$binary"
}

run_suite() {
  if [ -z "${KUBECONFIG:-}" ] && [ -e "$state/pki/admin.kubeconfig" ]; then
    export KUBECONFIG=$state/pki/admin.kubeconfig
  elif [ -z "${KUBECONFIG:-}" ]; then
    trap '"$cluster/node/down.sh"' EXIT
    KUBECONFIG=$(up)
    export KUBECONFIG
  fi
  cd "$root"
  # An installation is a thing of the whole cluster: one test at a time. `--workspace`: what the other suites compiled serves.
  # shellcheck disable=SC2086
  cargo test --workspace --test cluster -- --test-threads=1 --nocapture ${ARGS:-}
}

case ${1:-} in
  up) if [ -n "${KUBECONFIG:-}" ]; then echo "$KUBECONFIG"; else up; fi ;;
  test) run_suite ;;
  down) "$cluster/node/down.sh" ;;
  *) fail "say up, test or down" ;;
esac
