# SPDX-License-Identifier: BSD-3-Clause
"""Atoms and cells of an ab initio run in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from finegrain import units
from finegrain.ab_initio.input.functional import has_gradients
from finegrain.base import cells


def formula(symbols: Sequence[str]) -> str:
    """Return elements with their numbers, in the order of the structure: O8 H16."""
    counts = Counter(symbols).items()
    return " ".join(f"{element}{count if count > 1 else ''}" for element, count in counts)


def times(counts: Iterable[int]) -> str:
    """Return numbers of points along axes: 70 x 70 x 70."""
    return " x ".join(str(count) for count in counts)


def cell_in_words(vectors: Sequence[Sequence[float]]) -> str:
    """Return lengths, and angles if they are not right, of a cell in Å."""
    return cells.describe(cells.box_of(np.array(vectors)), "Å")


def electrons_in_words(electrons: int, up: int, down: int, empty: int = 0) -> str:
    """Return the electrons and their orbitals; without spin there are none of spin down."""
    more = f", {empty:,} empty orbitals" if empty else ""
    if electrons == 2 * up and down == 0:
        return f"{electrons:,} in {up:,} orbitals, neutral{more}"
    return f"{electrons:,}, {up:,} of spin up and {down:,} of spin down, neutral{more}"


def bands_in_words(spin: str, up: int, down: int) -> str:
    """Return the numbers of orbitals; `spin` is "none" or "collinear"."""
    if spin == "none":
        return f"{up:,} orbitals without spin"
    return f"{up:,} orbitals of spin up and {down:,} of spin down"


# Hartree/bohr; bench/accuracy/density_grids.py has larger ones only of a few structures.
_usual_net_force = {"with": 1e-3, "without": 1e-4}


def net_force_in_words(removed: bool, functional: str) -> str:
    """Return what becomes of the sum of the forces, and its usual size.

    Parameters
    ----------
    functional : str
        The engine's name.
    """
    if removed:
        return "what the grid leaves is removed, in equal parts from all atoms"
    gradients = "with" if has_gradients(functional) else "without"
    size = _usual_net_force[gradients]
    in_ev = size * units.hartree_in_ev / units.bohr_in_angstrom
    return (
        f"forces sum to up to some {size:.0e} hartree/bohr ({in_ev:.2g} eV/Å) instead of zero, as "
        f'functionals {gradients} gradients do on a grid; net_force = "remove" takes it out'
    )
