# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a pseudopotential for the engine: transforms at equal steps of |G|.

The engine interpolates with polynomials through the eight nearest points. Their error is about
(h r)^8/1000 of an integrand at the radius r. Integrals end at about 10 bohr, where integrands are
small. The tests compare interpolated tables with direct transforms. Units: Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, pi, sqrt

import numpy as np

from finegrain.base.cells import Floats
from finegrain.pseudopotentials import GaussianLocal, Pseudopotential
from finegrain.pseudopotentials.transforms import (
    alpha,
    atomic_density,
    core_density,
    orbital,
    projectors,
    short_range_local,
)

SPACING = 0.01  # 1/bohr
_beyond = 8  # points behind the last wave, for polynomials around it


@dataclass(frozen=True, eq=False)
class SpeciesTables:
    """One element's tables.

    Attributes
    ----------
    width : float
        The width of the charge that is smeared in the local potential, bohr.
    local : float64, shape (nq,)
        Transform of v(r) + Z erf(r/width)/r, hartree bohr^3.
    core, density : float64, shape (nq,), or None
        The model core and the valence density of the atom, electrons.
    projector_l : int32, shape (n,)
    projectors : float64, shape (n, nw)
        bohr^(3/2).
    coupling : float64, shape (n, n)
        D, hartree; 0 between different l.
    orbital_l : int32, shape (m,)
    orbital_occupation : float64, shape (m,)
    orbitals : float64, shape (m, nw)
        bohr^(3/2).
    """

    width: float
    local: Floats
    core: Floats | None
    density: Floats | None
    projector_l: np.ndarray
    projectors: Floats
    coupling: Floats
    orbital_l: np.ndarray
    orbital_occupation: Floats
    orbitals: Floats


def table_points(longest: float) -> Floats:
    """Return the lengths of a table that reaches beyond `longest`, 1/bohr."""
    return np.asarray(SPACING * np.arange(ceil(longest / SPACING) + 1 + _beyond))


def tables_of(
    pseudo: Pseudopotential, longest_wave: float, longest_density: float
) -> SpeciesTables:
    """Return the tables of a pseudopotential.

    Parameters
    ----------
    pseudo : Pseudopotential
    longest_wave, longest_density : float
        The longest |G| of orbitals and of densities, 1/bohr.
    """
    waves, densities = table_points(longest_wave), table_points(longest_density)
    local = pseudo.local
    width = sqrt(2) * local.radius if isinstance(local, GaussianLocal) else 1.0
    momenta, rows, coupling = _projectors(pseudo, waves)
    return SpeciesTables(
        width=width,
        local=_local(pseudo, densities, width),
        core=core_density(pseudo, densities).values if pseudo.core_corrected else None,
        density=None if pseudo.atomic_density is None else atomic_density(pseudo, densities).values,
        projector_l=momenta,
        projectors=rows,
        coupling=coupling,
        orbital_l=np.array([one.l for one in pseudo.orbitals], np.int32),
        orbital_occupation=np.array([one.occupation for one in pseudo.orbitals], np.float64),
        orbitals=np.array([orbital(pseudo, one, waves).values for one in pseudo.orbitals]).reshape(
            len(pseudo.orbitals), len(waves)
        ),
    )


def _local(pseudo: Pseudopotential, densities: Floats, width: float) -> Floats:
    """Return the local potential without the smeared charge; its value at G = 0 is by `alpha`.

    The integral over a coarse mesh with Z erf(r)/r and the one with Z/r differ by up to 1e-4
    hartree bohr^3. Programs take the first for waves and the second, alpha, for G = 0; so does this
    table. Polynomials are affected below 0.04 1/bohr only, by 1e-9 of the whole potential there.
    """
    values = short_range_local(pseudo, densities, width).values.copy()
    values[0] = alpha(pseudo) - pi * pseudo.charge * width**2
    return np.asarray(values)


def _projectors(pseudo: Pseudopotential, waves: Floats) -> tuple[np.ndarray, Floats, Floats]:
    """Return l, transforms and couplings of all projectors, in the order of the channels."""
    momenta: list[int] = []
    rows: list[Floats] = []
    count = sum(len(channel.projectors) for channel in pseudo.channels)
    coupling = np.zeros((count, count))
    for channel in pseudo.channels:
        first = len(rows)
        found = projectors(channel, pseudo.mesh, waves)
        rows += [one.values for one in found]
        momenta += [channel.l] * len(found)
        coupling[first : len(rows), first : len(rows)] = channel.coupling
    table = np.array(rows).reshape(count, len(waves))
    return np.array(momenta, np.int32), table, coupling
