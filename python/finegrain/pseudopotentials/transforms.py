# SPDX-License-Identifier: BSD-3-Clause
"""A pseudopotential in reciprocal space: exact values at each |G| that is asked for.

Atomic units. f(G) is the integral of f(r) exp(-i G r) over all space, without a factor of the
cell's volume. Nothing is interpolated. `finegrain.pseudopotentials.radial` says how integrals along
the radius are done, and why. The parts of GTH and HGH are formulas.

Every function returns values and, if they are asked for, their derivatives by |G|.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erf, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import InputError
from finegrain.pseudopotentials import gaussian_transforms
from finegrain.pseudopotentials.bessel import spherical_bessel, spherical_bessel_slope
from finegrain.pseudopotentials.description import (
    Channel,
    GaussianLocal,
    Mesh,
    Orbital,
    Pseudopotential,
    TabulatedProjector,
)
from finegrain.pseudopotentials.radial import RadialIntegration, simpson_weights
from finegrain.pseudopotentials.text import Floats

DEFAULT = RadialIntegration()
_chunk = 50_000  # numbers in a work array, so that a few of them stay in the cache


class Transform:
    """Values, and derivatives by |G| that are computed when they are asked for.

    Attributes
    ----------
    values, slopes : float64, shape (n,)
    """

    def __init__(self, values: Floats, slopes: Floats | Callable[[], Floats]) -> None:
        self.values = values
        self._slopes = slopes

    @property
    def slopes(self) -> Floats:
        """The derivatives."""
        if callable(self._slopes):
            self._slopes = self._slopes()
        return self._slopes


def shells(g: Any) -> tuple[Floats, NDArray[np.int64]]:
    """Group lengths that differ by rounding only.

    Parameters
    ----------
    g : array of float64, shape (n,)
        |G|, 1/bohr.

    Returns
    -------
    lengths : float64, shape (shells,)
        Rising; the shortest of each group.
    index : int64, shape (n,)
        The shell of each vector: `lengths[index]` is `g` to 1e-10.
    """
    g = np.asarray(g, dtype=np.float64)
    order = np.argsort(g, kind="stable")
    rising = g[order]
    new = np.ones(len(g), dtype=bool)
    new[1:] = np.diff(rising) > 1e-10 * np.maximum(rising[1:], 1e-3)
    index = np.empty(len(g), dtype=np.int64)
    index[order] = np.cumsum(new) - 1
    return rising[new], index


def alpha(pseudo: Pseudopotential, integration: RadialIntegration = DEFAULT) -> float:
    """Return the integral of v(r) + Z/r over all space, hartree bohr^3.

    It is what remains at G = 0 of the local potential. The energy of a cell has a term with it:
    (electrons / volume) times the sum of alpha over the atoms.
    """
    charge = pseudo.charge
    if isinstance(pseudo.local, GaussianLocal):
        smooth, _ = gaussian_transforms.local_smooth(pseudo.local, np.zeros(1))
        return float(smooth[0] + 2 * pi * charge * pseudo.local.radius**2)
    r, weights = _radial(pseudo, integration)
    v = pseudo.local.v[: len(weights)]
    return float(4 * pi * np.sum(weights * r * (r * v + charge)))


def local(pseudo: Pseudopotential, g: Any, integration: RadialIntegration = DEFAULT) -> Transform:
    """Return the local potential v(G); at G = 0 the value is `alpha` and the derivative 0.

    Parameters
    ----------
    pseudo : Pseudopotential
    g : array of float64, shape (n,)
        |G|, 1/bohr, 0 or more.
    integration : RadialIntegration

    Returns
    -------
    Transform
        Hartree bohr^3, and by 1/bohr.
    """
    g = _lengths(g)
    zero = g == 0
    safe = np.where(zero, 1.0, g)
    smooth, width = _smooth(pseudo, safe, integration)
    tail = 4 * pi * pseudo.charge * np.exp(-((safe * width) ** 2) / 4) / safe**2
    tail_slope = -tail * (2 / safe + safe * width**2 / 2)
    return Transform(
        np.where(zero, alpha(pseudo, integration), smooth.values - tail),
        lambda: np.where(zero, 0.0, smooth.slopes - tail_slope),
    )


def short_range_local(
    pseudo: Pseudopotential, g: Any, width: float, integration: RadialIntegration = DEFAULT
) -> Transform:
    """Return the transform of v(r) + Z erf(r/width)/r, which is finite and smooth at G = 0.

    The Ewald sum of the whole cell has the charge -Z smeared over `width`. So
    v(G) = short(G) - 4 pi Z exp(-G^2 width^2/4)/G^2, and alpha = short(0) + pi Z width^2.
    The parameters and units are those of `local`; the width is in bohr.
    """
    g = _lengths(g)
    if not 0 < width < 100:
        raise InputError("is no width of a charge", value=f"{width}", limit="0 to 100 bohr")
    zero = g == 0
    safe = np.where(zero, 1.0, g)
    smooth, own = _smooth(pseudo, g, integration)
    charge = 4 * pi * pseudo.charge
    wide, narrow = -((safe * width) ** 2) / 4, -((safe * own) ** 2) / 4
    change = charge * (np.expm1(wide) - np.expm1(narrow)) / safe**2
    by_length = charge * (own**2 * np.exp(narrow) - width**2 * np.exp(wide)) / (2 * safe)
    return Transform(
        smooth.values + np.where(zero, charge / 4 * (own**2 - width**2), change),
        lambda: smooth.slopes + np.where(zero, 0.0, by_length - 2 * change / safe),
    )


def projectors(channel: Channel, mesh: Mesh | None, g: Any) -> list[Transform]:
    """Return q_i(G), 4 pi times the integral of r^2 beta_i(r) j_l(Gr), for each projector.

    A projector in a cell of volume V has the coefficients V^(-1/2) i^(-l) q(G) Y_lm(G) exp(-i G R)
    of the waves exp(i G r) V^(-1/2).

    Parameters
    ----------
    channel : Channel
    mesh : Mesh or None
        That of the pseudopotential.
    g : array of float64, shape (n,)
        |G|, 1/bohr, 0 or more.

    Returns
    -------
    list of Transform
        bohr^(3/2), and by 1/bohr; with D in hartree the product D q q / volume is an energy.
    """
    g = _lengths(g)
    found = []
    for one in channel.projectors:
        if isinstance(one, TabulatedProjector):
            if mesh is None:
                raise InputError("a tabulated projector needs the mesh of its pseudopotential")
            weights = simpson_weights(mesh.step, one.points)
            r = mesh.r[: len(weights)]
            found.append(_bessel(channel.l, r, weights * r * one.r_beta[: len(weights)], g))
        else:
            found.append(Transform(*gaussian_transforms.projector(channel.l, one, g)))
    return found


def core_density(
    pseudo: Pseudopotential, g: Any, integration: RadialIntegration = DEFAULT
) -> Transform:
    """Return the model core of the nonlinear core correction, electrons.

    The parameters are those of `local`. It is an error if the pseudopotential has no such core.
    """
    if pseudo.core_density is None:
        what = "has no nonlinear core correction"
        raise InputError(what, where=str(pseudo.path), hint="ask core_corrected first")
    r, weights = _radial(pseudo, integration)
    density = weights * r**2 * pseudo.core_density[: len(weights)]
    return _bessel(0, r, density, _lengths(g))


def atomic_density(
    pseudo: Pseudopotential, g: Any, integration: RadialIntegration = DEFAULT
) -> Transform:
    """Return the valence density of the atom, electrons; the parameters are those of `local`.

    It is an error if the file gives none.
    """
    if pseudo.atomic_density is None:
        what = "has no density of the atom"
        raise InputError(what, where=str(pseudo.path), hint="start from another density")
    r, weights = _radial(pseudo, integration)
    density = weights * pseudo.atomic_density[: len(weights)] / (4 * pi)
    return _bessel(0, r, density, _lengths(g))


def orbital(
    pseudo: Pseudopotential, one: Orbital, g: Any, integration: RadialIntegration = DEFAULT
) -> Transform:
    """Return 4 pi times the integral of r^2 chi(r) j_l(Gr), bohr^(3/2); l is at most 3."""
    r, weights = _radial(pseudo, integration)
    return _bessel(one.l, r, weights * r * one.r_chi[: len(weights)], _lengths(g))


def _radial(pseudo: Pseudopotential, integration: RadialIntegration) -> tuple[Floats, Floats]:
    """Return the points of the radial mesh that are integrated over, and their weights."""
    if pseudo.mesh is None:
        raise InputError("has no radial mesh", where=str(pseudo.path))
    weights = integration.weights(pseudo.mesh)
    return pseudo.mesh.r[: len(weights)], weights


def _lengths(g: Any) -> Floats:
    lengths = np.atleast_1d(np.asarray(g, dtype=np.float64))
    if lengths.ndim != 1 or not np.isfinite(lengths).all() or (lengths < 0).any():
        raise InputError("|G| must be a list of finite numbers that are not negative")
    return lengths


def _smooth(
    pseudo: Pseudopotential, g: Floats, integration: RadialIntegration
) -> tuple[Transform, float]:
    """Return the transform of v(r) + Z erf(r/width)/r, and a width that makes it simple."""
    if isinstance(pseudo.local, GaussianLocal):
        return Transform(*gaussian_transforms.local_smooth(pseudo.local, g)), (
            sqrt(2) * pseudo.local.radius
        )
    r, weights = _radial(pseudo, integration)
    smeared = np.array([erf(x) for x in r])
    # f j_0(Gr) r^2 with f = v + Z erf(r)/r: one power of r is in r v + Z erf(r).
    density = weights * r * (r * pseudo.local.v[: len(weights)] + pseudo.charge * smeared)
    return _bessel(0, r, density, g), 1.0


def _bessel(l: int, r: Floats, density: Floats, g: Floats) -> Transform:  # noqa: E741
    """Return 4 pi sum_k density_k j_l(G r_k), and its derivative by G."""
    return Transform(
        4 * pi * _sum(lambda x: spherical_bessel(l, x), r, density, g),
        lambda: 4 * pi * _sum(lambda x: spherical_bessel_slope(l, x), r, density * r, g),
    )


def _sum(kernel: Callable[[Floats], Floats], r: Floats, density: Floats, g: Floats) -> Floats:
    # No matrix product: its bits would depend on the number of threads and on the other lengths.
    result = np.empty(len(g))
    rows = max(1, _chunk // max(1, len(r)))
    for first in range(0, len(g), rows):
        part = slice(first, first + rows)
        result[part] = (kernel(g[part, None] * r) * density).sum(axis=1)
    return result
