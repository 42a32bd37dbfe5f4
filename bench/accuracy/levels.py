# SPDX-License-Identifier: BSD-3-Clause
"""How well impulses of pair forces and of the mesh conserve the energy: a section of accuracy.json.

Alanine dipeptide in water (openmmtools) in steps of 1 fs, once with all bonds free, once with bonds
to hydrogen and water held. The state is warmed with all forces on every step. From there each pair
of intervals has a run at constant energy. Another section, of influence.json, has such runs with
both influence functions of the mesh and forces on every step.

Usage: levels.py [--picoseconds P] [--out FILE] [--out-influence FILE]
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
BONDS = {
    "free": 'constraints = "none"\nrigid_water = false',
    "held": 'constraints = "h-bonds"\nrigid_water = true',
}
MESHES = ((1, 4), (2, 8))  # spacing in Å and order
FUNCTIONS = ("smooth", "optimal")
INPUT = """
[system]
kind = "classical"
topology = "{system}"
{start}
[forces]
cutoff = "9 Å"
switch = "7.5 Å"
{forces}
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


def run(folder: Path, steps: int, forces: str, dynamics: str, start: str = "") -> fg.Run:
    """Run an input with these words."""
    folder.mkdir()
    text = INPUT.format(system=SYSTEM, steps=steps, forces=forces, dynamics=dynamics, start=start)
    (folder / "in.toml").write_text(text, encoding="utf-8")
    return fg.run(folder / "in.toml", folder / "out", pes=1)


class Warm:
    """A warmed state with bonds of one kind, and runs at constant energy from there."""

    def __init__(self, folder: Path, bonds: str, steps: int) -> None:
        self.folder, self.bonds, self.steps = folder / bonds, bonds, steps
        self.folder.mkdir()
        bath = 'ensemble = "nvt"\ntemperature = "300 K"\nfriction = "10 1/ps"'
        warm = run(self.folder / "warm", WARM_STEPS, BONDS[bonds], bath).path / "checkpoint.h5"
        self.start = f'coordinates = "{warm}"'

    def conserves(self, name: str, forces: str, dynamics: str) -> dict[str, Any]:
        """Return drift, error and scatter of a run with more keys."""
        forces = f"{BONDS[self.bonds]}\n{forces}"
        dynamics = f'velocities = "from-file"\n{dynamics}'
        found = conservation(run(self.folder / name, self.steps, forces, dynamics, self.start))
        row = {"drift": found["drift"], "error": found["drift_error"], "scatter": found["scatter"]}
        return {key: short(value) for key, value in row.items()}

    def levels(self, pairs: int, mesh: int) -> dict[str, Any]:
        """Run with a pair of intervals."""
        keys = f"pair_interval = {pairs}\nlong_range_interval = {mesh}"
        found = self.conserves(f"{pairs}-{mesh}", "", keys)
        return {"bonds": self.bonds, "pairs": pairs, "mesh": mesh, **found}

    def influence(self, spacing: int, order: int, function: str) -> dict[str, Any]:
        """Run with a mesh and its influence function."""
        keys = f'mesh_spacing = "{spacing} Å"\nspline_order = {order}\n'
        keys += f'influence_function = "{function}"'
        found = self.conserves(f"{spacing}-{order}-{function}", keys, "")
        return {"spacing": spacing, "order": order, "function": function, **found}


def short(value: float) -> int:
    """Return a figure in the unit of the rows."""
    return round(float(f"{IN_UNIT * value:.{DIGITS}g}"))


def main() -> None:
    """Measure and write the report."""
    parser = argparse.ArgumentParser(description="Drift of levels of forces.")
    parser.add_argument("--picoseconds", type=float, default=4.8, help="length of a run")
    results = Path("bench/results")
    parser.add_argument("--out", type=Path, default=results / "accuracy.json")
    parser.add_argument("--out-influence", type=Path, default=results / "influence.json")
    options = parser.parse_args()
    steps = round(1000 * options.picoseconds / ROUND) * ROUND
    with tempfile.TemporaryDirectory(prefix="finegrain-levels-") as name:
        states = {bonds: Warm(Path(name), bonds, steps) for bonds in BONDS}
        levels = [state.levels(*pair) for state in states.values() for pair in LEVELS]
        held = states["held"]
        functions = [held.influence(*mesh, one) for mesh in MESHES for one in FUNCTIONS]
    for path, section, rows in (
        (options.out, "levels", levels),
        (options.out_influence, "drift", functions),
    ):
        report = stored.read(path) if path.exists() else {}
        report[section] = [{**row, "picoseconds": options.picoseconds} for row in rows]
        stored.write(report, path)


if __name__ == "__main__":
    main()
