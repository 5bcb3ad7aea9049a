#!/usr/bin/env bash
# ensure-rust.sh   says, in one line, what to do where cargo is missing. Installs nothing.
set -euo pipefail
command -v cargo >/dev/null && exit 0
echo "ensure-rust.sh: cargo is missing: install Rust 1.89 or newer, see https://rustup.rs" >&2
exit 1
