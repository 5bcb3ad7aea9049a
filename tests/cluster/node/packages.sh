#!/usr/bin/env bash
# packages.sh   installs what the node takes from Debian: containerd and what it runs containers with, and what images are
# made with. Starts no service. Exit status 1 says what to install by hand.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
packages=(containerd runc containernetworking-plugins buildah mmdebstrap iptables conntrack ethtool socat openssl curl)

present() {
  local command
  for command in containerd ctr runc buildah mmdebstrap iptables conntrack ethtool socat openssl curl; do
    command -v "$command" >/dev/null || return 1
  done
  [ -x /usr/lib/cni/bridge ]
}

install() { apt-get -qq install -y --no-install-recommends "${packages[@]}"; }

present && exit 0
command -v apt-get >/dev/null || fail "install these with your package manager: ${packages[*]}"
# A policy of 101 keeps the packages from starting services.
policy=/usr/sbin/policy-rc.d made=no
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  made=yes
fi
export DEBIAN_FRONTEND=noninteractive
status=0
{ install || { apt-get -qq update && install; }; } >&2 || status=$?
[ "$made" = no ] || rm -f "$policy"
[ "$status" = 0 ] || fail "apt-get could not install ${packages[*]}"
present || fail "something of ${packages[*]} is still missing"
