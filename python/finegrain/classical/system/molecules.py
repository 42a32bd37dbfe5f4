# SPDX-License-Identifier: BSD-3-Clause
"""Which atoms are of waters, and which stand alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.base.connected import connected
from finegrain.classical.system.system import ClassicalSystem
from finegrain.units import electron_mass_in_dalton

heaviest_hydrogen = 4.5  # Da; hydrogens may have taken mass from their neighbours


@dataclass
class Molecules:
    """The molecule of each atom, by its lowest atom.

    Attributes
    ----------
    of_atom : int32, shape (atoms,)
    water, alone : bool, shape (atoms,), by the lowest atom of the molecule
        Whether it is a water, rigid or not, and whether it is a single atom.
    """

    of_atom: NDArray[np.int32]
    water: NDArray[np.bool_]
    alone: NDArray[np.bool_]


def find_molecules(system: ClassicalSystem) -> Molecules:
    """Find molecules along bonds and constraints; a water has one heavy atom and two hydrogens."""
    pairs = np.concatenate([system.bonds()[0], system.constraint_atoms])
    label = connected(system.atoms, pairs)
    is_atom = ~system.sites.mask(system.atoms)
    size = np.bincount(label, weights=is_atom, minlength=system.atoms)
    hydrogen = is_atom & (system.mass * electron_mass_in_dalton < heaviest_hydrogen)
    light = np.bincount(label, weights=hydrogen, minlength=system.atoms)
    return Molecules(label, (size == 3) & (light == 2), size == 1)


def waters_of(system: ClassicalSystem) -> int:
    """Count the molecules of three atoms, one heavy and two hydrogens, rigid or not."""
    return int(np.count_nonzero(find_molecules(system).water))
