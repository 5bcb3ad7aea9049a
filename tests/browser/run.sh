#!/usr/bin/env bash
# run.sh   walks through the web app in a real Chromium, against the binary built here. ARGS name walks: walks/tasks.test.js.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/ensure-browser.sh
cargo build --quiet --package gleaner
GLEANER_BIN=$(realpath "${CARGO_TARGET_DIR:-target}/debug/gleaner")
export GLEANER_BIN
cd tests/browser
# What the lock names, once; a changed lock is installed anew.
stamp=node_modules/.lock-installed
if ! cmp --silent package-lock.json "$stamp"; then
  npm ci --ignore-scripts --loglevel=error
  cp package-lock.json "$stamp"
fi
exec node --test --test-reporter=spec --test-concurrency=1 --test-force-exit "${@:-walks/}"
