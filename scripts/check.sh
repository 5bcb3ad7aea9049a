#!/usr/bin/env bash
# check.sh   what a reviewer would ask first: format, lints with warnings denied, documentation, dependency policy.
#
# Every part runs though an earlier one failed. What may go unasked, and loudly: dependencies where cargo-deny cannot be had in
# time, and known vulnerabilities, whose database is a repository that not every machine reaches.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
# A toolchain may come without them.
{ cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1 || rustup component add rustfmt clippy
status=0
cargo fmt --all --check || status=$?
cargo clippy --workspace --all-targets --quiet -- -D warnings || status=$?
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet || status=$?
# Built without optimisation, which takes longer than its work by far. Six minutes are as long as a check may wait for it; what
# was built by then is there the next time.
export PATH=$PWD/.cache/cargo-deny/bin:$PATH
command -v cargo-deny >/dev/null ||
  CARGO_TARGET_DIR=.cache/cargo-deny/target timeout 360 \
    cargo install cargo-deny --locked --debug --quiet --root .cache/cargo-deny || true
if ! command -v cargo-deny >/dev/null; then
  echo "check: DEPENDENCIES WERE NOT CHECKED: cargo-deny was not built within six minutes, or cannot be fetched from here" >&2
  [ "$status" = 0 ] && echo "check: all else is good"
  exit "$status"
fi
cargo deny --log-level error check bans licenses sources || status=$?
if timeout 60 cargo deny --log-level error fetch db; then
  cargo deny --log-level error check --disable-fetch advisories || status=$?
else
  echo "check: ADVISORIES WERE NOT CHECKED: their database cannot be fetched from here" >&2
fi
[ "$status" = 0 ] && echo "check: all good"
exit "$status"
