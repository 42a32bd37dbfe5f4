# SPDX-License-Identifier: BSD-3-Clause
"""The exchange-correlation energy on the grid, with the exact derivatives of the discrete sum.

E = V/N sum_r e(rho, |grad rho|^2), with spin of both densities and of the products of their
gradients. Gradients and divergences are taken in reciprocal space within the sphere of densities,
so that the potential is the derivative of this E, not of an integral.

References
----------
J. A. White and D. M. Bird, Phys. Rev. B 50, 4954 (1994).
"""

from dataclasses import dataclass

import numpy as np

from plain_kohn_sham import libxc
from plain_kohn_sham.basis import Basis

# Quantum ESPRESSO leaves the gradient's part of the energy out below these values. The first
# are without spin. With spin they are for both spins together in correlation, and for each spin in
# exchange.
_floors = (1e-6, 1e-10)
_floors_of_both, _floors_of_spin = (1e-6, 1e-12), (1e-10, 1e-20)


@dataclass(frozen=True, eq=False)
class ExchangeCorrelation:
    """Energy (hartree), potential (on the sphere, shape (spins, n)) and what the strain needs."""

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
    rho : complex, shape (spins, n)
        The density of each spin on the sphere, with the model cores; one row without spin.
    functional : str
    pw_rules : bool
        Follow Quantum ESPRESSO: leave the gradient's part out where the density is 1e-6 or less,
        or the square of its gradient 1e-10 or less, so that the energy is not smooth. With spin
        that holds for correlation, where the limit of the square is 1e-12; exchange leaves it out
        for each spin with a density of 1e-10 or less. And count a negative density (model cores
        have waves around zero) as -e(-rho), with spin as -e(-down, -up) without gradient, which
        keeps up - down; if one spin is negative then, the other one has the sum. Otherwise
        negative densities have no energy. Left out is that pw.x gives a spin in the gradient's part
        of PBE correlation 5e-7 of the density at least.
    """
    spins = range(len(rho))
    pairs = [(a, b) for a in spins for b in spins if a <= b]
    field = np.array([basis.density_on_grid(one).ravel() for one in rho])
    element = basis.volume / basis.points
    sign = np.where(field.sum(axis=0) < 0, -1.0, 1.0) if pw_rules else np.ones_like(field[0])

    def turned(rows: np.ndarray) -> np.ndarray:
        """Exchange the spins where the density is negative."""
        return np.where(sign < 0, rows[::-1], rows)

    positive = sign * turned(field)
    alone = (positive < 0)[::-1] if pw_rules and len(rho) == 2 else np.zeros(field.shape, bool)
    positive = np.where(alone, positive.sum(axis=0), np.where(alone[::-1], 0.0, positive))

    def by_spins(v: np.ndarray) -> np.ndarray:
        """Return derivatives by the densities that were given."""
        return turned(np.where(alone[::-1], v[::-1], v))

    if functional not in libxc.GRADIENT:
        e, v, _ = _at_points(functional, positive, None)
        potential = np.array(
            [basis.density_of_grid(one.reshape(basis.grid)) for one in by_spins(v)]
        )
        energy = element * float(np.sum(sign * e))
        return ExchangeCorrelation(energy, potential, np.zeros((3, 3)))
    g = basis.density.g
    slopes = np.array(
        [[basis.density_on_grid(1j * g[:, axis] * one).ravel() for axis in range(3)] for one in rho]
    )
    sigma = np.array([np.sum(slopes[a] * slopes[b], axis=0) for a, b in pairs])
    sigma = turned(sigma)
    if not pw_rules:
        e, v, by_sigma = _at_points(functional, positive, sigma)
    elif len(rho) == 1:
        below = (positive[0] <= _floors[0]) | (sigma[0] <= _floors[1])
        e, v, by_sigma = _without(below[None], functional, positive, sigma)
    else:
        e, v, by_sigma = _by_pw_rules(functional, positive, np.where(sign < 0, 0.0, sigma))
    e, by_sigma = sign * e, sign * turned(by_sigma)
    potential = np.array([basis.density_of_grid(one.reshape(basis.grid)) for one in by_spins(v)])
    # The derivative of e by the gradient of each spin.
    flow = np.zeros_like(slopes)
    for (a, b), by in zip(pairs, by_sigma, strict=True):
        flow[a] += by * slopes[b]
        flow[b] += by * slopes[a]
    for spin in spins:
        for axis in range(3):
            waves = basis.density_of_grid(flow[spin, axis].reshape(basis.grid))
            potential[spin] -= 1j * g[:, axis] * waves
    strain = -element * np.einsum("sar,sbr->ab", flow, slopes)
    return ExchangeCorrelation(element * float(e.sum()), potential, strain)


def _by_pw_rules(
    functional: str, rho: np.ndarray, sigma: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the sum of exchange and correlation of two spins, each without some gradients."""
    exchange, correlation = ((number,) for number in libxc.terms(functional))
    of_spin = (rho <= _floors_of_spin[0]) | (sigma[[0, 2]] <= _floors_of_spin[1])
    below = np.array([of_spin[0], of_spin.any(axis=0), of_spin[1]])
    first = _without(below, exchange, rho, sigma)
    whole = sigma[0] + 2 * sigma[1] + sigma[2]
    low = (rho.sum(axis=0) <= _floors_of_both[0]) | (whole <= _floors_of_both[1])
    second = _without(np.array([low] * 3), correlation, rho, sigma)
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def _without(
    below: np.ndarray, functional: str | tuple[int, ...], rho: np.ndarray, sigma: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Evaluate without some products of gradients."""
    e, v, by_sigma = _at_points(functional, rho, np.where(below, 0.0, sigma))
    return e, v, np.where(below, 0.0, by_sigma)


def _at_points(
    functional: str | tuple[int, ...], rho: np.ndarray, sigma: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return e and its derivatives by rho and sigma, with one row for each of their rows."""
    if len(rho) == 2:
        return libxc.evaluate_spins(functional, rho, sigma)
    e, v, by_sigma = libxc.evaluate(functional, rho[0], None if sigma is None else sigma[0])
    return e, v[None], by_sigma[None]


def by_strain(basis: Basis, result: ExchangeCorrelation, rho: np.ndarray) -> np.ndarray:
    """Return dE/d(strain) at constant V rho(G), where rho of all spins includes the model cores.

    The change of the cores' own transforms is `local.by_strain` of the potential.
    """
    flow = sum(basis.integral(v, one) for v, one in zip(result.potential, rho, strict=True))
    return np.eye(3) * (result.energy - flow) + result.gradient_strain
