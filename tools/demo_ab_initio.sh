#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Eight waters of ice in their electronic ground state on all cores: energy, forces, stress, and a
# picture of the density. Results of an earlier demo in runs/ice are replaced.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf runs/ice
mkdir -p runs
.venv/bin/finegrain init ice --out runs/ice.toml --overwrite
sed -i 's/^density = false/density = true /' runs/ice.toml
.venv/bin/finegrain run runs/ice.toml --pes "$(nproc)"
.venv/bin/finegrain show runs/ice >/dev/null # draws the pictures
test -s runs/ice/density.png
echo "pictures: runs/ice/density.png, runs/ice/ground_state.png"
