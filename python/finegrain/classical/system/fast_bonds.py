# SPDX-License-Identifier: BSD-3-Clause
"""Free bonds that vibrate so fast that the time step is long for them.

Units: Hartree atomic units.
"""

from __future__ import annotations

import math

import numpy as np

from finegrain.classical.system.system import ClassicalSystem
from finegrain.units import time_in_fs

_fewest_steps = 10  # in a period; there an energy is 2 % too large


def fast_bonds(system: ClassicalSystem, lightest: float, step: float) -> list[str]:
    """Return a note on the fastest free bond, if it takes fewer than ten steps to vibrate once.

    Parameters
    ----------
    lightest : float
        The mass below which an atom is a light hydrogen; bonds with one are not looked at.
    step : float
        The time step.
    """
    pairs, _, stiffness = system.free_bonds()
    mass = system.mass[pairs]
    chosen = (mass.min(axis=1) >= lightest) & (stiffness > 0)
    pairs = pairs[chosen]
    period = 2 * math.pi / np.sqrt(stiffness[chosen] * (1 / mass[chosen]).sum(axis=1))
    fast = np.flatnonzero(period < _fewest_steps * step)
    if len(fast) == 0:
        return []
    least, first, second = min((float(period[at]), *sorted(pairs[at].tolist())) for at in fast)
    names = f"{system.names.describe(first)} and {system.names.describe(second)}"
    more = f", and {len(fast) - 1:,} more bonds are as fast or nearly so" if fast[1:].size else ""
    return [
        f"the bond between {names} vibrates once in {least * time_in_fs:.0f} fs, which is "
        f"{least / step:.1f} steps{more}: {_consequence(step / least)}; take a shorter timestep, "
        'or constraints = "all-bonds"'
    ]


def _consequence(share: float) -> str:
    """Return what a step of this share of the period does to a vibration.

    The leapfrog scheme keeps x = A cos(Ω t) with sin(Ω Δt / 2) = ω Δt / 2. Its area in phase space
    is that of an energy kT with frequency Ω, so k <x²> is kT ω / (Ω cos(Ω Δt / 2)).
    """
    half = math.pi * share
    if half >= 1:
        return "such a step is not stable"
    excess = half / (math.asin(half) * math.sqrt(1 - half * half)) - 1
    return f"its energy may come out {100 * excess:.0f} % too large"
