#!/usr/bin/env bash
# up.sh BINARY [MARK]   a whole Kubernetes node on this machine, with the images that the chart needs; prints a KUBECONFIG.
# MARK: an empty file of this name says for whom the node stands, as long as it does.
#
# It lives in a network and a mount namespace of its own, under one control group and in one folder, so that `down.sh`
# finds everything. This machine reaches pods and Services over a virtual cable; nobody else does.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
if stands; then fail "$state is there already: run \`make cluster-down\` first"; fi
binary=${1:?up.sh: say where the gleaner binary is}
[ -x "$binary" ] || fail "no binary at $binary: run \`cargo build --release -p gleaner\`"
"$here/packages.sh"
if [ -e "$state" ]; then
  echo "a node that runs no more left $state: it is removed" >&2
  "$here/down.sh"
fi
parts=$("$here/../parts.sh" etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl coredns)

mkdir -p "$state"/{pki,config/cni,log,plugins,podlogs,volumes}
[ -z "${2:-}" ] || : >"$state/$2"
# What it could not finish it takes back.
trap '"$here/down.sh" >&2' EXIT

# Kubelet sets these for the whole machine.
kept="kernel.panic kernel.panic_on_oops vm.overcommit_memory"
for name in $kept; do echo "$name=$(sysctl -n "$name")"; done >"$state/sysctl"

make_cgroups() {
  local tree file
  for tree in $(cgroup_trees); do
    mkdir -p "$tree/$node/node"
    for file in cpuset.cpus cpuset.mems; do
      [ ! -e "$tree/$file" ] || { cat "$tree/$file" >"$tree/$node/$file"; cat "$tree/$file" >"$tree/$node/node/$file"; }
    done
  done
}

# By its control group a process is known as the node's, also when its number has been given to another since.
join_cgroups() {
  local tree
  for tree in $(cgroup_trees); do echo 0 >"$tree/$node/node/cgroup.procs"; done
}

# Folders that programs insist on are hidden behind empty ones; what is mounted goes with the namespace.
hold_namespaces() {
  [ -d /var/lib/cni ] || { mkdir /var/lib/cni; : >"$state/made-cni"; }
  (
    join_cgroups
    # shellcheck disable=SC2016
    exec unshare --net --mount --propagation private sh -c '
      mount --make-rshared / || exit
      for folder in /run /var/log /var/lib/cni; do mount -t tmpfs tmpfs "$folder" || exit; done
      echo $$ >"$1"
      exec sleep infinity
    ' holder "$state/holder.pid"
  ) </dev/null >"$state/log/holder.log" 2>&1 &
  local tries
  for tries in $(seq 1 100); do
    [ ! -s "$state/holder.pid" ] || return 0
    sleep 0.05
  done
  fail "the namespaces cannot be made: $(cat "$state/log/holder.log")"
}

# node0 stands for the node's own network card: an address that pods, this machine and the node itself all reach.
lay_cable() {
  local holder; holder=$(cat "$state/holder.pid")
  ip link add "$cable" type veth peer name cable0 netns "$holder"
  ip addr add "$machine_ip/24" dev "$cable"
  ip link set "$cable" up
  ip route add "$pod_net" via "$node_ip" dev "$cable"
  ip route add "$service_net" via "$node_ip" dev "$cable"
  enter ip link set lo up
  enter ip link add node0 type bridge
  enter ip addr add "$node_ip/24" dev node0
  enter ip link set cable0 master node0
  enter ip link set node0 up
  enter ip link set cable0 up
  enter ip route add default via "$machine_ip" dev node0
}

fill_in() { # TEMPLATE FILE
  sed -e "s|STATE|$state|g; s|POD_NET|${pod_net%.0.0/16}.0.0/24|g; s|DNS_IP|$dns_ip|g; s|NODE_IP|$node_ip|g" \
    "$here/config/$1" >"$state/config/$2"
}

configure() {
  fill_in containerd.toml containerd.toml
  fill_in pods.conflist cni/pods.conflist
  fill_in kubelet.yaml kubelet.yaml
  fill_in Corefile Corefile
  fill_in dns.yaml dns.yaml
  : >"$state/config/resolv.conf"
  local api=DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local
  MORE_NAMES="$api,DNS:$node,IP:$node_ip,IP:$kubernetes_ip" "$here/../certificates.sh" "$state/pki" "https://$node_ip:6443" \
    admin=system:masters "system:node:$node=system:nodes" system:kube-controller-manager system:kube-scheduler \
    system:kube-proxy front-proxy
}

# In the node's namespaces and control group, and in no session of ours.
launch() { # NAME COMMAND...
  local name=$1; shift
  (
    join_cgroups
    cd /
    exec setsid nsenter --target "$(cat "$state/holder.pid")" --net --mount "$@"
  ) </dev/null >"$state/log/$name.log" 2>&1 &
}

until_true() { # SECONDS WHAT LOG COMMAND...
  local seconds=$1 what=$2 log=$3 tries; shift 3
  for tries in $(seq 1 $((seconds * 5))); do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 0.2
  done
  fail "$what after $seconds seconds: $(tail -n 1 "$state/log/$log.log")"
}

launch_control_plane() {
  local pki=$state/pki memory=$state/etcd
  # etcd waits for the disk on every write; memory spares it that.
  [ ! -w /dev/shm ] || { memory=$(mktemp -d /dev/shm/gleaner-node-etcd.XXXXXX); ln -s "$memory" "$state/etcd"; }
  launch etcd "$(part etcd)" --name node --data-dir "$memory/data" \
    --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
    --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 \
    --initial-cluster node=http://127.0.0.1:2380
  launch kube-apiserver "$(part kube-apiserver)" --etcd-servers=http://127.0.0.1:2379 \
    --bind-address="$node_ip" --advertise-address="$node_ip" --secure-port=6443 --allow-privileged=true \
    --tls-cert-file="$pki/server.crt" --tls-private-key-file="$pki/server.key" --client-ca-file="$pki/ca.crt" \
    --service-account-issuer=https://kubernetes.default.svc.cluster.local --service-account-key-file="$pki/sa.pub" \
    --service-account-signing-key-file="$pki/sa.key" --service-cluster-ip-range="$service_net" \
    --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement \
    --kubelet-client-certificate="$pki/admin.crt" --kubelet-client-key="$pki/admin.key" \
    --kubelet-certificate-authority="$pki/ca.crt" --kubelet-preferred-address-types=InternalIP \
    --requestheader-client-ca-file="$pki/ca.crt" --requestheader-allowed-names=front-proxy \
    --requestheader-extra-headers-prefix=X-Remote-Extra- --requestheader-group-headers=X-Remote-Group \
    --requestheader-username-headers=X-Remote-User
}

launch_controllers() {
  local user=$state/pki/system:kube
  launch kube-controller-manager "$(part kube-controller-manager)" --kubeconfig="$user-controller-manager.kubeconfig" \
    --bind-address=127.0.0.1 --leader-elect=false --use-service-account-credentials=true \
    --service-account-private-key-file="$state/pki/sa.key" --root-ca-file="$state/pki/ca.crt" \
    --allocate-node-cidrs=true --cluster-cidr="$pod_net" --service-cluster-ip-range="$service_net"
  launch kube-scheduler "$(part kube-scheduler)" --kubeconfig="$user-scheduler.kubeconfig" \
    --bind-address=127.0.0.1 --leader-elect=false
}

# Without limits on connection tracking: those are settings of the whole machine.
launch_node() {
  launch kubelet "$(part kubelet)" --config="$state/config/kubelet.yaml" --hostname-override="$node" --node-ip="$node_ip" \
    --kubeconfig="$state/pki/system:node:$node.kubeconfig" --root-dir="$state/kubelet"
  launch kube-proxy "$(part kube-proxy)" --kubeconfig="$state/pki/system:kube-proxy.kubeconfig" --hostname-override="$node" \
    --proxy-mode=iptables --cluster-cidr="$pod_net" --conntrack-max-per-core=0 \
    --conntrack-tcp-timeout-established=0s --conntrack-tcp-timeout-close-wait=0s --healthz-bind-address=127.0.0.1:10256
  launch coredns "$(part coredns)" -conf "$state/config/Corefile"
}

kubectl() { "$(part kubectl)" --kubeconfig "$state/pki/admin.kubeconfig" "$@"; }

# No provisioner runs here: volumes lie ready, and anybody may write to them.
make_volumes() {
  local number
  for number in $(seq 1 30); do
    mkdir -m 777 "$state/volumes/$number"
    cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: volume-$number}
spec:
  capacity: {storage: 8Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  hostPath: {path: $state/volumes/$number, type: Directory}
YAML
  done | kubectl apply -f - >/dev/null
}

started=$SECONDS
make_cgroups
hold_namespaces
lay_cable
configure
launch containerd containerd --config "$state/config/containerd.toml"
launch_control_plane
"$here/images.sh" "$state/images" "$binary"
until_true 120 "the API server is not ready" kube-apiserver kubectl get --raw /readyz
launch_controllers
launch_node
until_true 60 "containerd does not answer" containerd enter ctr --namespace k8s.io images list
for archive in "$state"/images/*.tar; do enter ctr --namespace k8s.io images import "$archive" >/dev/null; done
rm -rf "$state/images"
kubectl apply -f "$state/config/dns.yaml" >/dev/null
make_volumes
until_true 120 "the node is not registered" kubelet kubectl get node "$node"
kubectl wait --for=condition=Ready "node/$node" --timeout=120s >/dev/null || fail "the node does not become Ready"
until_true 60 "the default ServiceAccount is not there" kube-controller-manager kubectl get serviceaccount default
until_true 60 "the DNS does not answer" coredns timeout 2 bash -c "exec 3<>/dev/tcp/$node_ip/53"
trap - EXIT
echo "node Ready after $((SECONDS - started)) seconds" >&2
echo "$state/pki/admin.kubeconfig"
