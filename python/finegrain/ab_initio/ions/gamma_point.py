# SPDX-License-Identifier: BSD-3-Clause
"""Crystals whose cell is too small for the Gamma point alone, which is all that the engine has.

Where atoms are bonded to their own images, the energies of orbitals depend on k. Then one point
stands for all only in a large cell. In molecules and molecular crystals they hardly depend on it.
"""

from __future__ import annotations

import numpy as np

from finegrain.ab_initio.ions.structure import Structure
from finegrain.units import bohr_in_angstrom

_large = 8.0  # Å between opposite faces; a cubic cell of 64 silicon atoms has 10.9
_vacuum = 4.0  # Å without atoms, across which there are no bonds
_vacuum_of_metals = 6.2  # Å; the bonds of caesium are 5.2 Å


def note_of_gamma_point(structure: Structure) -> str:
    """Return a note if atoms are bonded to images that are near, else nothing."""
    inverse = np.linalg.inv(structure.vectors)
    heights = bohr_in_angstrom / np.linalg.norm(inverse, axis=0)
    inside = np.sort((structure.position @ inverse) % 1.0, axis=0)
    gaps = np.diff(np.vstack([inside, inside[:1] + 1]), axis=0).max(axis=0) * heights
    from finegrain.ab_initio.ions.molecules import is_bonded_to_images, is_metal

    metal = all(is_metal(symbol) for symbol in structure.elements)
    short = ((heights < _large) | metal) & (gaps < (_vacuum_of_metals if metal else _vacuum))
    if not short.any():
        return ""
    # This import takes as long as the rest of a check.
    from ase import Atoms

    atoms = Atoms(
        structure.symbols,
        structure.position * bohr_in_angstrom,
        cell=structure.vectors * bohr_in_angstrom,
        pbc=True,
    )
    if not is_bonded_to_images(atoms):
        return ""
    if metal:
        return (
            f"this is a metal in a cell of {heights[short].min():.1f} Å, and its ground state is "
            "no converged result: orbitals are full or empty, at the Gamma point alone, where a "
            "metal has electrons of many k in levels without a gap; this version has neither k "
            "points nor fractional occupations"
        )
    return (
        f"atoms are bonded to their images in a cell of only {heights[short].min():.1f} Å: the "
        "orbitals are those of the Gamma point alone, with which energies, forces and pressures of "
        "so small a cell are far from those of the crystal; repeat the cell until they no longer "
        "change (ASE: atoms.repeat(2))"
    )
