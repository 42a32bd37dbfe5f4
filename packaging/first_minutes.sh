#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The first minutes of a user who has Python, the wheels and no compiler; each step with its time.
# Works in the folder where it lies. try_wheel.sh runs it in a bare Debian.
# Usage: first_minutes.sh FOLDER_OF_WHEELS
set -eu
cd "$(dirname "$0")"
wheels=$1

began=$(date +%s)
step() {
  now=$(date +%s)
  echo "==== $((now - began)) s: $*"
  "$@"
}

for word in cc gcc g++ clang mpiexec; do
  if command -v "$word" >/dev/null; then
    echo "first_minutes: there is $word here; this is no bare machine" >&2
    exit 1
  fi
done
python3 -m venv env
wheel=$(ls -t "$wheels"/finegrain-*.whl | head -1)
step env/bin/pip install --quiet --no-cache-dir "$wheel[test-systems]"
PATH=$PWD/env/bin:$PATH
step finegrain doctor
step finegrain init dhfr
step finegrain run dhfr.toml --steps 1000 --pes 2
test -s runs/dhfr/energies.png
now=$(date +%s)
echo "==== $((now - began)) s: DHFR's picture is there"
du -sh env | sed 's/^/first_minutes: installed: /'
step finegrain bench dhfr --steps 200 --warm-up 50 --pes 2
step finegrain init water
step finegrain check water.toml
step finegrain run water.toml --steps 200 --pes 2
step finegrain run water.toml --steps 200 --pes 1 --out runs/water-alone
step finegrain show runs/water --html
step finegrain convert runs/water --to xyz
step python first_minutes.py
step finegrain bench fft --grid 32
if finegrain run water.toml --steps 10 --ranks 2 --out runs/ranks 2>refused; then
  echo "first_minutes: two ranks without an MPI were not refused" >&2
  exit 1
fi
cat refused
grep -q "pip install finegrain_openmpi-" refused
now=$(date +%s)
echo "==== $((now - began)) s: all worked"
