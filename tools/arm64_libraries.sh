#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Fetches Debian's libraries for 64-bit Arm (tools/arm64-libraries.txt, and what they need) and
# unpacks them into .arm64, for the cross compiler and the emulator. Nothing is installed on this
# machine, so packages that cannot stand beside those of its own processor do no harm. Needs no
# root. Safe to run again; does nothing when everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

root=.arm64
stamp=$root/libraries.sha256
wanted=$(cat tools/arm64-libraries.txt tools/arm64_libraries.sh | sha256sum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then exit 0; fi

for program in apt-get dpkg-deb; do
  if ! command -v "$program" >/dev/null; then
    echo "arm64_libraries: $program is missing: the libraries come as packages of Debian" >&2
    exit 2
  fi
done
rm -rf "$root"
mkdir -p "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/packages"
: >"$work/status"
# An apt of its own: it takes packages from where this machine does, for another processor, and
# believes that nothing is installed.
export APT_CONFIG=$work/apt.conf
cat >"$APT_CONFIG" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Dir::State "$work";
Dir::State::status "$work/status";
Dir::Cache "$work";
END
echo "arm64_libraries: fetching Debian's libraries for 64-bit Arm into $root"
apt-get update -q -q
mapfile -t libraries <tools/arm64-libraries.txt
# Libraries and headers only: programs of the other processor, such as compilers, are not used.
mapfile -t packages < <(apt-get install --simulate -q "${libraries[@]}" |
  awk '$1 == "Inst" {print $2}' | grep -E '^(lib|zlib|googletest$)|-dev$')
if [ "${#packages[@]}" -lt "${#libraries[@]}" ]; then
  echo "arm64_libraries: apt-get finds no packages for arm64; are there Debian sources for it?" >&2
  exit 2
fi
(cd "$work/packages" && apt-get download -q -q "${packages[@]}")
for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$root"; done
# What an installation would choose among several.
ln -s openblas-serial/libopenblas.so.0 "$root/usr/lib/aarch64-linux-gnu/libopenblas.so.0"
printf '%s\n' "$wanted" >"$stamp"
