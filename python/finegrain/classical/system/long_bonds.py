# SPDX-License-Identifier: BSD-3-Clause
"""Bonds that are far longer than the force field has them, as across a gap in a chain.

Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.base import cells
from finegrain.classical.system.system import ClassicalSystem
from finegrain.units import bohr_in_angstrom, hartree_in_kj_per_mol, in_angstrom

# Bonds of structures from experiments are within a third of their lengths in force fields.
_most_ratio = 1.5
_most_excess = 0.5 / bohr_in_angstrom
# Springs of restraints and of Urey-Bradley terms are softer (20,000 kJ/mol/nm² at most), and may
# have any length. Covalent bonds have 100,000 and more.
_least_stiffness = 40_000 * (bohr_in_angstrom / 10) ** 2 / hartree_in_kj_per_mol
_most_listed = 3


def long_bonds(system: ClassicalSystem) -> list[str]:
    """Return a note on the free bonds that are far too long, the longest first."""
    pairs, length, stiffness = system.free_bonds()
    apart = system.position[pairs[:, 0]] - system.position[pairs[:, 1]]
    if system.box is not None:
        apart -= cells.nearest_shift(apart, system.box)
    distance = np.linalg.norm(apart, axis=1)
    long = (distance > _most_ratio * length) & (distance > length + _most_excess)
    long &= (stiffness >= _least_stiffness) & (length > 0)
    found: list[tuple[float, float, float, tuple[int, int]]] = []
    for at in np.flatnonzero(long):
        pair = (int(pairs[at, 0]), int(pairs[at, 1]))
        ratio = float(distance[at] / length[at])
        found.append((ratio, float(distance[at]), float(length[at]), pair))
    if not found:
        return []
    found.sort(key=lambda one: (-one[0], one[3]))
    words = [
        f"{system.names.describe(pair[0])} and {system.names.describe(pair[1])} are bonded and "
        f"{in_angstrom(distance)} apart, {ratio:.1f} times the {in_angstrom(length)} of the force "
        "field"
        for ratio, distance, length, pair in found[:_most_listed]
    ]
    more = len(found) - _most_listed
    listed = "; ".join(words) + (f"; and {more:,} more bonds are as long" if more > 0 else "")
    return [f"{listed}: are residues missing, or atoms in another order?"]
