# SPDX-License-Identifier: BSD-3-Clause
"""How well a run at constant energy conserves it: slope with its error, and scatter."""

from __future__ import annotations

import numpy as np

import finegrain as fg

BLOCKS = 5


def conservation(run: fg.Run) -> dict[str, float]:
    """Return the slope of the total energy, its error and the scatter, kJ/mol (and ps) per atom."""
    table = run.energies()
    time, energy = table["time (ps)"], table["total energy (kJ/mol)"] / run.job.atoms
    slope, at_zero = np.polyfit(time, energy, 1)
    parts = np.array_split(np.arange(len(time)), BLOCKS)
    without = [np.delete(np.arange(len(time)), part) for part in parts]
    slopes = np.array([np.polyfit(time[rows], energy[rows], 1)[0] for rows in without])
    error = np.sqrt((BLOCKS - 1) / BLOCKS * ((slopes - slopes.mean()) ** 2).sum())
    return {
        "drift": float(slope),
        "drift_error": float(error),
        "scatter": float(np.std(energy - slope * time - at_zero)),
        "temperature": float(table["temperature (K)"].mean()),
    }
