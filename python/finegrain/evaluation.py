# SPDX-License-Identifier: BSD-3-Clause
"""The result of `energy`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Energies:
    """One evaluation of the energy and its derivatives.

    Attributes
    ----------
    energies : dict of str to float
        By term and "total", in `unit`.
    forces : ndarray, float64, shape (atoms, 3)
        kJ/mol/nm, atoms in the input's order.
    virial : ndarray, float64, shape (6,), or None
        kJ/mol: xx, yy, zz, xy, xz, yz of the sum of r f over the forces of the energy terms.
        Forces of constraints are not in it: they depend on velocities, which one evaluation has
        not. With constraints it is therefore not the virial of a pressure.
    """

    energies: dict[str, float]
    forces: NDArray[np.float64]
    virial: NDArray[np.float64] | None
    unit: str = "kJ/mol"

    @property
    def total(self) -> float:
        """Sum of all terms, kJ/mol."""
        return self.energies["total"]
