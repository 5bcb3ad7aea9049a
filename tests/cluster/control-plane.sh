#!/usr/bin/env bash
# control-plane.sh [USER...]   a Kubernetes control plane on loopback: etcd, kube-apiserver, and of kube-controller-manager
# the parts that empty namespaces and collect garbage.
#
# Prints "ready DIR" when the API server answers; DIR holds admin.kubeconfig and one kubeconfig for each USER, who may do
# nothing until somebody binds a role to it. Lives for as long as its standard input is open, so it cannot outlive the
# test that started it, and leaves nothing behind. When it cannot start it says why, in one line, with exit status 1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() { echo "control-plane.sh: $*" >&2; exit 1; }

command -v openssl >/dev/null || fail "openssl is needed for the certificates: install it"
parts=$("$here/parts.sh" etcd kube-apiserver kube-controller-manager) || exit 1
part() { [ -x "${KUBEBUILDER_ASSETS:-/nonexistent}/$1" ] && echo "$KUBEBUILDER_ASSETS/$1" || echo "$parts/$1"; }

# etcd waits for the disk on every write; memory spares it that.
[ -w /dev/shm ] && export TMPDIR=/dev/shm
dir=$(mktemp -d -t gleaner-kube.XXXXXX)
pids=()

# SIGTERM to an API server with open watches takes a minute.
stop() {
  [ ${#pids[@]} -eq 0 ] || kill -9 "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  pids=()
}
# A signal to the whole group must not end the tidying up as well.
trap 'trap "" HUP INT PIPE TERM; stop; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT PIPE TERM

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 20000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

launch() { # LOG COMMAND...
  local log=$dir/$1.log
  shift
  "$@" </dev/null >"$log" 2>&1 &
  pids+=($!)
}

launch_etcd() { # PORT PEER_PORT
  local etcd more=()
  etcd=$(part etcd)
  "$etcd" --help 2>&1 | grep -q unsafe-no-fsync && more+=(--unsafe-no-fsync)
  launch etcd "$etcd" --name test --data-dir "$dir/etcd" \
    --listen-client-urls "http://127.0.0.1:$1" --advertise-client-urls "http://127.0.0.1:$1" \
    --listen-peer-urls "http://127.0.0.1:$2" --initial-advertise-peer-urls "http://127.0.0.1:$2" \
    --initial-cluster "test=http://127.0.0.1:$2" "${more[@]}"
}

# Bound to loopback it cannot publish itself as an endpoint, and its advertised address must be another one.
launch_apiserver() { # PORT ETCD_PORT
  launch kube-apiserver "$(part kube-apiserver)" --etcd-servers="http://127.0.0.1:$2" \
    --bind-address=127.0.0.1 --secure-port="$1" --advertise-address=10.0.0.1 --endpoint-reconciler-type=none \
    --tls-cert-file="$dir/server.crt" --tls-private-key-file="$dir/server.key" --client-ca-file="$dir/ca.crt" \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$dir/sa.pub" \
    --service-account-signing-key-file="$dir/sa.key" --service-cluster-ip-range=10.96.0.0/16 \
    --authorization-mode=RBAC --enable-admission-plugins=OwnerReferencesPermissionEnforcement \
    --audit-log-path="$dir/audit.log" --audit-policy-file="$here/audit.yaml" --audit-log-maxsize=0
}

launch_controllers() {
  launch kube-controller-manager "$(part kube-controller-manager)" --kubeconfig="$dir/admin.kubeconfig" \
    --bind-address=127.0.0.1 --secure-port=0 --leader-elect=false \
    --service-account-private-key-file="$dir/sa.key" --root-ca-file="$dir/ca.crt" \
    --controllers=namespace-controller,garbage-collector-controller,clusterrole-aggregation-controller
}

ready() { # PORT
  curl -sf --max-time 2 --cacert "$dir/ca.crt" --cert "$dir/admin.crt" --key "$dir/admin.key" \
    "https://127.0.0.1:$1/readyz" >/dev/null 2>&1
}

# A port that was free may be taken by the time that it is used: three attempts.
start() {
  local port etcd_port tries
  port=$(free_port) etcd_port=$(free_port)
  rm -rf "$dir/etcd"
  "$here/certificates.sh" "$dir" "https://127.0.0.1:$port" admin=system:masters "$@"
  launch_etcd "$etcd_port" "$(free_port)"
  launch_apiserver "$port" "$etcd_port"
  for tries in $(seq 1 600); do
    ready "$port" && return 0
    kill -0 "${pids[@]}" 2>/dev/null || break
    sleep 0.1
  done
  stop
  return 1
}

command -v curl >/dev/null || fail "curl is needed to see when the API server is ready: install it"
start "$@" || start "$@" || start "$@" || fail "the API server does not start: $(tail -n 1 "$dir/kube-apiserver.log")"
launch_controllers
echo "ready $dir"
cat >/dev/null
