# SPDX-License-Identifier: BSD-3-Clause
"""How well runs with hydrogens of 3 Da conserve the energy; see measure.py.

In vacuum, a host and its guest of openmmtools (CB7, 156 atoms), so that the bonded motion of the
solute is all there is: no cutoff, no lists, no rigid water.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conservation import conservation

import finegrain as fg

SYSTEM = "openmmtools:HostGuestVacuum"
RUNS = ((1.0, None), (2.0, None), (4.0, None), (2.0, "3 Da"), (4.0, "3 Da"))
WARM_PS, LENGTH_PS = 20.0, 100.0


def heavy_hydrogens(folder: Path) -> list[dict[str, Any]]:
    """Return an entry for each time step and mass."""
    return [of_run(folder / f"{step}-{mass}", step, mass) for step, mass in RUNS]


def of_run(folder: Path, timestep: float, mass: str | None) -> dict[str, Any]:
    """Warm the system with these masses, and run it at constant energy."""
    warm = f'ensemble = "nvt"\ntemperature = "300 K"\nfriction = "5 1/ps"\n{steps(WARM_PS, 1.0)}'
    start = run(folder / "warm", "", warm, mass).path / "checkpoint.h5"
    free = f'velocities = "from-file"\n{steps(LENGTH_PS, timestep)}'
    done = run(folder / "free", f'coordinates = "{start}"\n', free, mass)
    return {
        "system": SYSTEM.partition(":")[2],
        "timestep_fs": timestep,
        "hydrogen_mass": mass,
        "picoseconds": LENGTH_PS,
        **conservation(done),
    }


def steps(picoseconds: float, timestep: float) -> str:
    """Return the keys of a run of this length."""
    return f'timestep = "{timestep} fs"\nsteps = {round(1000 * picoseconds / timestep)}\n'


def run(folder: Path, system: str, dynamics: str, mass: str | None) -> fg.Run:
    """Run one part, with an energy every 20 fs."""
    folder.mkdir(parents=True)
    heavy = f'hydrogen_mass = "{mass}"\n' if mass else ""
    timestep = float(dynamics.partition('timestep = "')[2].partition(" ")[0])
    (folder / "in.toml").write_text(
        f'[system]\nkind = "classical"\ntopology = "{SYSTEM}"\n{system}'
        '[forces]\nprecision = "double"\nconstraints = "h-bonds"\n'
        f"[dynamics]\nseed = 5\n{heavy}{dynamics}"
        f"[output]\nenergy_interval = {round(20 / timestep)}\ntrajectory_interval = 0\n"
    )
    return fg.run(folder / "in.toml", folder / "out", pes=1)
