# SPDX-License-Identifier: BSD-3-Clause
"""Atoms in a periodic cell, in Hartree atomic units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from finegrain.base.cells import Floats


@dataclass(frozen=True, eq=False)
class Structure:
    """Atoms in a periodic cell.

    Attributes
    ----------
    vectors : float64, shape (3, 3)
        The vectors of the cell in rows, right-handed, bohr.
    position : float64, shape (atoms, 3)
        Bohr.
    symbols : tuple of str
        The element of each atom.
    mass : float64, shape (atoms,)
        Electron masses.
    moments : float64, shape (atoms,)
        Magnetic moments to begin with, Bohr magnetons; 0 if the structure has none.
    velocity : float64, shape (atoms, 3), or None
        The velocities in the file, bohr per au time; None if it has none.
    """

    vectors: Floats
    position: Floats
    symbols: tuple[str, ...]
    mass: Floats
    moments: Floats
    velocity: Floats | None = None

    @property
    def volume(self) -> float:
        """The volume of the cell, bohr^3."""
        return float(abs(np.linalg.det(self.vectors)))

    @property
    def elements(self) -> tuple[str, ...]:
        """Each element once, in the order of the atoms."""
        return tuple(dict.fromkeys(self.symbols))
