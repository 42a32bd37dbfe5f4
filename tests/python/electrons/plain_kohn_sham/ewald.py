# SPDX-License-Identifier: BSD-3-Clause
"""The energy of point charges in a neutralising background, with forces and strain derivative.

E = 1/2 sum' Z_I Z_J erfc(k r)/r
    + 2 pi/V sum_(G != 0) exp(-G^2/(4 k^2))/G^2 |sum_I Z_I exp(i G R_I)|^2
    - k/sqrt(pi) sum Z^2 - pi (sum Z)^2/(2 V k^2); both sums are complete to 1e-16.
"""

from math import ceil, erfc, pi, sqrt

import numpy as np

from plain_kohn_sham.basis import half_sphere

_reach = 6.2  # erfc(6.2) is 2e-18


def ewald(
    vectors: np.ndarray, positions: np.ndarray, charges: np.ndarray, splitting: float = 1.0
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the energy (hartree), forces, shape (atoms, 3), and dE/d(strain), shape (3, 3).

    A larger `splitting` moves work to reciprocal space; the result does not depend on it.
    """
    volume = abs(np.linalg.det(vectors))
    k = splitting * sqrt(pi) / volume ** (1 / 3)
    energy, force, strain = _real_space(vectors, positions, charges, k)

    index = half_sphere(vectors, (2 * k * _reach) ** 2)[1:]
    g = index @ (2 * pi * np.linalg.inv(vectors)).T
    squares = (g**2).sum(axis=1)
    waves = np.exp(1j * positions @ g.T)
    structure = charges @ waves
    each = 2 * 2 * pi / volume * np.exp(-squares / (4 * k**2)) / squares  # both halves
    power = each * np.abs(structure) ** 2
    energy += power.sum()
    strain += np.einsum("g,ga,gb->ab", 2 * power * (1 / squares + 1 / (4 * k**2)), g, g)
    strain -= np.eye(3) * power.sum()
    # |S|^2 changes by 2 Re(conj(S) i G Z exp(iGR)).
    inner = (each * structure.conj() * waves * 1j).real
    force -= 2 * charges[:, None] * (inner @ g)

    background = -pi * charges.sum() ** 2 / (2 * volume * k**2)
    energy += background - k / sqrt(pi) * (charges**2).sum()
    strain -= np.eye(3) * background
    return float(energy), force, strain


def _real_space(
    vectors: np.ndarray, positions: np.ndarray, charges: np.ndarray, k: float
) -> tuple[float, np.ndarray, np.ndarray]:
    energy, force, strain = 0.0, np.zeros_like(positions), np.zeros((3, 3))
    heights = 1 / np.linalg.norm(np.linalg.inv(vectors), axis=0)
    spread = np.abs((positions[:, None] - positions[None]) @ np.linalg.inv(vectors)).max(
        axis=(0, 1)
    )
    most = [ceil(_reach / k / h + s) for h, s in zip(heights, spread, strict=True)]
    cells = np.stack(
        np.meshgrid(*[np.arange(-m, m + 1) for m in most], indexing="ij"), axis=-1
    ).reshape(-1, 3)
    shifts = cells @ vectors
    for i in range(len(charges)):
        for j in range(len(charges)):
            apart = positions[i] - positions[j] + shifts
            r = np.linalg.norm(apart, axis=1)
            near = (r < _reach / k) & (r > 1e-8)
            apart, r = apart[near], r[near]
            product = charges[i] * charges[j]
            screened = np.array([erfc(k * x) for x in r])
            energy += product * np.sum(screened / r) / 2
            slope = -screened / r**2 - 2 * k / sqrt(pi) * np.exp(-((k * r) ** 2)) / r
            force[i] -= product * (slope / r) @ apart
            strain += product * np.einsum("p,pa,pb->ab", slope / r, apart, apart) / 2
    return energy, force, strain
