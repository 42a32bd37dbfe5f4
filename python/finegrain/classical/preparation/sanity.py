# SPDX-License-Identifier: BSD-3-Clause
"""Whether files and input agree: numbers of atoms, constraints, a mesh."""

from __future__ import annotations

import numpy as np

from finegrain.classical.input.impulses import level_problems
from finegrain.classical.input.load import Input
from finegrain.classical.input.settings import Settings
from finegrain.classical.input.source import Source, wrong_count
from finegrain.classical.system.chemical_bonds import chemical_bonds
from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem
from finegrain.units import electron_mass_in_dalton


def count_problems(given: Input, source: Source) -> list[Problem]:
    """Compare the number of atoms of topology and coordinates."""
    named, placed = len(source.names.atom), len(source.position)
    if named == placed:
        return []
    return [wrong_count(given, named, placed)]


def constraint_problems(given: Input, source: Source, system: ClassicalSystem) -> list[Problem]:
    """Compare the constraints that the input asks for with those of a System."""
    asked = given.model.forces.constraints
    if not source.own_settings or asked in (None, "all-bonds") or len(system.mass) == 0:
        return []
    light = system.mass * electron_mass_in_dalton < 4.5  # hydrogens, also with shifted mass
    tied = {tuple(sorted(pair)) for pair in system.constraint_atoms.tolist()}
    key = "forces.constraints"
    if asked == "h-bonds":
        for pair in chemical_bonds(system).tolist():
            if light[pair].any() and tuple(sorted(pair)) not in tied:
                what = "the System leaves X-H bonds free"
                hint = "take it out, and the System's own constraints are used"
                limit = f"first {system.names.describe(pair[0])}"
                return [given.source.problem(key, what, limit=limit, hint=hint)]
    if asked == "none" and any(
        not light[list(pair)].all() and not _in_water(system, pair) for pair in tied
    ):
        what = "the System brings constraints of its own"
        hint = "take it out, or make the System without constraints"
        return [given.source.problem(key, what, hint=hint)]
    return []


def _in_water(system: ClassicalSystem, pair: tuple[int, ...]) -> bool:
    residue = system.names.residue[pair[0]]
    atoms = (system.names.residue == residue) & ~system.sites.mask(system.atoms)
    return int(np.count_nonzero(atoms)) == 3


def mesh_problems(given: Input, settings: Settings) -> list[Problem]:
    """Find an interval of the mesh that it cannot have."""
    return level_problems(given.source, given.model.dynamics, settings.electrostatics)
