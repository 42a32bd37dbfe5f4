# SPDX-License-Identifier: BSD-3-Clause
"""How well impulses of pair forces and of the mesh conserve the energy: a section of accuracy.json.

Alanine dipeptide in water (openmmtools), with all bonds free, in steps of 1 fs. The state is warmed
with all forces on every step. From there each pair of intervals has a run at constant energy.

Usage: levels.py [--picoseconds P] [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from conservation import conservation

import finegrain as fg

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

SYSTEM = "openmmtools:AlanineDipeptideExplicit"
LEVELS = ((1, 1), (1, 2), (1, 4), (2, 2), (2, 4), (3, 3), (4, 4))
ROUND = 24  # steps, of which all intervals are divisors
WARM_STEPS = 100 * ROUND
IN_UNIT, DIGITS = 1e6, 3
INPUT = """
[system]
kind = "classical"
topology = "{system}"
{start}
[forces]
cutoff = "9 Å"
switch = "7.5 Å"
constraints = "none"
rigid_water = false
rebuild_interval = 24
prune_interval = 12
[dynamics]
timestep = "1 fs"
steps = {steps}
{dynamics}
[output]
energy_interval = 12
trajectory_interval = 0
"""


def run(folder: Path, steps: int, dynamics: str, start: str = "") -> fg.Run:
    """Run an input with these words."""
    folder.mkdir()
    text = INPUT.format(system=SYSTEM, steps=steps, dynamics=dynamics, start=start)
    (folder / "in.toml").write_text(text, encoding="utf-8")
    return fg.run(folder / "in.toml", folder / "out", pes=1)


def row_of(folder: Path, start: str, steps: int, pairs: int, mesh: int) -> dict[str, Any]:
    """Run with a pair of intervals."""
    keys = f"pair_interval = {pairs}\nlong_range_interval = {mesh}"
    dynamics = f'velocities = "from-file"\n{keys}'
    found = conservation(run(folder / f"{pairs}-{mesh}", steps, dynamics, start))
    row = {"drift": found["drift"], "error": found["drift_error"], "scatter": found["scatter"]}
    return {"pairs": pairs, "mesh": mesh, **{name: short(value) for name, value in row.items()}}


def short(value: float) -> int:
    """Return a figure in the unit of the rows."""
    return round(float(f"{IN_UNIT * value:.{DIGITS}g}"))


def main() -> None:
    """Measure and write the report."""
    parser = argparse.ArgumentParser(description="Drift of levels of forces.")
    parser.add_argument("--picoseconds", type=float, default=4.8, help="length of a run")
    parser.add_argument("--out", type=Path, default=Path("bench/results/accuracy.json"))
    options = parser.parse_args()
    steps = round(1000 * options.picoseconds / ROUND) * ROUND
    bath = 'ensemble = "nvt"\ntemperature = "300 K"\nfriction = "10 1/ps"'
    with tempfile.TemporaryDirectory(prefix="finegrain-levels-") as name:
        warm = run(Path(name) / "warm", WARM_STEPS, bath).path / "checkpoint.h5"
        start = f'coordinates = "{warm}"'
        rows = [row_of(Path(name), start, steps, *levels) for levels in LEVELS]
    report = stored.read(options.out) if options.out.exists() else {}
    report["levels"] = [{**row, "picoseconds": options.picoseconds} for row in rows]
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
