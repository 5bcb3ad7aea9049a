#!/usr/bin/env bash
# ensure-faketime.sh   sees to it that libfaketime is installed, by which a test sets the clock of a process.
set -euo pipefail

have() { compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null; }
fail() { echo "ensure-faketime.sh: $*" >&2; exit 1; }

have && exit 0
command -v apt-get >/dev/null || fail "libfaketime is missing: install it with your system's package manager"
as_root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail "libfaketime is missing: run \`apt-get install libfaketime\` as root"
  as_root=(sudo)
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c \
  'apt-get -qq install -y libfaketime || { apt-get -qq update && apt-get -qq install -y libfaketime; }' >&2 ||
  fail "apt-get could not install libfaketime"
have || fail "libfaketime is still not under /usr/lib"
