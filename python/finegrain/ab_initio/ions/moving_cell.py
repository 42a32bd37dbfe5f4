# SPDX-License-Identifier: BSD-3-Clause
"""A cell that moves under an outer pressure: its settings for the engine, in words, and its mass.

Units: Hartree atomic units.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Any

import numpy as np

from finegrain import units
from finegrain.ab_initio.input.model import AbInitioModel
from finegrain.ab_initio.ions.structure import Structure

#: Tables of pseudopotentials reach this many times as far as the waves of the first cell. So the
#: cell may shrink to about 0.8 of its lengths.
reach = 1.3


def mass_of_sound(mass_of_ions: float) -> float:
    """Return the mass of a cell that swings once while a sound wave crosses it, electron masses.

    A cubic cell of edge L with the bulk modulus B and the mass W swings with omega^2 = 3 B L / W.
    Sound takes L sqrt(M / (B L^3)) to cross it. Both are equal with W = 3 M / (4 pi^2), whatever
    the modulus. The criterion is that of Andersen, J. Chem. Phys. 72, 2384 (1980).
    """
    return 3 * mass_of_ions / (4 * pi**2)


def mass_of_period(period: float, bulk_modulus: float, volume: float) -> float:
    """Return the mass with which a cubic cell of this material swings with this period.

    It is 3 B V^(1/3) (period / 2 pi)^2.

    Parameters
    ----------
    period : float
        Atomic units of time.
    bulk_modulus : float
        hartree/bohr^3.
    volume : float
        bohr^3.
    """
    return float(3 * bulk_modulus * volume ** (1 / 3) * (period / (2 * pi)) ** 2)


def moving_cell_values(model: AbInitioModel, structure: Structure) -> dict[str, Any]:
    """Return what a job's /dynamics has beside the pressure; nothing if the cell rests."""
    dynamics = model.dynamics
    if dynamics.cell == "fixed":
        return {}
    mass = mass_of_sound(float(structure.mass.sum()))
    if dynamics.cell_mass is not None:
        mass = dynamics.cell_mass.value
    elif dynamics.cell_period is not None and dynamics.bulk_modulus is not None:
        volume = float(abs(np.linalg.det(structure.vectors)))
        mass = mass_of_period(dynamics.cell_period.value, dynamics.bulk_modulus.value, volume)
    friction = dynamics.cell_friction
    return {
        "cell": dynamics.cell,
        "cell_mass": mass,
        "cell_friction": 0.0 if friction is None else friction.value,
    }


def moving_cell_in_words(values: Mapping[str, Any]) -> dict[str, str]:
    """Return a line of a report for a cell that moves: name and text."""
    if values.get("cell", "fixed") == "fixed":
        return {}
    pressure = f"outer pressure {float(values['pressure']) * units.pressure_in_bar:g} bar"
    mass = f"mass {float(values['cell_mass']) * units.electron_mass_in_dalton:.4g} Da"
    words = f"{values['cell']}, {pressure}, {mass}"
    if (friction := float(values["cell_friction"])) > 0:
        words += f", friction over {units.time_in_fs / friction:.4g} fs"
    return {"moving cell": words}
