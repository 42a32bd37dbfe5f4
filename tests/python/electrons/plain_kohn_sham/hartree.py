# SPDX-License-Identifier: BSD-3-Clause
"""The Hartree energy V/2 sum_(G != 0) 4 pi |rho(G)|^2 / |G|^2, and its derivatives."""

import numpy as np

from plain_kohn_sham.basis import Basis


def potential(basis: Basis, rho: np.ndarray, screening: np.ndarray | float = 0.0) -> np.ndarray:
    """Return 4 pi rho(G)/|G|^2, zero at G = 0, and the screening of a molecule times rho(G)."""
    squares = basis.density.length**2
    squares[0] = 1.0
    result = 4 * np.pi * rho / squares
    result[0] = 0
    return result + screening * rho


def energy(basis: Basis, rho: np.ndarray, screening: np.ndarray | float = 0.0) -> float:
    """Return the energy of a density given by its coefficients."""
    return basis.integral(rho, potential(basis, rho, screening)) / 2


def by_strain(basis: Basis, rho: np.ndarray) -> np.ndarray:
    """Return dE/d(strain) at constant V rho(G)."""
    sphere = basis.density
    squares = sphere.length**2
    squares[0] = 1.0
    each = sphere.weight * (rho.conj() * potential(basis, rho)).real / squares
    result = basis.volume * np.einsum("g,ga,gb->ab", each, sphere.g, sphere.g)
    return result - np.eye(3) * energy(basis, rho)
