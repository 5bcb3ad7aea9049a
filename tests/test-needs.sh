#!/usr/bin/env bash
# test-needs.sh   makes the parts of Kubernetes, Helm and promtool, that the suites run. The first time compiles them, which takes minutes.
set -euo pipefail
exec "$(dirname "$0")/cluster/parts.sh" etcd kube-apiserver kube-controller-manager kubectl helm3 promtool definitions >/dev/null
