#!/usr/bin/env bash
# preflight.sh   can this machine hold a node? Prints each thing that is missing; exit status 1 when there is one.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
missing=0

lacks() { echo "preflight.sh: $*" >&2; missing=1; }

[ "$(uname -s)" = Linux ] || { lacks "a node runs on Linux only: set KUBECONFIG to a cluster of yours"; exit 1; }
[ "$(id -u)" = 0 ] || { lacks "a node needs root: run this with sudo, or set KUBECONFIG to a cluster of yours"; exit 1; }
unshare --mount --net true 2>/dev/null || lacks "this root may not make network and mount namespaces (a container without CAP_SYS_ADMIN?)"
grep -qw overlay /proc/filesystems || modprobe overlay 2>/dev/null || lacks "the kernel has no overlay file system"

# A cable between two bridges, in a network that is thrown away at once.
unshare --net sh -c 'ip link add bridge0 type bridge && ip link add cable0 type veth peer name cable1' 2>/dev/null \
  || lacks "the kernel or this root cannot make bridges and veth pairs (or iproute2 is not installed)"

controllers=" $(awk '!/^#/ && $4 == 1 { printf "%s ", $1 }' /proc/cgroups 2>/dev/null)"
for wanted in cpu cpuacct cpuset memory pids; do
  case $controllers in *" $wanted "*) ;; *) lacks "the kernel has no control group for $wanted" ;; esac
done
for tree in $(cgroup_trees); do
  probe=$tree/gleaner-preflight.$$
  if mkdir "$probe" 2>/dev/null; then rmdir "$probe"; else lacks "control groups cannot be made under $tree"; fi
done

for net in "$node_net" "$pod_net" "$service_net"; do
  [ -z "$(ip -4 route show to root "$net" 2>/dev/null | grep -v "dev $cable" || true)" ] || lacks "this machine already routes $net"
done
exit "$missing"
