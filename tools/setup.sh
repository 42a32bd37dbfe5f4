#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes this checkout ready to build: Debian packages, then a virtual environment in .venv with the
# pinned Python packages. Safe to run again; does nothing when everything is there.
# Usage: tools/setup.sh [--dev | --bench | --arm | --docs | --wheel]
#   --dev adds what tests and checks the project
#   --bench adds the programs that benchmarks are compared with
#   --arm adds the cross compiler for 64-bit Arm, the emulator, and libraries in .arm64
#   --docs adds what makes a site of the manual
#   --wheel adds what makes wheels
set -euo pipefail
cd "$(dirname "$0")/.."

lists=(tools/debian-packages.txt)
case "${1:-}" in
  "") ;;
  --bench) lists+=(tools/debian-packages-bench.txt) ;;
  --arm) lists+=(tools/debian-packages-arm.txt) ;;
  --dev | --docs | --wheel) ;;
  *)
    echo "setup: unknown option $1; there are --dev, --bench, --arm, --docs and --wheel" >&2
    exit 1
    ;;
esac

missing_packages() {
  local package
  while read -r package; do
    # A package that another package provides counts as installed.
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done < <(cat "${lists[@]}")
}

install_packages() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    # With a terminal sudo may ask for a password; without one it must not wait.
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      as_root=(sudo)
    else
      {
        echo "setup: these Debian packages are missing, and there is neither root nor sudo here:"
        echo "  $*"
        echo "setup: ask an administrator to run   apt-get install $*"
      } >&2
      exit 2
    fi
  fi
  local options=(-y -q --no-install-recommends -o DPkg::Lock::Timeout=300)
  echo "setup: installing Debian packages: $*"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "$@"
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" -gt 0 ]; then install_packages "${missing[@]}"; fi
else
  echo "setup: this is not Debian; install what matches these packages if the build asks for it:" >&2
  echo "  $(cat "${lists[@]}" | tr '\n' ' ')" >&2
fi

# The distribution's Python, because its headers are those of the package python3-dev.
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=$(command -v python3)
requirements=(tools/requirements.txt tools/requirements-build.txt)
stamp=.venv/requirements.sha256
wanted=$(sha256sum "${requirements[@]}")

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import sys' 2>/dev/null; then
  rm -rf .venv
  "$python" -m venv .venv
fi
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
  echo "setup: installing the pinned Python packages into .venv"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check wheel==0.45.1
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --prefer-binary \
    -r tools/requirements.txt -r tools/requirements-build.txt
  printf '%s\n' "$wanted" >"$stamp"
fi
more=${1:-}
more=${more#--}
if [ -n "$more" ] && [ "$more" != arm ]; then
  stamp=.venv/requirements-$more.sha256
  wanted=$(sha256sum "tools/requirements-$more.txt")
  if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --prefer-binary \
      -r "tools/requirements-$more.txt"
    printf '%s\n' "$wanted" >"$stamp"
  fi
fi
if [ "${1:-}" = --arm ]; then tools/arm64_libraries.sh; fi
