# SPDX-License-Identifier: BSD-3-Clause
"""Runs of a small box of water under baths, and the errors of their means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
from engine_jobs import job_from_state, make_job, state_of
from numpy.typing import NDArray

from finegrain import _engine
from finegrain.energies import read_energies
from finegrain.jobs import Job

Array = NDArray[np.float64]

# All pair forces end smoothly, so that pressure and energy agree.
NPT_FORCES: dict[str, Any] = {
    "cutoff": "8 Å",
    "switch": "7 Å",
    "electrostatics": "pme",
    "mesh": [28, 28, 28],
    "spline_order": 5,
    "ewald_coefficient": "0.38 1/Å",
}
RESCALING = {"ensemble": "npt", "barostat": "stochastic-rescaling", "barostat_time": "1 ps"}
PISTON = {
    "ensemble": "npt",
    "barostat": "langevin-piston",
    "thermostat": "velocity-rescaling",
    "piston_period": "0.5 ps",
}


def equilibrated(folder: Path) -> dict[str, Array]:
    """Return positions, velocities and box of 501 waters after 10 ps at 300 K and 1 bar."""
    job = make_job(folder / "job", "water", NPT_FORCES, RESCALING | {"steps": 5000})
    _engine.run(str(job.path), str(folder / "out"), pes=1)
    checkpoint = folder / "out" / "checkpoint.h5"
    with h5py.File(checkpoint) as file:
        return state_of(checkpoint) | {"box": file["box"][...]}


def table_of(
    folder: Path,
    state: dict[str, Array],
    dynamics: dict[str, Any],
    picoseconds: float,
    forces: dict[str, Any] | None = None,
) -> dict[str, Array]:
    """Run from a state; return the rows of energies, one for every 24 steps of 2 fs."""
    steps = round(picoseconds / 0.002)
    job = make_job(
        folder / "job",
        "water",
        NPT_FORCES | (forces or {}),
        dynamics | {"steps": steps},
        output={"energy_interval": 24, "trajectory_interval": 0},
    )
    start: Job = job_from_state(job, folder / "start.h5", state)
    _engine.run(str(start.path), str(folder / "out"), pes=1)
    return dict(read_energies(folder / "out"))


def block_error(values: Array) -> float:
    """Return the standard error of the mean of a series of correlated values.

    The largest of the errors from 8, 16, 32 and 64 blocks: short blocks are correlated.
    """
    errors = []
    for blocks in (8, 16, 32, 64):
        length = len(values) // blocks
        if length:
            means = values[: blocks * length].reshape(blocks, length).mean(axis=1)
            errors.append(means.std(ddof=1) / np.sqrt(blocks))
    return float(max(errors))


def inefficiency(values: Array) -> float:
    """Return how many correlated values count as one: 1 + 2 sum of the autocorrelation.

    The sum ends at the first value below 0.
    """
    rest = values - values.mean()
    size = len(rest)
    spectrum = np.abs(np.fft.rfft(rest, 2 * size)) ** 2
    correlation = np.fft.irfft(spectrum)[:size] / np.arange(size, 0, -1)
    end = int(np.argmax(correlation <= 0)) or size
    return float(max(1.0, 2 * correlation[:end].sum() / correlation[0] - 1))
