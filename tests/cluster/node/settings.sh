# settings.sh   what the scripts of the node share; sourced, not run.
#
# GLEANER_NODE_DIR: where the node keeps everything (default: gleaner-node in the temp folder). The addresses are the
# node's own: nothing outside its network namespace and this machine's end of one virtual cable knows them.
# shellcheck disable=SC2034
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
state=${GLEANER_NODE_DIR:-${TMPDIR:-/tmp}/gleaner-node}
cache=${GLEANER_CLUSTER_CACHE:-$root/.cache/cluster}

node=gleaner-node
cable=gleaner0
machine_ip=10.211.0.1
node_ip=10.211.0.2
node_net=10.211.0.0/24
pod_net=10.212.0.0/16
service_net=10.213.0.0/16
kubernetes_ip=10.213.0.1
dns_ip=10.213.0.10

fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

part() { [ -x "${KUBEBUILDER_ASSETS:-/nonexistent}/$1" ] && echo "$KUBEBUILDER_ASSETS/$1" || echo "$parts/$1"; }

# Does the node run? Its folder outlasts a machine that was switched off and a node that was killed.
stands() {
  local holder
  holder=$(cat "$state/holder.pid" 2>/dev/null) && grep -qs "/$node/" "/proc/$holder/cgroup" || return 1
  [ "$(curl --silent --max-time 10 --cacert "$state/pki/ca.crt" "https://$node_ip:6443/livez")" = ok ]
}

# A command in the node's network and with its mounts.
enter() { nsenter --target "$(cat "$state/holder.pid")" --net --mount --wd="$PWD" "$@"; }

# The control groups' trees: one folder each in version 1, one for all in version 2.
cgroup_trees() {
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then echo /sys/fs/cgroup; return; fi
  local tree
  for tree in /sys/fs/cgroup/*/; do
    [ ! -e "$tree/cgroup.procs" ] || echo "${tree%/}"
  done
}
