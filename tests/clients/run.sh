#!/usr/bin/env bash
# run.sh   the clients of other languages against the binary built here: what is generated is compared, the packages are built,
# installed elsewhere and used.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --quiet --package gleaner
GLEANER_BINARY=$(realpath "${CARGO_TARGET_DIR:-target}/debug/gleaner")
export GLEANER_BINARY
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tests/clients/prepare.sh
python=$PWD/.cache/clients/bin/python
(
  cd clients/python
  "$python" generate.py --check
  "$python" -m mypy
  "$python" -m pytest --quiet
  "$python" -m build --wheel --outdir "$work" >/dev/null
)
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$work"/*.whl
"$work/venv/bin/python" -c 'from gleaner import AsyncGleaner, Gleaner, verify_webhook'

cd clients/typescript
npx --no-install tsc
node generate.mjs --check
node --test --test-reporter=spec tests/
npm pack --ignore-scripts --silent --pack-destination "$work" >/dev/null
cd "$work"
npm install --silent --no-audit --no-fund "$work"/*.tgz
node --input-type=module --eval 'import { Gleaner, verifyWebhook } from "gleaner-client"; new Gleaner({ url: "http://[::1]", token: "" }).tasks; verifyWebhook.length'
