# SPDX-License-Identifier: BSD-3-Clause
"""The buffer by which a pair list exceeds the cutoff, so that the energy drift stays below a limit.

During the lifetime of a list atoms are displaced by Gaussians. A pair that was beyond the list's
radius r_l and has come within the cutoff r_c is missing. The mean missed energy, with the potential
expanded at r_c to third order, is an integral over Gaussians (Pall, Hess, Comput. Phys. Commun.
184, 2641 (2013), doi:10.1016/j.cpc.2013.06.003; GROMACS reference manual, "Energy drift and
pair-list buffering"). Errors of either sign are added with the same sign, so the true drift is much
smaller. Units: Hartree atomic units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.division.thermal import Motion
from finegrain.classical.system.system import ClassicalSystem, Floats


@dataclass(frozen=True)
class PairPotential:
    """What is cut off at `cutoff`: Lennard-Jones, and Coulomb in the form `electrostatics`."""

    cutoff: float
    switch_distance: float
    switching: str
    electrostatics: str
    ewald_coefficient: float
    dielectric: float


@dataclass(frozen=True, eq=False)
class Kinds:
    """Groups of atoms with the same charge, Lennard-Jones parameters and motion.

    Attributes
    ----------
    density : float64, shape (kinds,), atoms per bohr^3
    charge : float64, shape (kinds,)
    sigma, epsilon : float64, shape (kinds, kinds), of a pair
    motion : Motion of each kind
    """

    density: Floats
    charge: Floats
    sigma: Floats
    epsilon: Floats
    motion: Motion


def find_kinds(system: ClassicalSystem, motion: Motion, volume: float) -> Kinds:
    """Group atoms; motions are rounded up to steps of 5 %, charges to steps of 0.02 e."""
    moving = [_up(values, 1.05) for values in (motion.flight, motion.turn, motion.radius)]
    for step in (0.02, 0.1, 0.5):
        charge = np.ceil(np.abs(system.charge) / step - 1e-9) * step
        table = np.concatenate([[charge, *moving], system.lennard_jones.kinds()])
        kinds, first, counts = np.unique(table, axis=1, return_index=True, return_counts=True)
        if len(counts) <= 500:
            break
    sigma, epsilon = system.lennard_jones.of_pairs(first[:, None], first[None, :])
    return Kinds(counts / volume, kinds[0], sigma, epsilon, Motion(*kinds[1:4]))


def _up(values: Floats, ratio: float) -> Floats:
    """Round up to powers of `ratio`; zero stays."""
    safe = np.maximum(values, 1e-30)
    power = ratio ** np.ceil(np.log(safe) / np.log(ratio) - 1e-9)
    return np.where(values > 1e-30, power, 0.0)


@lru_cache(maxsize=64)  # many divisions of one system ask for the same
def list_buffer(
    kinds: Kinds,
    potential: PairPotential,
    temperature: float,
    timestep: float,
    interval: int,
    tolerance: float,
) -> float:
    """Return the shortest buffer r_l - r_c that keeps the drift below the tolerance.

    Parameters
    ----------
    temperature : float
        k_B T in hartree.
    timestep : float
        In au.
    interval : int
        Number of steps for which a list is used; the first one is at the positions it was made for.
    tolerance : float
        Energy per time and atom, hartree per au time.
    """
    if interval == 1:
        return 0.0
    variances, step = np.unique(
        _up(kinds.motion.variance(temperature, (interval - 1) * timestep), 1.05),
        return_inverse=True,
    )
    slopes = _pair_slopes(kinds, potential, step)
    spread = np.sqrt(variances[:, None] + variances[None, :])
    atoms = kinds.density.sum()

    def drift(buffer: float) -> float:
        moments = _moments(buffer, spread)
        shell = 4 * math.pi * (potential.cutoff + buffer + spread) ** 2
        missed = sum(weight * moment for weight, moment in zip(slopes, moments, strict=True))
        return float(np.sum(shell * missed) / 2 / atoms / (interval * timestep))

    low, high = 0.0, 8 * float(spread.max())
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if drift(middle) > tolerance else (low, middle)
    return high


def _moments(buffer: float, spread: Floats) -> tuple[Floats, Floats, Floats]:
    """Return E[(s g - b)_+^k] for k = 2, 3, 4, g a unit Gaussian, s the spread, b the buffer."""
    z = buffer / spread
    gauss = np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    tail = 0.5 * np.vectorize(math.erfc)(z / math.sqrt(2))
    second = spread**2 * ((z**2 + 1) * tail - z * gauss)
    third = spread**3 * ((z**2 + 2) * gauss - z * (z**2 + 3) * tail)
    fourth = spread**4 * ((z**4 + 6 * z**2 + 3) * tail - z * (z**2 + 5) * gauss)
    return second, third, fourth


def _pair_slopes(kinds: Kinds, potential: PairPotential, step: NDArray[np.int64]) -> list[Floats]:
    """Return the shares of the derivatives in the missed energy, by pair of steps of variance.

    Each has shape (steps, steps): sum of density_i density_j |V^(k)| / (k + 1)!, k = 1, 2, 3.
    """
    rc = potential.cutoff
    s6, depth = (kinds.sigma / rc) ** 6, 4 * kinds.epsilon
    if 0 < potential.switch_distance < rc:
        width = rc - potential.switch_distance
        first = second = np.zeros_like(s6)
        if potential.switching == "force":
            # The second derivative of k (r^-m - rc^-m)^2, m = 6 and 3: its force goes to zero at
            # rc.
            start = potential.switch_distance / rc
            twelve, six = s6 * s6 / (1 - start**6), s6 / (1 - start**3)
            second = depth * np.abs(72 * twelve - 18 * six) / rc**2
            third = depth * np.abs(6 * 6 * 42 * twelve - 6 * 3 * 12 * six) / rc**3
        else:
            third = 60 * depth * np.abs(s6 * s6 - s6) / width**3
        lennard_jones = [first, second, third]
    else:
        lennard_jones = [
            depth * np.abs(-12 * s6 * s6 + 6 * s6) / rc,
            depth * np.abs(156 * s6 * s6 - 42 * s6) / rc**2,
            depth * np.abs(-2184 * s6 * s6 + 336 * s6) / rc**3,
        ]
    charges = np.abs(kinds.charge[:, None] * kinds.charge[None, :])
    coulomb = _coulomb_derivatives(potential)
    weight = kinds.density[:, None] * kinds.density[None, :]
    steps = int(step.max()) + 1
    place = step[:, None] * steps + step[None, :]
    result = []
    for order in range(3):
        value = weight * (lennard_jones[order] + charges * abs(coulomb[order]))
        total = np.bincount(place.ravel(), value.ravel(), minlength=steps * steps)
        result.append(total.reshape(steps, steps) / math.factorial(order + 2))
    return result


def _coulomb_derivatives(potential: PairPotential) -> tuple[float, float, float]:
    """Return the first three derivatives of the pair's 1/r part at the cutoff, per unit charges."""
    r = potential.cutoff
    if potential.electrostatics == "pme":
        a = potential.ewald_coefficient
        f = math.erfc(a * r) / r
        g = 2 * a / math.sqrt(math.pi) * math.exp(-((a * r) ** 2))
        g1 = -2 * a * a * r * g
        g2 = -2 * a * a * (g + r * g1)
        f1 = -(f + g) / r
        f2 = -(2 * f1 + g1) / r
        return f1, f2, -(3 * f2 + g2) / r
    if potential.electrostatics == "reaction-field":
        dielectric = potential.dielectric
        k = (dielectric - 1) / (2 * dielectric + 1) / r**3
        return -1 / r**2 + 2 * k * r, 2 / r**3 + 2 * k, -6 / r**4
    return -1 / r**2, 2 / r**3, -6 / r**4
