# SPDX-License-Identifier: BSD-3-Clause
"""Velocities of ions at the start of a dynamics: drawn, of the structure's file, or zero.

Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.constraints import Constraints
from finegrain.ab_initio.ions.structure import Structure
from finegrain.base.cells import Floats
from finegrain.errors import Problem

fastest = 1.0  # bohr/au, 2188 nm/ps; also the limit of the engine


def maxwell_velocities(
    mass: Floats,
    temperature: float,
    seed: int,
    constraints: Constraints | None = None,
    position: Floats | None = None,
) -> Floats:
    """Draw velocities of exactly this temperature, without motion of the centre of mass.

    Numbers of the generator Philox4x64-10 (Salmon et al., SC11 (2011)) become normal ones by the
    formula of Box and Muller (Ann. Math. Stat. 29, 610 (1958)). Without the motion of the centre of
    mass, N atoms have 3 N - 3 degrees of freedom, and one less for each constraint. At last all
    velocities are scaled to the temperature.

    Parameters
    ----------
    mass : float64, shape (atoms,)
        Electron masses; two atoms at least.
    temperature : float
        k_B T, hartree.
    seed : int
    constraints : Constraints, optional
        What would change one of them at these positions is taken out.
    position : float64, shape (atoms, 3), optional
        Bohr; needed for them.

    Returns
    -------
    float64, shape (atoms, 3)
        bohr per au time.
    """
    atoms = len(mass)
    words = np.random.Philox(key=seed).random_raw(6 * atoms).reshape(2, atoms, 3)
    first, second = ((words >> np.uint64(11)) + 0.5) * 2.0**-53  # between 0 and 1
    normal = np.sqrt(-2 * np.log(first)) * np.cos(2 * np.pi * second)
    velocity = normal / np.sqrt(mass)[:, None]
    velocity -= (mass @ velocity) / mass.sum()
    freedom = 3 * atoms - 3
    if constraints is not None and position is not None:
        velocity = constraints.project(velocity, position, mass)
        freedom -= len(constraints.atoms)
    twice_kinetic = float((mass[:, None] * velocity**2).sum())
    return np.asarray(velocity * np.sqrt(freedom * temperature / twice_kinetic))


def initial_velocities(
    given: AbInitioInput, structure: Structure, constraints: Constraints | None = None
) -> Floats:
    """Return velocities of the ions, shape (atoms, 3); what is wrong goes to `given`."""
    dynamics = given.model.dynamics
    rest = np.zeros_like(structure.position)
    if dynamics.kind == "ground-state" or dynamics.ions == "rest":
        return rest
    warm = dynamics.temperature
    choice = dynamics.velocities or ("from-file" if warm is None else "from-temperature")
    if choice == "zero":
        return rest
    problem: Problem | None = None
    key, source = "dynamics.velocities", given.source
    if choice == "from-temperature":
        if warm is None:
            return rest  # reported with the keys
        if len(structure.mass) > 1:
            return maxwell_velocities(
                structure.mass, warm.value, dynamics.seed, constraints, structure.position
            )
        what = "cannot be those of a temperature: one atom has no motion but that of its centre"
        problem = source.problem(key, what, hint='velocities = "zero"')
    elif structure.velocity is None:
        if source.written("dynamics.temperature"):
            return rest  # it is wrong, and reported already
        what = "has no velocities, and there is no temperature"
        hint = 'add temperature = "300 K" to [dynamics], or velocities = "zero"'
        if dynamics.velocities == "from-file":
            what, hint = "has no velocities", 'use velocities = "from-temperature"'
        problem = source.problem("system.structure", what, hint=hint)
    else:
        lost = np.flatnonzero(~(np.abs(structure.velocity) <= fastest).all(axis=1))
        if len(lost) == 0:
            return structure.velocity
        what = f"atom {lost[0] + 1} has no velocity, or one beyond all bounds"
        hint = 'make the file again, or use velocities = "from-temperature"'
        problem = source.problem("system.structure", what, limit="below 2000 nm/ps", hint=hint)
    given.problems.append(problem)
    return rest
