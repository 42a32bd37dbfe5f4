# SPDX-License-Identifier: BSD-3-Clause
"""Which atoms are molecules, and their dipole moments from centres of electrons. Units: bohr."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.input.words import formula
from finegrain.base.cells import Floats
from finegrain.units import bohr_in_angstrom

if TYPE_CHECKING:
    from ase import Atoms

# Å beyond the sum of the covalent radii: the rule of the Cambridge Structural Database. It takes in
# H2 (0.74 Å) while it vibrates, and the proton between two waters, but no hydrogen bond.
_bond_tolerance = 0.4
# Å beyond it for two metals in a crystal, whose many bonds are long. Nearest neighbours of lead are
# 0.58 Å beyond the sum, those of aluminium 0.44. The rest is for heat and stretched crystals.
_metal_tolerance = 0.9
_no_metals = {
    *("H", "He", "B", "C", "N", "O", "F", "Ne", "Si", "P", "S", "Cl", "Ar", "Ge", "As", "Se"),
    *("Br", "Kr", "Te", "I", "Xe", "At", "Rn"),
}
_same_position = 0.1  # Å


@dataclass(frozen=True, eq=False)
class Molecule:
    """Atoms that are bonded, and the electrons at them.

    Attributes
    ----------
    atoms : tuple of int
        Counted from 0.
    formula : str
    charge : float
        The charge of the ions less that of the electrons, e.
    dipole : float64, shape (3,), or None
        From negative to positive charge, e bohr; with a charge, about the centre of the ions'
        charges. None if the bonds lead to an image of the same atom, as in a crystal.
    """

    atoms: tuple[int, ...]
    formula: str
    charge: float
    dipole: Floats | None


def is_bonded_to_images(atoms: Atoms) -> bool:
    """Return whether bonds lead from an atom to an image of itself, as in a crystal."""
    metal = np.array([is_metal(symbol) for symbol in atoms.symbols])
    return bool(_bonded(atoms, np.where(metal, _metal_tolerance, _bond_tolerance))[2])


def is_metal(symbol: str) -> bool:
    """Return whether an element is one; silicon and germanium are none."""
    return symbol not in _no_metals


def _bonded(
    atoms: Atoms, tolerance: float | Floats = _bond_tolerance
) -> tuple[NDArray[np.intp], Floats, set[int]]:
    """Return what `_connected` finds of the bonds between atoms.

    Two atoms are bonded up to the lesser of their tolerances beyond the sum of their radii.
    """
    from ase.neighborlist import natural_cutoffs, neighbor_list

    radius, each = np.array(natural_cutoffs(atoms)), np.broadcast_to(tolerance, len(atoms))
    one, two, apart, ways = neighbor_list("ijdD", atoms, radius + each / 2)
    bonded = apart <= radius[one] + radius[two] + np.minimum(each[one], each[two])
    return _connected(len(atoms), one[bonded], two[bonded], ways[bonded])


def find_molecules(
    atoms: Atoms, ion_charges: Floats, centres: Floats, charges: Floats
) -> list[Molecule]:
    """Return the molecules, in the order of their first atoms.

    Parameters
    ----------
    atoms : ase.Atoms
    ion_charges : float64, shape (atoms,)
        Valence electrons of each atom.
    centres : float64, shape (orbitals, 3)
        The centres of the electrons, bohr; each belongs to the nearest atom.
    charges : float64, shape (orbitals,)
        Electrons of each.
    """
    from ase.geometry import find_mic

    cell, pbc = atoms.cell, atoms.pbc
    label, position, endless = _bonded(atoms)
    position /= bohr_in_angstrom
    apart = centres[:, None, :] * bohr_in_angstrom - atoms.get_positions()[None]
    ways, lengths = find_mic(apart.reshape(-1, 3), cell, pbc)
    nearest = lengths.reshape(len(centres), -1).argmin(axis=1)
    every = np.arange(len(centres))
    from_atom = ways.reshape(len(centres), -1, 3)[every, nearest] / bohr_in_angstrom
    found = []
    for number in range(label.max() + 1):
        members = np.flatnonzero(label == number)
        own = np.flatnonzero(label[nearest] == number)
        middle = ion_charges[members] @ position[members] / ion_charges[members].sum()
        electrons = position[nearest[own]] + from_atom[own] - middle
        symbols = [atoms.symbols[atom] for atom in members]
        found.append(
            Molecule(
                atoms=tuple(int(atom) for atom in members),
                formula=formula(symbols),
                charge=float(ion_charges[members].sum() - charges[own].sum()),
                dipole=None if number in endless else np.asarray(-(charges[own] @ electrons)),
            )
        )
    return found


def _connected(
    count: int, one: NDArray[np.intp], two: NDArray[np.intp], ways: Floats
) -> tuple[NDArray[np.intp], Floats, set[int]]:
    """Return the number of each atom's molecule, and positions at which molecules are whole, Å.

    A position is relative to the first atom of the molecule. The last is the set of molecules that
    are bonded to their own images, which have no such positions.
    """
    endless: set[int] = set()
    label = np.full(count, -1, np.intp)
    position = np.zeros((count, 3))
    starts = np.searchsorted(one, np.arange(count + 1))
    number = 0
    for first in range(count):
        if label[first] >= 0:
            continue
        label[first] = number
        waiting = [first]
        while waiting:
            atom = waiting.pop()
            for bond in range(starts[atom], starts[atom + 1]):
                other, there = int(two[bond]), position[atom] + ways[bond]
                if label[other] < 0:
                    label[other] = number
                    position[other] = there
                    waiting.append(other)
                elif np.abs(position[other] - there).max() > _same_position:
                    endless.add(number)
        number += 1
    return label, position, endless
