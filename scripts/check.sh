#!/usr/bin/env bash
# check.sh   what a reviewer would ask first: format, lints with warnings denied, documentation, dependency policy.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet
command -v cargo-deny >/dev/null || cargo install cargo-deny --locked --quiet
cargo deny --log-level error check
echo "check: all good"
