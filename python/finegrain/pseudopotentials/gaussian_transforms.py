# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms of the Gaussian parts of GTH and HGH pseudopotentials, as formulas.

A projector is N r^(l+2n) exp(-r^2/(2 a^2)) with n = i - 1 and a = r_l, normalised to 1. With
y = G a its transform follows from the integral

    int r^(l+2n+2) exp(-r^2/(2a^2)) j_l(Gr) dr
        = sqrt(pi/2) 2^n n! a^(2l+2n+3) G^l exp(-y^2/2) L_n^(l+1/2)(y^2/2),

with L the associated Laguerre polynomials (Gradshteyn and Ryzhik, 6.631.10).

References
----------
C. Hartwigsen, S. Goedecker and J. Hutter, Phys. Rev. B 58, 3641 (1998).
"""

from __future__ import annotations

from math import factorial, gamma, pi, sqrt

import numpy as np

from finegrain.pseudopotentials.description import GaussianLocal, GaussianProjector
from finegrain.pseudopotentials.text import Floats


def local_smooth(local: GaussianLocal, g: Floats) -> tuple[Floats, Floats]:
    """Return the transform of the Gaussians times polynomials, and its derivative by G.

    Parameters
    ----------
    local : GaussianLocal
    g : float64, shape (n,)
        1/bohr.

    Returns
    -------
    values, slopes : float64, shape (n,)
        Hartree bohr^3, and by 1/bohr.
    """
    a = local.radius
    c = [*local.coefficients, 0.0, 0.0, 0.0, 0.0]
    t = (g * a) ** 2
    polynomial = (
        c[0]
        + c[1] * (3 - t)
        + c[2] * (15 - 10 * t + t**2)
        + c[3] * (105 - 105 * t + 21 * t**2 - t**3)
    )
    slope = -c[1] + c[2] * (2 * t - 10) + c[3] * (-105 + 42 * t - 3 * t**2)  # by t
    scale = (2 * pi) ** 1.5 * a**3 * np.exp(-t / 2)
    return scale * polynomial, scale * (slope - polynomial / 2) * 2 * g * a**2


def projector(l: int, one: GaussianProjector, g: Floats) -> tuple[Floats, Floats]:  # noqa: E741
    """Return 4 pi times the integral of r^2 p(r) j_l(Gr), and its derivative by G.

    Parameters
    ----------
    l : int
    one : GaussianProjector
    g : float64, shape (n,)
        1/bohr.

    Returns
    -------
    values, slopes : float64, shape (n,)
        bohr^(3/2), and by 1/bohr.
    """
    a, n = one.radius, one.order - 1
    order = l + 2 * n + 1.5
    norm = sqrt(2) / (a**order * sqrt(gamma(order)))
    scale = 4 * pi * norm * sqrt(pi / 2) * 2**n * factorial(n) * a ** (2 * l + 2 * n + 3)
    x = (g * a) ** 2 / 2
    decay = np.exp(-x)
    polynomial = _laguerre(n, l + 0.5, x)
    by_x = -_laguerre(n - 1, l + 1.5, x) if n else np.zeros_like(x)
    values = scale * g**l * decay * polynomial
    slopes = scale * g**l * decay * (by_x - polynomial) * g * a**2
    if l:
        slopes = slopes + scale * l * g ** (l - 1) * decay * polynomial
    return values, slopes


def _laguerre(n: int, alpha: float, x: Floats) -> Floats:
    """Return the associated Laguerre polynomial by its recurrence."""
    below, here = np.zeros_like(x), np.ones_like(x)
    for k in range(n):
        below, here = here, ((2 * k + 1 + alpha - x) * here - (k + alpha) * below) / (k + 1)
    return here
