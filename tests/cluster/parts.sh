#!/usr/bin/env bash
# parts.sh PART...   finds or makes the parts of Kubernetes that the tests run, and prints the folder that holds them.
#
# PART: etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl coredns helm3 helm4 promtool,
# or `definitions`: a folder of the kinds that other projects brought to Kubernetes (Gateway API, KEDA).
# Looked for in this order: $KUBEBUILDER_ASSETS, the cache, then made: etcd and promtool from Debian's packages (unpacked,
# not installed), Kubernetes, CoreDNS and Helm compiled by Go. The cache is .cache/cluster/VERSION, so a second run takes no time.
# The first takes about eight minutes of CPU time. GLEANER_KUBERNETES_VERSION (v1.33.13) takes another release than the one
# that kubernetes/go.mod names. Exit status 1 says, in one line, what to install.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pinned=$(awk '$2 == "k8s.io/kubernetes" { print $3 }' "$here/kubernetes/go.mod")
version=${GLEANER_KUBERNETES_VERSION:-$pinned}
cache=${GLEANER_CLUSTER_CACHE:-$here/../../.cache/cluster}/$version
bin=$cache/bin
helm3=v3.21.4
helm4=v4.2.4

fail() { echo "parts.sh: $*" >&2; exit 1; }

need() { # COMMAND HINT
  command -v "$1" >/dev/null || fail "$1 is needed to make the missing parts: $2, or set KUBEBUILDER_ASSETS"
}

# Unpacked from the package: no root is needed, and no service starts on the machine.
unpack() { # PART PACKAGE
  need apt-get "install $1 by hand and link it as $bin/$1"
  need dpkg "install $1 by hand and link it as $bin/$1"
  local work; work=$(mktemp -d)
  (cd "$work" && { apt-get -qq download "$2" || { apt-get -qq update && apt-get -qq download "$2"; }; }) >&2 \
    || fail "apt-get cannot fetch $2; put $1 on the machine and set KUBEBUILDER_ASSETS"
  dpkg -x "$work/$2"_*.deb "$work/root"
  install -m 755 "$work/root/usr/bin/$1" "$bin/$1"
  rm -rf "$work"
}

# Without gitVersion the server calls itself v0.0.0-master, and a chart's kubeVersion is refused.
make_kubernetes() { # PART...
  need go "install Go 1.26 or newer"
  local stamp=k8s.io/component-base/version minor=${version#v1.}
  local flags="-s -w -X $stamp.gitVersion=$version -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor%%.*} -X $stamp.gitTreeState=clean"
  local work packages=(); work=$(mktemp -d)
  sed -e "s/${pinned//./\\.}/$version/" -e "s/v0${pinned#v1}/v0${version#v1}/" "$here/kubernetes/go.mod" >"$work/go.mod"
  for part in "$@"; do packages+=("k8s.io/kubernetes/cmd/$part"); done
  mkdir "$work/out"
  (cd "$work" && CGO_ENABLED=0 nice -n 15 go build -mod=mod -trimpath -ldflags "$flags" -o out/ "${packages[@]}") >&2 \
    || fail "Go could not build $*"
  mv "$work"/out/* "$bin/"
  rm -rf "$work"
}

make_coredns() {
  need go "install Go 1.26 or newer"
  local work; work=$(mktemp -d)
  cp "$here/dns/go.mod" "$here/dns/main.go" "$work/"
  (cd "$work" && CGO_ENABLED=0 nice -n 15 go build -mod=mod -trimpath -ldflags "-s -w" -o coredns .) >&2 \
    || fail "Go could not build coredns"
  mv "$work/coredns" "$bin/"
  rm -rf "$work"
}

# From the projects' own modules: none of their code is built.
make_definitions() {
  need go "install Go 1.26 or newer"
  local work folder; work=$(mktemp -d)
  mkdir "$work/made"
  while read -r module file; do
    folder=$(cd "$work" && go mod download -json "$module" | sed -n 's/^.*"Dir": "\(.*\)",$/\1/p') || fail "Go cannot fetch $module"
    install -m 644 "$folder/$file" "$work/made/"
  done <<LIST
sigs.k8s.io/gateway-api@v1.4.0 config/crd/standard/gateway.networking.k8s.io_httproutes.yaml
github.com/kedacore/keda/v2@v2.18.0 config/crd/bases/keda.sh_scaledobjects.yaml
LIST
  mv "$work/made" "$bin/definitions"
  rm -rf "$work"
}

make_helm() { # helm3|helm4
  need go "install Go 1.26 or newer"
  local work module=helm.sh/helm/v3/cmd/helm@$helm3; work=$(mktemp -d)
  [ "$1" = helm4 ] && module=helm.sh/helm/v4/cmd/helm@$helm4
  GOBIN=$work CGO_ENABLED=0 nice -n 15 go install -trimpath -ldflags "-s -w" "$module" >&2 || fail "Go could not build $1"
  mv "$work/helm" "$bin/$1"
  rm -rf "$work"
}

mkdir -p "$bin"
bin=$(cd "$bin" && pwd)
# One at a time: two test runs that start together would compile the same thing twice.
exec 9>"$cache/lock"
flock 9
kubernetes=()
for part in "$@"; do
  [ -x "$bin/$part" ] && continue
  if [ -x "${KUBEBUILDER_ASSETS:-/nonexistent}/$part" ]; then continue; fi
  case $part in
    etcd) unpack etcd etcd-server ;;
    promtool) unpack promtool prometheus ;;
    coredns) make_coredns ;;
    definitions) make_definitions ;;
    helm3 | helm4) make_helm "$part" ;;
    kube-apiserver | kube-controller-manager | kube-scheduler | kubelet | kube-proxy | kubectl) kubernetes+=("$part") ;;
    *) fail "unknown part $part" ;;
  esac
done
[ ${#kubernetes[@]} -eq 0 ] || make_kubernetes "${kubernetes[@]}"
echo "$bin"
