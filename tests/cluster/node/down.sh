#!/usr/bin/env bash
# down.sh   takes the node down and leaves nothing of it: no process, no mount, no network, no control group, no folder.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
[ -e "$state" ] || { echo "down.sh: no node under $state" >&2; exit 0; }

# The node's own processes, and everything that runs in its pods.
processes() {
  local tree
  for tree in $(cgroup_trees); do
    [ ! -d "$tree/$node" ] || find "$tree/$node" -name cgroup.procs -exec cat {} + 2>/dev/null || true
  done | sort -un
}

end_processes() {
  local tries left
  for tries in $(seq 1 100); do
    mapfile -t left < <(processes)
    [ ${#left[@]} -gt 0 ] || return 0
    kill -9 "${left[@]}" 2>/dev/null || true
    sleep 0.1
  done
  fail "these processes do not end: ${left[*]}"
}

end_processes
ip link del "$cable" 2>/dev/null || true
for tree in $(cgroup_trees); do
  [ ! -d "$tree/$node" ] || find "$tree/$node" -depth -type d -exec rmdir {} + || fail "a control group stays under $tree/$node"
done
[ ! -s "$state/sysctl" ] || sysctl --quiet --load "$state/sysctl"
[ ! -e "$state/made-cni" ] || rmdir /var/lib/cni
[ ! -L "$state/etcd" ] || rm -rf "$(readlink "$state/etcd")"

# The mounts went with the last process of their namespace; the kernel may need a moment to let go.
for tries in $(seq 1 50); do
  ! rm -rf "$state" 2>/dev/null || break
  sleep 0.1
done
[ ! -e "$state" ] || fail "$state cannot be removed"
