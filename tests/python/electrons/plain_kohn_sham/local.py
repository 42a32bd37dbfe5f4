# SPDX-License-Identifier: BSD-3-Clause
"""Functions of the atoms' places on the sphere of densities: local potential and model core.

Field f(G) = V^(-1) sum_I exp(-i G R_I) f_I(|G|), with f_I the transform of one atom's function.
"""

import numpy as np

from finegrain.pseudopotentials.transforms import Transform
from plain_kohn_sham.basis import Basis


def field(basis: Basis, positions: np.ndarray, atoms: list[Transform | None]) -> np.ndarray:
    """Return the coefficients of the sum of all atoms' functions; None stands for nothing."""
    total = np.zeros(len(basis.density.index), complex)
    for phase, atom in zip(basis.density.phases(positions), atoms, strict=True):
        if atom is not None:
            total += phase * atom.values
    return total / basis.volume


def forces(
    basis: Basis, positions: np.ndarray, atoms: list[Transform | None], rho: np.ndarray
) -> np.ndarray:
    """Return minus the derivative of the integral of field times rho by each position."""
    sphere = basis.density
    result = np.zeros((len(atoms), 3))
    for i, atom in enumerate(atoms):
        if atom is not None:
            phase = sphere.phases(positions[i])[0]
            each = sphere.weight * (1j * phase * atom.values * rho.conj()).real
            result[i] = each @ sphere.g
    return result


def by_strain(
    basis: Basis, positions: np.ndarray, atoms: list[Transform | None], rho: np.ndarray
) -> np.ndarray:
    """Return the derivative by strain of the integral of field times rho, at constant rho(G).

    The volume of the integral and 1/V of the field cancel.
    """
    sphere = basis.density
    length = np.maximum(sphere.length, 1e-300)  # the derivatives vanish at G = 0
    result = np.zeros((3, 3))
    for i, atom in enumerate(atoms):
        if atom is not None:
            phase = sphere.phases(positions[i])[0]
            each = sphere.weight * (phase * atom.slopes * rho.conj()).real / length
            result -= np.einsum("g,ga,gb->ab", each, sphere.g, sphere.g)
    return result
