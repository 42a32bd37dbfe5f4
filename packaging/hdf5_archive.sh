#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes an archive of HDF5 for wheels from Debian's source package. Debian's own archive cannot go into
# a Python extension (it is not position-independent), and its shared library needs curl, and with it
# thirty more libraries, for files on the network. Does nothing when the archive is there.
# Usage: packaging/hdf5_archive.sh PREFIX      the archive is PREFIX/lib/libhdf5.a
set -euo pipefail

[ $# -eq 1 ] || {
  echo "hdf5_archive: one folder is needed, for the archive" >&2
  exit 1
}
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
if [ -f "$prefix/lib/libhdf5.a" ]; then exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p sources lists/partial cache/archives/partial
# The system's sources of packages, as sources of source packages.
for file in /etc/apt/sources.list.d/*.sources; do
  if [ -f "$file" ]; then sed 's/^Types: .*$/Types: deb-src/' "$file" >"sources/$(basename "$file")"; fi
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  if [ -f "$file" ]; then sed -n 's/^deb /deb-src /p' "$file" >"sources/$(basename "$file" .list).list"; fi
done
options=(
  -q
  -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources"
  -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache"
)
if [ "$(id -u)" -eq 0 ]; then options+=(-o APT::Sandbox::User=root); fi
quietly() {
  "$@" >step.log 2>&1 || {
    tail -20 step.log >&2
    echo "hdf5_archive: failed: $*" >&2
    exit 2
  }
}
echo "hdf5_archive: compiling HDF5 from Debian's source package"
# A source of packages that has none of sources is no failure.
apt-get "${options[@]}" update >/dev/null 2>&1 || true
quietly apt-get "${options[@]}" source hdf5
mkdir build && cd build
compiler=cc
if command -v ccache >/dev/null; then compiler="ccache cc"; fi
quietly env CC="$compiler" ../hdf5-*/configure --prefix="$prefix" --disable-shared --enable-static \
  --with-pic --disable-hl --disable-tests --disable-tools --disable-dependency-tracking \
  --without-szlib --enable-build-mode=production
quietly make -j"$(nproc)" -C src install
