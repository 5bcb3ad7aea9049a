#!/usr/bin/env bash
# ensure-faketime.sh   sees to it that libfaketime is installed, by which a test sets the clock of a process.
set -euo pipefail

have() { compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null; }
fail() { echo "ensure-faketime.sh: $*" >&2; exit 1; }
. "$(dirname "$0")/packages.sh"

have || install_packages libfaketime
have || fail "libfaketime is still not under /usr/lib"
