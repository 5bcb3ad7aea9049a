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

up() { # MARK...
  look_ahead
  local binary; binary=$(build_binary)
  "$cluster/node/up.sh" "$binary" "$@"
}

# One at a time starts a node or tries the chart on it; whoever was killed lets go.
take_turns() {
  exec 9>"$state.lock"
  flock --timeout 60 9 || fail "another run starts or uses the node: wait for its end"
}

# A node that `up` made serves many runs. One that a run made for itself ends with it, and where the run was killed before
# it could end it, the next one does: what stands there is of another build, and half used.
own_node() {
  take_turns
  [ ! -e "$state/of-a-run" ] || "$cluster/node/down.sh" 9>&-
  KUBECONFIG=$state/pki/admin.kubeconfig
  export KUBECONFIG
  ! stands || return 0
  trap '"$cluster/node/down.sh"' EXIT
  up of-a-run >/dev/null 9>&-
}

run_suite() {
  [ -n "${KUBECONFIG:-}" ] || own_node
  cd "$root"
  # An installation is a thing of the whole cluster: one test at a time. `--workspace`: what the other suites compiled serves.
  # shellcheck disable=SC2086
  cargo test --workspace --test cluster -- --test-threads=1 --nocapture ${ARGS:-} 9>&-
}

case ${1:-} in
  up) if [ -n "${KUBECONFIG:-}" ]; then echo "$KUBECONFIG"; else take_turns; up 9>&-; fi ;;
  test) run_suite ;;
  down) "$cluster/node/down.sh" ;;
  *) fail "say up, test or down" ;;
esac
