# SPDX-License-Identifier: BSD-3-Clause
"""The kinetic energy, sum_s f sum_G w |G|^2/2 |c|^2, and its derivatives."""

import numpy as np

from plain_kohn_sham.basis import Basis


def energy(basis: Basis, c: np.ndarray, f: float) -> float:
    """Return the energy of orbitals, shape (orbitals, n), of occupation f."""
    waves = basis.waves
    return f * float(np.sum(waves.weight * waves.length**2 / 2 * np.abs(c) ** 2))


def by_strain(basis: Basis, c: np.ndarray, f: float) -> np.ndarray:
    """Return dE/d(strain), hartree, shape (3, 3)."""
    waves = basis.waves
    each = waves.weight * np.sum(np.abs(c) ** 2, axis=0)
    return -f * np.einsum("g,ga,gb->ab", each, waves.g, waves.g)
