#!/usr/bin/env bash
# ensure-browser.sh   sees to it that what the browser suite needs is installed: Node.js 20 or newer, npm, Chromium.
#
# Installs Debian's packages; elsewhere says what to do. Exit status 1 when something is missing.
set -euo pipefail

fail() { echo "ensure-browser.sh: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null; }
. "$(dirname "$0")/packages.sh"
have_chromium() { [ -n "${CHROMIUM:-}" ] || have chromium || have chromium-browser || have google-chrome; }

missing=()
have node || missing+=(nodejs)
have npm || missing+=(npm)
have_chromium || missing+=(chromium)
if [ ${#missing[@]} != 0 ]; then
  install_packages "${missing[@]}"
fi
node --eval 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' ||
  fail "Node.js $(node --version) is too old: install version 20 or newer"
have_chromium || fail "Chromium is still not on PATH; name the program in CHROMIUM"
