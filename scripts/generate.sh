#!/usr/bin/env bash
# generate.sh   writes the files that are made from code. In CI, `git diff --exit-code` must find nothing afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/ensure-rust.sh
cargo build --quiet --package gleaner
gleaner=${CARGO_TARGET_DIR:-target}/debug/gleaner
for resource in apitokens webhooks; do
  "$gleaner" crd "$resource" > "crds/$resource.yaml"
  # A chart can read only what lies in its own folder.
  cp "crds/$resource.yaml" "charts/gleaner/files/$resource.yaml"
done
"$gleaner" openapi > api/openapi.json
# The chart's page of values, and what it renders for each switch.
tests/test-needs.sh
GLEANER_WRITE=1 cargo test --quiet --package gleaner-tests --test chart -- the_page each_switch
# The clients' records, and the sync client of Python.
tests/clients/prepare.sh
.cache/clients/bin/python clients/python/generate.py
npm run --silent --prefix clients/typescript generate
