#!/bin/sh
# Lints the OpenAPI document and lets schemathesis call a running server from it: no 5xx, no undocumented answer.
# Usage: tests/http/fuzz.sh [PROGRAM [OPTION...]] — PROGRAM is a built `gleaner`; the default is the debug build. OPTIONs go
# to schemathesis; each run tries other requests: `tests/http/fuzz.sh target/debug/gleaner --max-examples 300`.
set -eu
cd "$(dirname "$0")/../.."
program=${1:-${CARGO_TARGET_DIR:-target}/debug/gleaner}
[ $# = 0 ] || shift
tools=.cache/http
folder=$(mktemp -d)
server=

stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM

if ! "$tools/bin/schemathesis" --version >/dev/null 2>&1; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet 'schemathesis==4.32.5' 'openapi-spec-validator==0.9.0'
fi

"$tools/bin/openapi-spec-validator" api/openapi.json

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
GLEANER_RATE_LIMIT_PER_MINUTE=0 "$program" dev --listen "127.0.0.1:$port" --data-dir "$folder" >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 300); do
    [ -s "$folder/token" ] && "$tools/bin/python" -c "import urllib.request; urllib.request.urlopen('$url/openapi.json')" \
        2>/dev/null && break
    kill -0 "$server" 2>/dev/null || { cat "$folder/log"; exit 1; }
    sleep 0.2
done

# The event stream never ends, so a client that waits for the end of its answer cannot call it.
"$tools/bin/schemathesis" --config-file tests/http/schemathesis.toml run "$url/openapi.json" \
    --header "Authorization: Bearer $(cat "$folder/token")" \
    --exclude-path /events --continue-on-failure --no-color --max-examples 20 "$@" \
    >"$folder/report" 2>&1 && verdict=0 || verdict=$?
# A reproduced body may be very long.
cut -c 1-500 "$folder/report"
exit "$verdict"
