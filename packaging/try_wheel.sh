#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Tries the wheels as a new user would: in a bare Debian with Python but no compiler, made by
# debootstrap and removed afterwards. Needs root.
# Usage: packaging/try_wheel.sh SUITE FOLDER_OF_WHEELS      SUITE is bookworm (12) or trixie (13)
set -euo pipefail
cd "$(dirname "$0")/.."

suite=$1 wheels=$2
command -v debootstrap >/dev/null || {
  echo "try_wheel: debootstrap is missing: apt-get install debootstrap" >&2
  exit 2
}
root=$(mktemp -d "${TMPDIR:-/var/tmp}/finegrain-$suite-XXXXXX")
leave() {
  for place in dev/shm dev sys proc; do
    if mountpoint -q "$root/$place"; then umount "$root/$place"; fi
  done
  rm -rf --one-file-system "$root"
}
trap leave EXIT

echo "try_wheel: making a bare $suite"
debootstrap --variant=minbase --include=ca-certificates,python3-venv "$suite" "$root" >"$root.log" ||
  {
    tail -20 "$root.log" >&2
    exit 2
  }
rm -f "$root.log"
mount -t proc proc "$root/proc"
mount --bind /sys "$root/sys"
mount --bind /dev "$root/dev"
mount -t tmpfs shm "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# The machine's own certificates, which a proxy may need.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
mkdir "$root/wheels" "$root/try"
cp "$wheels"/*.whl "$root/wheels"
cp /usr/share/espresso/pseudo/H.blyp-vbc.UPF "$root/try"
cp packaging/first_minutes.sh packaging/first_minutes.py "$root/try"
chroot "$root" /usr/bin/env HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin /try/first_minutes.sh /wheels
