#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The first thing to run: 1,000 steps of DHFR in water on all cores.
# Results of an earlier demo in runs/dhfr are replaced.
set -euo pipefail
cd "$(dirname "$0")/.."

.venv/bin/python examples/dhfr/get_files.py
rm -rf runs/dhfr
.venv/bin/finegrain run examples/dhfr/dhfr.toml --pes "$(nproc)"
