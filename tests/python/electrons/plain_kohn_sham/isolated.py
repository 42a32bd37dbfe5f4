# SPDX-License-Identifier: BSD-3-Clause
"""The Coulomb energy of a molecule without its periodic images.

The kernel K(G) is the transform of 1/r over the cell, r being the shortest of a vector and its
images. With a splitting a, the part erf(a r)/r is summed over the points of the grid, and
erfc(a r)/r, which does not reach the faces of the cell, has the transform
4 pi/G^2 (1 - exp(-G^2/(4 a^2))). Charges whose distances are below half of the cell then interact
by 1/r.

References
----------
G. J. Martyna and M. E. Tuckerman, J. Chem. Phys. 110, 2810 (1999).
"""

from itertools import product
from math import erf, pi, sqrt

import numpy as np

from plain_kohn_sham.basis import Basis


def kernel(basis: Basis, splitting: float | None = None) -> np.ndarray:
    """Return K(G) on the sphere of densities, bohr^2.

    Without `splitting` (1/bohr), both parts are cut off equally well.
    """
    vectors = basis.waves.vectors
    images = np.array(list(product((-2, -1, 0, 1, 2), repeat=3))) @ vectors
    squares = (images**2).sum(axis=1)
    shortest = sqrt(np.sort(squares)[1])
    a = splitting or sqrt(basis.density.length[-1] / shortest)

    places = [np.fft.fftfreq(n) for n in basis.grid]
    points = np.stack(np.meshgrid(*places, indexing="ij"), axis=-1).reshape(-1, 3) @ vectors
    r = np.full(len(points), np.inf)
    for image in images:
        np.minimum(r, np.linalg.norm(points - image, axis=1), out=r)
    far = np.array([erf(a * x) / x if x > 0 else 2 * a / sqrt(pi) for x in r])
    long = basis.volume * basis.density_of_grid(far.reshape(basis.grid)).real

    g2 = basis.density.length**2
    near = np.full(len(g2), pi / a**2)
    near[1:] = 4 * pi / g2[1:] * (1 - np.exp(-g2[1:] / (4 * a**2)))
    return long + near


def correction(basis: Basis, splitting: float | None = None) -> np.ndarray:
    """Return K(G) without 4 pi/G^2, and K(0)."""
    result = kernel(basis, splitting)
    result[1:] -= 4 * pi / basis.density.length[1:] ** 2
    return result


def ions(
    vectors: np.ndarray, positions: np.ndarray, charges: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return energy (hartree) and forces, shape (atoms, 3), of point charges at least distances."""
    images = np.array(list(product((-2, -1, 0, 1, 2), repeat=3))) @ vectors
    energy, force = 0.0, np.zeros_like(positions)
    for i in range(len(charges)):
        for j in range(i):
            apart = positions[i] - positions[j] + images
            apart = apart[np.argmin((apart**2).sum(axis=1))]
            r = float(np.linalg.norm(apart))
            one = charges[i] * charges[j] / r
            energy += one
            force[i] += one * apart / r**2
            force[j] -= one * apart / r**2
    return energy, force
