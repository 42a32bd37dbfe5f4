#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Everything that measures speed: the micro-benchmarks, the buffers and the queue beside their peers,
# then DHFR beside the programs that are installed, in turns. Writes JSON into bench/results, draws
# the plots of the manual and renews the tables of the README and the manual.
# Usage: tools/bench.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
# Only the programs of the benchmark library; programs with other names take other options.
find "$build/bench/micro" -type f -perm -u+x -name '*bench*' -not -path '*/CMakeFiles/*' | sort |
  while read -r program; do
    name=$(basename "$program" | sed 's/_bench.*$//; s/^bench_//')
    echo "bench: $name"
    .venv/bin/python bench/micro/measure.py "$program" --out "bench/results/micro_$name.json"
  done

.venv/bin/python bench/micro/forces/pair/roof.py --build "$build" --out bench/results/pair_kernel.json

.venv/bin/python bench/peers/parts.py --programs "$build/bench/micro/runtime"
.venv/bin/python bench/peers/plot_parts.py
.venv/bin/python bench/peers/processes.py --build "$build"
.venv/bin/python bench/peers/transforms.py --build "$build"

# One file each, so that a disturbed half can be measured again by itself.
.venv/bin/python bench/peers/compare.py --threads 1 --long-range 2 \
  --out bench/results/dhfr_peers_one_thread.json
.venv/bin/python bench/peers/compare.py --threads "$(nproc)" \
  --out bench/results/dhfr_peers_two_threads.json
.venv/bin/python tools/result_tables.py
