#!/usr/bin/env bash
# check.sh   what a reviewer would ask first: format, lints with warnings denied, documentation, dependency policy.
#
# Every part runs though an earlier one failed. Only known vulnerabilities may go unasked, and loudly: their database is a
# repository that not every machine reaches.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
status=0
cargo fmt --all --check || status=$?
cargo clippy --workspace --all-targets --quiet -- -D warnings || status=$?
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet || status=$?
# Without optimisation: building it takes longer than its work by far.
command -v cargo-deny >/dev/null || cargo install cargo-deny --locked --debug --quiet
cargo deny --log-level error check bans licenses sources || status=$?
if timeout 60 cargo deny --log-level error fetch db; then
  cargo deny --log-level error check --disable-fetch advisories || status=$?
else
  echo "check: ADVISORIES WERE NOT CHECKED: their database cannot be fetched from here" >&2
fi
[ "$status" = 0 ] && echo "check: all good"
exit "$status"
