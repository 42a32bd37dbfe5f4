# SPDX-License-Identifier: BSD-3-Clause
"""Molecules under baths: no vibration is hotter than the rest, whatever the interval.

Each free bond between C and O of methanol has kT/2, but for what its surroundings do to it: 1 % in
this liquid (Langevin dynamics at constant volume, whose positions have no error of the step for a
vibration: 1.013 ± 0.005 at 2 fs).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_jobs import digest, interrupted, make_job
from methanol import KT, methanol_files

import finegrain as fg
from finegrain.runs.energies import read_energies

RESCALING = {"ensemble": "npt", "barostat": "stochastic-rescaling", "barostat_time": "2 ps"}
PISTON = {"ensemble": "npt", "barostat": "langevin-piston", "piston_period": "1 ps"}
VOLUME = {"ensemble": "nvt"}
THERMOSTATS: dict[str, dict[str, Any]] = {
    "velocity rescaling": {"thermostat": "velocity-rescaling", "thermostat_time": "0.5 ps"},
    "langevin": {"thermostat": "langevin", "friction": "1 1/ps"},
}


def rows(
    folder: Path, side: int, cutoff: str, interval: int, picoseconds: float, **dynamics: Any
) -> dict[str, np.ndarray]:
    """Run methanol with steps of 2 fs and hydrogens held; return the later three quarters."""
    if dynamics["ensemble"] == "npt":
        dynamics = {"pressure": "1 bar"} | dynamics
        if dynamics["barostat"] != "monte-carlo":
            dynamics = {"compressibility": "1e-4 1/bar"} | dynamics
    out = folder / "out"
    settings = methanol_files(folder, side)
    moves = {"timestep": "2 fs", "temperature": "298.15 K"} | dynamics
    moves["steps"] = round(picoseconds / 0.002 / interval) * interval
    job = make_job(
        folder,
        str(settings["topology"]),
        {"cutoff": cutoff, "constraints": "h-bonds", "rebuild_interval": interval},
        moves,
        system={"kind": "classical"} | settings,
        minimise={"steps": 500},
        output={"energy_interval": interval, "trajectory_interval": 0},
    )
    fg.run(job, out=out)
    table = read_energies(out)
    later = table["time (ps)"] > 0.25 * picoseconds
    return {name: values[later] for name, values in table.items()}


def test_a_fast_barostat_leaves_bonds_cold(tmp_path: Path) -> None:
    """Scalings every 32 fs, nearly a period of the bonds, by a barostat ten times as fast as usual.

    If a scaling stretches bonds, they have several times kT/2 here. 64 bonds in 6 ps are some 400
    independent energies (they live for about 1 ps), whose mean has an error of 7 %.
    """
    table = rows(
        tmp_path,
        4,
        "6 Å",
        16,
        8,
        **RESCALING | {"barostat_time": "0.2 ps"} | THERMOSTATS["velocity rescaling"],
    )
    assert table["bond (kJ/mol)"].mean() / (64 * KT / 2) == pytest.approx(1, abs=0.28)


@pytest.mark.parametrize(
    "baths",
    [
        {"barostat_time": "0.2 ps", "thermostat": "velocity-rescaling"},
        {"barostat": "langevin-piston", "piston_period": "0.4 ps", "thermostat": "langevin"},
        {"barostat": "monte-carlo", "barostat_interval": 20, "thermostat": "velocity-rescaling"},
    ],
    ids=["rescaling", "piston", "monte-carlo"],
)
def test_molecules_over_patches_give_the_same_bits(baths: dict[str, Any], tmp_path: Path) -> None:
    """On any number of PEs, and after a restart, although no patch knows their centres."""
    settings = methanol_files(tmp_path / "job", 5)
    job = make_job(
        tmp_path / "job",
        str(settings["topology"]),
        {"cutoff": "6 Å", "constraints": "h-bonds", "rebuild_interval": 10, "prune_interval": 5},
        {"ensemble": "npt", "steps": 60} | baths,
        system={"kind": "classical"} | settings,
        patches={"grid": [2, 2, 2]},
        minimise={"steps": 50},
        output={"energy_interval": 10, "trajectory_interval": 0},
    )
    expected = digest(job, tmp_path / "out", pes=1)
    rows = (tmp_path / "out" / "energies.csv").read_bytes()
    assert digest(job, tmp_path / "out", pes=3) == expected
    assert interrupted(job, tmp_path / "out", 31, 2, 1) == expected
    assert (tmp_path / "out" / "energies.csv").read_bytes() == rows
