#!/usr/bin/env bash
# sbom.sh FILE   writes what the gleaner binary is made of, as CycloneDX JSON: each crate of Cargo.lock that can be part of it,
# with version, licence and package URL.
set -euo pipefail
file=$(realpath -m "${1:?say which file to write}")
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
command -v cargo-sbom >/dev/null || cargo install cargo-sbom --version 0.10.0 --locked --quiet
mkdir -p "$(dirname "$file")"
# Complete or not there at all.
cargo sbom --cargo-package gleaner --output-format cyclone_dx_json_1_6 >"$file.new"
mv "$file.new" "$file"
echo "$file"
