#!/usr/bin/env bash
# ensure-redis.sh   sees to it that a redis-server (or valkey-server) is installed.
#
# Installs Debian's package without starting its service; elsewhere says what to do. Exit status 1 when there is none.
set -euo pipefail

have() { command -v redis-server >/dev/null || command -v valkey-server >/dev/null; }
fail() { echo "ensure-redis.sh: $*" >&2; exit 1; }

have && exit 0
if command -v brew >/dev/null; then
  brew install redis
elif command -v apt-get >/dev/null; then
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "redis-server is missing: run \`apt-get install redis-server\` as root"
    as_root=(sudo)
  fi
  # A policy of 101 keeps the package from starting a server of its own.
  policy=/usr/sbin/policy-rc.d
  made=no
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
    made=yes
  fi
  status=0
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c \
    'apt-get -qq install -y redis-server || { apt-get -qq update && apt-get -qq install -y redis-server; }' >&2 || status=$?
  [ "$made" = no ] || "${as_root[@]}" rm -f "$policy"
  [ "$status" = 0 ] || fail "apt-get could not install redis-server; install Redis 6.2 or newer by hand"
else
  fail "redis-server is missing: install Redis 6.2 or newer, or Valkey, with your system's package manager"
fi
have || fail "redis-server is still not on PATH"
