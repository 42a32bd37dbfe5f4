#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs every check that needs no build, also after one has failed; exit status 1 if any failed.
# clang-tidy needs a build: `make tidy`.
set -uo pipefail
cd "$(dirname "$0")/.."

bin=.venv/bin
failed=()

check() {
  local name=$1
  shift
  if "$@"; then echo "lint: $name: ok"; else failed+=("$name"); fi
}

format_is_right() {
  git ls-files -z -co --exclude-standard 'engine/*.[ch]pp' 'bindings/*.[ch]pp' 'tests/*.[ch]pp' \
    'bench/*.[ch]pp' | xargs -0 -r "$bin/clang-format" --dry-run -Werror --ferror-limit=3
}

check clang-format format_is_right
check layers "$bin/python" tools/check_layers.py
check python-layers "$bin/python" tools/check_python_layers.py
check lengths "$bin/python" tools/check_lengths.py
check house "$bin/python" tools/check_house.py
check names "$bin/python" tools/check_names.py
check ruff "$bin/ruff" check --quiet .
check ruff-format "$bin/ruff" format --check --quiet .
check mypy "$bin/mypy" --no-error-summary
check codespell "$bin/codespell"
check tables "$bin/python" tools/result_tables.py --check

if [ "${#failed[@]}" -gt 0 ]; then
  echo "lint: failed: ${failed[*]}; \`make format\` corrects the format" >&2
  exit 1
fi
