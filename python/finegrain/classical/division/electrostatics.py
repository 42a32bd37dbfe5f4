# SPDX-License-Identifier: BSD-3-Clause
"""Ewald coefficient, mesh sizes and the dispersion correction, chosen as in OpenMM."""

from __future__ import annotations

import math

import numpy as np

from finegrain.base import cells
from finegrain.classical.system.mixing import Floats, LennardJones

largest_mesh = 8192  # points an axis, the engine's limit
largest_product = 6.0  # of coefficient and cutoff; beyond it the kernels' fit of erfc fails
largest_rest = 1e-2  # the largest share of a charge's field that the cutoff may cut off


def ewald_coefficient(tolerance: float, cutoff: float) -> float:
    """Return alpha = sqrt(-ln(2 tolerance)) / cutoff, in the inverse of the cutoff's unit.

    References
    ----------
    OpenMM User Guide, Theory, "Coulomb Interaction With Particle Mesh Ewald".
    """
    return math.sqrt(-math.log(2 * tolerance)) / cutoff


def tolerance_of(product: float) -> float:
    """Return the tolerance that gives this product of coefficient and cutoff."""
    return 0.5 * math.exp(-(product**2))


def least_product() -> float:
    """Return the product of coefficient and cutoff at which erfc falls to `largest_rest`."""
    low, high = 0.0, largest_product
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle) > largest_rest else (low, middle)
    return high


def direct_force_error(charge: Floats, alpha: float, cutoff: float, volume: float) -> float:
    """Return the root mean square force error from the cutoff of the direct sum.

    References
    ----------
    Kolafa and Perram, Mol. Simul. 9, 351 (1992), doi:10.1080/08927029208049126, for charges at
    random positions.
    """
    squares = float(np.sum(charge**2))
    if len(charge) == 0:
        return 0.0
    decay = math.exp(-((alpha * cutoff) ** 2))
    return 2 * squares * decay / math.sqrt(len(charge) * cutoff * volume)


def mesh_for_tolerance(tolerance: float, alpha: float, box: Floats) -> tuple[int, int, int]:
    """Return OpenMM's mesh, 2 alpha L / (3 tolerance^(1/5)) points per axis for order 5.

    References
    ----------
    OpenMM User Guide, Theory, "Coulomb Interaction With Particle Mesh Ewald".
    """
    edges = np.diagonal(cells.vectors_of(box))  # as in OpenMM, in a tilted cell too
    points = 2 * alpha * edges / (3 * tolerance**0.2)
    return _sizes(np.maximum(points, 6))


def mesh_for_spacing(spacing: float, box: Floats) -> tuple[int, int, int]:
    """Return the smallest mesh whose points are at most `spacing` apart (unit of `box`)."""
    return _sizes(cells.lengths(box) / spacing)


def smooth_size(at_least: int) -> int:
    """Return the next even number with no prime factor above 7: fast to transform."""
    size = max(at_least + at_least % 2, 2)
    while not is_smooth(size):
        size += 2
    return size


def is_smooth(size: int) -> bool:
    """Return whether `size` has no prime factor above 7."""
    for prime in (2, 3, 5, 7):
        while size % prime == 0:
            size //= prime
    return size == 1


def _sizes(points: Floats) -> tuple[int, int, int]:
    # A mesh that is far too fine is returned without a search for a good size.
    points = np.minimum(points, 2 * largest_mesh)
    x, y, z = (smooth_size(math.ceil(count - 1e-9)) for count in points)
    return x, y, z


def dispersion_coefficients(
    lennard_jones: LennardJones, cutoff: float, switch_distance: float, copies: int = 1
) -> tuple[float, float]:
    """Return what the dispersion beyond the cutoff adds to energy and virial, times the volume.

    The average is over all pairs of atoms, including each atom with itself, as in OpenMM. It takes
    g(r) = 1 beyond the distance where switching starts. The virial is the integral of the missing
    forces. With a switch it is the derivative of the energy by the volume. Without a switch the
    energy of a pair jumps at the cutoff, where no force is felt. So more is missing in the virial.

    Parameters
    ----------
    lennard_jones : LennardJones
        The parameters of all atoms.
    cutoff, switch_distance : float
        In bohr; zero for no switch.
    copies : int
        How often these atoms are there.

    Returns
    -------
    energy, virial : float
        In hartree bohr^3; the virial is that of each axis, -1/3 of r du/dr.

    References
    ----------
    Shirts, Mobley, Chodera, Pande, J. Phys. Chem. B 111, 13052 (2007), doi:10.1021/jp0735987;
    the average over N (N + 1) / 2 pairs is OpenMM's.
    """
    _, atoms, of_one = np.unique(
        lennard_jones.kinds(), axis=1, return_index=True, return_counts=True
    )
    counts = of_one * float(copies)
    first, second = np.triu_indices(len(counts))
    same = first == second
    pairs = np.where(same, counts[first] * (counts[first] + 1) / 2, counts[first] * counts[second])
    sigma, epsilon = lennard_jones.of_pairs(atoms[first], atoms[second])
    sigma6, depth = sigma**6, pairs * epsilon
    repulsion, attraction = np.sum(depth * sigma6**2), np.sum(depth * sigma6)
    integral = repulsion / (9 * cutoff**9) - attraction / (3 * cutoff**3)
    jump = (repulsion / cutoff**9 - attraction / cutoff**3) / 3
    switched = 0 < switch_distance < cutoff
    if switched:
        # The part that the switch removes, r^2 (1 - S(r)) (s^12/r^12 - s^6/r^6). It is smooth, so
        # 40 Gauss-Legendre points are exact to rounding.
        nodes, weights = np.polynomial.legendre.leggauss(40)
        width = cutoff - switch_distance
        x = 0.5 * (nodes + 1)
        r = switch_distance + width * x
        lost = (x**3) * (10 - 15 * x + 6 * x**2) * r**2 * (0.5 * width * weights)
        integral += repulsion * np.sum(lost / r**12) - attraction * np.sum(lost / r**6)
    n = float(counts.sum())
    missing = integral if switched else integral + jump
    energy, virial = (
        float(8 * np.pi * n * n * each / (n * (n + 1) / 2)) for each in (integral, missing)
    )
    return energy, virial
