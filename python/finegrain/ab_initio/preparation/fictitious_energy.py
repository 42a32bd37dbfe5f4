# SPDX-License-Identifier: BSD-3-Clause
"""The fictitious kinetic energy that a bath of the orbitals holds, beside the one that is usual.

Orbitals that follow their ion rigidly change by -v . grad psi. An orbital with the kinetic energy t
and a fictitious mass m then has a fictitious kinetic energy of m <v^2> 2 t / 3. Since <v^2> = 3 k_B
T / M of the ions, it is 2 m t k_B T / M (Blöchl and Parrinello, Phys. Rev. B 45, 9413 (1992)). The
energy of a run is estimated with t of `_orbital` and the lightest ion. Runs of water and of silicon
without a bath have this energy within a third (bench/results/ab_initio_drift.json).
Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain import units
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.spin import Spins
from finegrain.ab_initio.ions.structure import Structure
from finegrain.base.cells import Floats

_orbital = 0.6  # kinetic energy of a valence orbital that counts, hartree
_noted = 5  # times the usual energy
# For each ion [hartree]. Orbitals that swing have as much energy above their ground state as they
# have kinetic energy. At this distance the engine ends a run (`dynamics_limits.hpp` in
# engine/ab_initio/results).
_most = 0.05


def usual_fictitious_energy(
    bands: int, fictitious_mass: float, temperature: float, lightest: float
) -> float:
    """Return an estimate of the fictitious kinetic energy of orbitals that follow their ions.

    Parameters
    ----------
    bands : int
        Orbitals of all spins.
    fictitious_mass, lightest : float
        The masses of orbitals and of the lightest ion, electron masses.
    temperature : float
        k_B T of the ions, hartree.
    """
    return 2 * _orbital * bands * fictitious_mass * temperature / lightest


def check_fictitious_energy(
    given: AbInitioInput, structure: Structure, spins: Spins, velocity: Floats
) -> None:
    """Complain about an energy of the orbitals' bath at which a run is of no use."""
    dynamics = given.model.dynamics
    wanted = dynamics.electron_kinetic_energy
    if dynamics.kind != "car-parrinello" or wanted is None:
        return
    if dynamics.electron_thermostat == "none":
        return  # reported with the keys
    ions, mass = len(structure.mass), structure.mass
    warm = float((mass[:, None] * velocity**2).sum()) / (3 * ions)
    if dynamics.temperature is not None and dynamics.ions == "move":
        warm = dynamics.temperature.value
    usual = usual_fictitious_energy(
        spins.bands, dynamics.fictitious_mass, warm, float(np.min(mass))
    )
    key = "dynamics.electron_kinetic_energy"
    words = (
        f"about {usual:.2g} hartree is usual for {spins.bands:,} orbitals with a fictitious mass "
        f"of {dynamics.fictitious_mass:g} and ions at {warm * units.hartree_in_kelvin:.0f} K"
    )
    remedy = "run some hundred steps without this bath, and take their mean"
    if wanted.value > _most * ions:
        limit = f"at most {_most * ions:g} hartree, {_most:g} for each ion"
        limit += f"; {words}" if usual > 0 else ""
        what = "is more than orbitals have near their ground state"
        given.problems.append(given.source.problem(key, what, limit=limit, hint=remedy))
    elif usual > 0 and wanted.value > _noted * usual:
        given.notes.append(
            f"electron_kinetic_energy = {wanted} is large: {words}; orbitals this hot leave their "
            f"ground state, and forces on ions are wrong: {remedy}"
        )
