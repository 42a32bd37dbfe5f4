#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Eight waters of ice on all cores: their electronic ground state with a picture of the density, and
# from its orbitals 100 steps of Car-Parrinello dynamics with a picture of the energies. Results of
# an earlier demo in runs/ice and runs/ice-moving are replaced.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf runs/ice runs/ice-moving
mkdir -p runs
.venv/bin/finegrain init ice --out runs/ice.toml --overwrite
sed -i 's/^density = false/density = true /' runs/ice.toml
.venv/bin/finegrain run runs/ice.toml --pes "$(nproc)"
.venv/bin/finegrain show runs/ice >/dev/null # draws the pictures
test -s runs/ice/density.png

.venv/bin/finegrain init car-parrinello --out runs/ice-moving.toml --overwrite
sed -i 's/^\[ground_state\]/[ground_state]\nstart = "ice"/' runs/ice-moving.toml
.venv/bin/finegrain run runs/ice-moving.toml --steps 100 --pes "$(nproc)"
.venv/bin/finegrain show runs/ice-moving >/dev/null
test -s runs/ice-moving/energies.png
echo "pictures: density.png and ground_state.png in runs/ice, energies.png in runs/ice-moving"
