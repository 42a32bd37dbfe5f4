#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Puts the Python package into .venv as an editable install, with the extension from a build folder
# that is up to date. Skipped when the installed extension is not older than the built one.
# Usage: tools/install_editable.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
stamp=.venv/finegrain-installed.sha256
built=$(sha256sum "$build"/bindings/_engine*.so "$build"/engine/app/finegrain-engine* \
  pyproject.toml CMakeLists.txt bindings/CMakeLists.txt)

if [ ! -x .venv/bin/finegrain ] || [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$built" ]; then
  # The same build folder and options, so that nothing is compiled twice.
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --editable . \
    --config-settings=build-dir="$build" \
    --config-settings=cmake.define.FG_TESTS=ON \
    --config-settings=cmake.define.FG_BENCH=ON
  printf '%s\n' "$built" >"$stamp"
fi

# As pip does for a package that it copies. Where PYTHONDONTWRITEBYTECODE is set no command would ever
# do it, and each would take 0.2 s longer to start.
.venv/bin/python -m compileall -q python/finegrain
