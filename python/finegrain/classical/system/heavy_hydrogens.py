# SPDX-License-Identifier: BSD-3-Clause
"""Hydrogens made heavier with mass from their neighbours, for longer time steps (HMR).

Averages that do not depend on time stay the same, because they do not depend on masses.
Units: electron masses.

References
----------
Feenstra, Hess, Berendsen, J. Comput. Chem. 20, 786 (1999),
doi:10.1002/(SICI)1096-987X(199906)20:8<786::AID-JCC5>3.0.CO;2-B.
"""

from __future__ import annotations

import numpy as np

from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem
from finegrain.units import electron_mass_in_dalton

_any_hydrogen = 4.5  # Da, for atoms whose element is not known


def make_hydrogens_heavy(system: ClassicalSystem, mass: float) -> list[Problem]:
    """Give each hydrogen a mass, taken from the heavy atom that it is bonded to.

    Hydrogens that are constrained to each other, as in rigid waters, keep theirs: such a molecule
    has no fast motion.

    Returns
    -------
    list of Problem
        At most one: an atom would be left lighter than its hydrogens.
    """
    light = system.mass < _any_hydrogen / electron_mass_in_dalton
    names = np.array([element.upper() for element in system.names.element])
    hydrogen = np.where(names == "", light, names == "H") & (system.mass > 0)
    bonded, lengths = system.bonds()
    pairs = np.concatenate([system.constraint_atoms, bonded])
    length = np.concatenate([system.constraint_distance, lengths])
    both = hydrogen[system.constraint_atoms].all(axis=1)
    rigid = np.zeros(system.atoms, dtype=bool)
    rigid[system.constraint_atoms[both].ravel()] = True
    # Among the bonds are Urey-Bradley terms of angles; a hydrogen is bonded to the nearest atom.
    pairs = np.concatenate([pairs, pairs[:, ::-1]])[np.argsort(np.tile(length, 2), kind="stable")]
    pairs = pairs[hydrogen[pairs[:, 0]] & ~hydrogen[pairs[:, 1]] & ~rigid[pairs[:, 0]]]
    atoms, first = np.unique(pairs[:, 0], return_index=True)  # each hydrogen once
    heavy = pairs[first, 1]
    masses = system.mass.copy()
    np.add.at(masses, heavy, system.mass[atoms] - mass)
    masses[atoms] = mass
    if len(wrong := heavy[masses[heavy] < mass]):
        atom = int(wrong[0])
        left = masses[atom] * electron_mass_in_dalton
        what = f"leaves {system.names.describe(atom)} lighter than its hydrogens, {left:.2f} Da"
        return [Problem(what, hint='3 Da are usual, such as hydrogen_mass = "3 Da"')]
    system.mass = masses
    return []
