#!/usr/bin/env bash
# ensure-redis.sh   sees to it that a redis-server (or valkey-server) is installed.
#
# Installs Debian's package without starting its service; elsewhere says what to do. Exit status 1 when there is none.
set -euo pipefail

have() { command -v redis-server >/dev/null || command -v valkey-server >/dev/null; }
fail() { echo "ensure-redis.sh: $*" >&2; exit 1; }
. "$(dirname "$0")/packages.sh"

have && exit 0
if command -v brew >/dev/null; then
  brew install redis
elif command -v apt-get >/dev/null; then
  # A policy of 101 keeps the package from starting a server of its own.
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    trap 'as_root rm -f "$policy"' EXIT
    as_root chmod 755 "$policy"
  fi
  install_packages redis-server
else
  fail "redis-server is missing: install Redis 6.2 or newer, or Valkey, with your system's package manager"
fi
have || fail "redis-server is still not on PATH"
