# SPDX-License-Identifier: BSD-3-Clause
"""The exchange-correlation energy on the grid, with the exact derivatives of the discrete sum.

E = V/N sum_r e(rho, |grad rho|^2); gradients and divergences are taken in reciprocal space within
the sphere of densities, so that the potential is the derivative of this E, not of an integral.

References
----------
J. A. White and D. M. Bird, Phys. Rev. B 50, 4954 (1994).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plain_kohn_sham import libxc
from plain_kohn_sham.basis import Basis

# Quantum ESPRESSO leaves the gradient's part of the energy out below these values.
_density_floor, _gradient_floor = 1e-6, 1e-10


@dataclass(frozen=True, eq=False)
class ExchangeCorrelation:
    """Energy (hartree), potential (coefficients on the sphere) and what the strain needs."""

    energy: float
    potential: np.ndarray
    gradient_strain: np.ndarray


def exchange_correlation(
    basis: Basis, rho: np.ndarray, functional: str, pw_rules: bool = False
) -> ExchangeCorrelation:
    """Evaluate a functional.

    Parameters
    ----------
    basis : Basis
    rho : complex, shape (n,)
        The density on the sphere, with the model cores.
    functional : str
    pw_rules : bool
        Follow Quantum ESPRESSO: leave the gradient's part out where the density is 1e-6 or less,
        or the square of its gradient 1e-10 or less, so that the energy is not smooth; and count
        a negative density (model cores have waves around zero) as -e(-rho). Otherwise negative
        densities have no energy.
    """
    field = basis.density_on_grid(rho).ravel()
    element = basis.volume / basis.points
    sign = np.sign(field) if pw_rules else np.ones_like(field)
    positive = sign * field
    if functional not in libxc.GRADIENT:
        e, v, _ = libxc.evaluate(functional, positive, None)
        potential = basis.density_of_grid(v.reshape(basis.grid))
        energy = element * float(np.sum(sign * e))
        return ExchangeCorrelation(energy, potential, np.zeros((3, 3)))
    g = basis.density.g
    slopes = [basis.density_on_grid(1j * g[:, axis] * rho).ravel() for axis in range(3)]
    sigma = sum(slope**2 for slope in slopes)
    e, v, by_sigma = libxc.evaluate(functional, positive, sigma)
    if pw_rules:
        below = (positive <= _density_floor) | (sigma <= _gradient_floor)
        flat_e, flat_v, _ = libxc.evaluate(functional, positive, np.zeros_like(sigma))
        e, v = np.where(below, flat_e, e), np.where(below, flat_v, v)
        by_sigma = np.where(below, 0, by_sigma)
    e, by_sigma = sign * e, sign * by_sigma
    potential = basis.density_of_grid(v.reshape(basis.grid))
    strain = np.zeros((3, 3))
    for a in range(3):
        flow = basis.density_of_grid((2 * by_sigma * slopes[a]).reshape(basis.grid))
        potential -= 1j * g[:, a] * flow
        for b in range(3):
            strain[a, b] = -2 * element * np.sum(by_sigma * slopes[a] * slopes[b])
    return ExchangeCorrelation(element * float(e.sum()), potential, strain)


def by_strain(basis: Basis, result: ExchangeCorrelation, rho: np.ndarray) -> np.ndarray:
    """Return dE/d(strain) at constant V rho(G), where rho includes the model cores.

    The change of the cores' own transforms is `local.by_strain` of the potential.
    """
    flow = basis.integral(result.potential, rho)
    return np.eye(3) * (result.energy - flow) + result.gradient_strain
