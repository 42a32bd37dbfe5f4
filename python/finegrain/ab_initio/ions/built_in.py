# SPDX-License-Identifier: BSD-3-Clause
"""Structures to try, without a file: ``structure = "built-in:ice"``.

Lengths in ångström, as in ASE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.errors import Problem, nearest

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

PREFIX = "built-in:"
_ice_edge = 6.36  # eight waters in its cube have the density of cold ice, 0.93 g/cm3
_bond = 0.98  # O-H in ice
_silicon_edge = 5.431  # at room temperature


def built_in(name: str) -> Atoms | Problem:
    """Return a structure by its name, or a problem if there is none of that name.

    Parameters
    ----------
    name : str
        "ice": eight waters of cubic ice. "silicon": its cubic cell of eight atoms. Or a molecule of
        the G2 collection in ASE, such as "H2O", which needs a cell in the input.
    """
    from ase.build import bulk, molecule
    from ase.collections import g2

    if name == "ice":
        return _cubic_ice()
    if name == "silicon":
        silicon: Atoms = bulk("Si", "diamond", a=_silicon_edge, cubic=True)
        return silicon
    if name in g2.names:
        found: Atoms = molecule(name)
        return found
    known = ["ice", "silicon", *g2.names]
    close = nearest(name, [one.lower() for one in known])
    close = next((one for one in known if one.lower() == close), "")
    hint = 'such as "built-in:ice", "built-in:silicon" or a molecule of ASE: "built-in:CH4"'
    if close:
        hint = f'did you mean "{PREFIX}{close}"? ({hint})'
    return Problem("there is no such structure", hint=hint)


def _cubic_ice() -> Atoms:
    """Return eight waters: oxygens as in diamond, hydrogens by the ice rules.

    Each oxygen has its own hydrogens in the two tetrahedral directions that go up, and accepts
    those of its two neighbours below. So all dipoles point along z.
    """
    from ase import Atoms

    directions = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3)
    corners = np.array([[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]) * _ice_edge
    neighbours = corners + _ice_edge / 4
    symbols: list[str] = []
    positions: list[Any] = []
    for oxygens, sign in ((corners, 1.0), (neighbours, -1.0)):
        for oxygen in oxygens:
            gives = (0, 3) if sign > 0 else (1, 2)  # those with sign * z > 0
            symbols += ["O", "H", "H"]
            positions += [oxygen, *(oxygen + sign * _bond * directions[one] for one in gives)]
    return Atoms(symbols, positions, cell=[_ice_edge] * 3, pbc=True)
