# SPDX-License-Identifier: BSD-3-Clause
"""The result of `energy`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
        In `forces_unit`, atoms in the input's order.
    virial : ndarray, float64, shape (6,), or None
        In `unit`: xx, yy, zz, xy, xz, yz of the sum of r f over the forces of the energy terms. For
        a cell with plane waves it is minus the derivative of the energy by strain.
        The forces of constraints are not in it: they depend on velocities, and one evaluation has
        none. With constraints it is therefore not the virial of a pressure.
    unit, forces_unit : str
        "kJ/mol" and "kJ/mol/nm" for classical runs, "hartree" and "hartree/bohr" for ab initio
        ones.
    stress : ndarray, float64, shape (3, 3), or None
        The derivative of the energy by strain over the volume, hartree/bohr^3; negative if the cell
        wants to grow. Only ab initio runs have it.
    dipole : ndarray, float64, shape (3,), or None
        The dipole moment from negative to positive charge, e bohr. Only ab initio runs with vacuum
        round the ions have it.
    net_force : ndarray, float64, shape (3,), or None
        The sum of the forces, which the grid leaves, hartree/bohr; only ab initio runs have it.
    removes_net_force : bool
        Whether it is no longer in the forces, as `net_force = "remove"` asks.
    """

    energies: dict[str, float]
    forces: NDArray[np.float64]
    virial: NDArray[np.float64] | None
    unit: str = "kJ/mol"
    forces_unit: str = "kJ/mol/nm"
    stress: NDArray[np.float64] | None = None
    dipole: NDArray[np.float64] | None = None
    net_force: NDArray[np.float64] | None = None
    removes_net_force: bool = False

    @property
    def total(self) -> float:
        """Sum of all terms, in `unit`."""
        return self.energies["total"]


def terms_of(answer: Mapping[str, Any]) -> dict[str, float]:
    """Return the terms of an engine's answer, with their total."""
    terms = {str(name): float(value) for name, value in answer["energies"].items()}
    if "total" not in terms:
        terms["total"] = math.fsum(terms.values())
    return terms
