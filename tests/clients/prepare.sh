#!/usr/bin/env bash
# prepare.sh   installs what generates, builds and tests the clients: an environment of Python in .cache/clients, and node_modules.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Debian's own Python comes without what makes environments.
python3 -c 'import ensurepip' 2>/dev/null || { apt-get update -qq && apt-get install --yes --quiet python3-venv; } >/dev/null
python=.cache/clients/bin/python
stamp=.cache/clients/pyproject.toml
if ! cmp --silent clients/python/pyproject.toml "$stamp"; then
  python3 -m venv .cache/clients
  "$python" -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
  "$python" -m pip install --quiet --disable-pip-version-check --editable clients/python --group clients/python/pyproject.toml:dev
  cp clients/python/pyproject.toml "$stamp"
fi
cd clients/typescript
if ! cmp --silent package-lock.json node_modules/.lock-installed; then
  npm ci --ignore-scripts --loglevel=error
  cp package-lock.json node_modules/.lock-installed
fi
