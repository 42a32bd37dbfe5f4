# SPDX-License-Identifier: BSD-3-Clause
"""The input of every writer: all atoms at one time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from finegrain.base import cells

Array = NDArray[Any]


class NamedAtoms(Protocol):
    """The names of atoms and residues, and the bonds, as a classical job has them."""

    path: Path
    title: str

    @property
    def names(self) -> list[str]:
        """Name of each atom."""

    @property
    def elements(self) -> list[str]:
        """Chemical symbol of each atom."""

    def residues(self) -> tuple[Array, list[str], Array, list[str]]:
        """Return the residue of each atom, then name, number and chain of each residue."""

    def bonds(self) -> Array:
        """Return pairs of bonded atoms."""


@dataclass(frozen=True)
class Structure:
    """All atoms at one time.

    Attributes
    ----------
    step : int
    time : float
        Picoseconds.
    positions : ndarray, shape (atoms, 3)
        Nanometres.
    velocities : ndarray, shape (atoms, 3), or None
        nm/ps.
    box : ndarray, shape (3,) or (3, 3), or None
        Edges in nanometres, or vectors in rows if the cell is tilted; None without a periodic box.
    """

    step: int
    time: float
    positions: Array
    velocities: Array | None
    box: Array | None

    def of_atoms(self, atoms: Array) -> Structure:
        """Return some of the atoms."""
        velocities = None if self.velocities is None else self.velocities[atoms]
        return replace(self, positions=self.positions[atoms], velocities=velocities)

    def __post_init__(self) -> None:
        if self.box is not None and not cells.is_periodic(self.box):
            object.__setattr__(self, "box", None)
