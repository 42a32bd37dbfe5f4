# SPDX-License-Identifier: BSD-3-Clause
"""Which images of the atoms are written: whole molecules, centred, turned onto the first frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.base.rotations import rotations_onto
from finegrain.formats.structure import Structure
from finegrain.formats.whole_molecules import WholeMolecules
from finegrain.runs.trajectory import Frame

Array = NDArray[Any]


@dataclass
class Images:
    """Says which images of the atoms are written.

    Attributes
    ----------
    molecules : WholeMolecules or None
        What is kept together.
    unwrap : bool
        As in `convert`.
    centre, fit : ndarray of int, or None
        Atoms whose middle is put into that of the box, and atoms that are superposed on those of
        the first structure (least squares, all with the same weight).
    """

    molecules: WholeMolecules | None
    unwrap: bool
    centre: Array | None = None
    fit: Array | None = None
    _first: Array | None = None

    def of_frame(self, frame: Frame) -> Structure:
        """Return the structure of a frame."""
        positions = frame.unwrapped() if self.unwrap else frame.positions
        return self.of(Structure(frame.step, frame.time, positions, frame.velocities, frame.box))

    def of(self, structure: Structure) -> Structure:
        """Return a structure with these images of its atoms."""
        return self._fitted(replace(structure, positions=self._placed(structure)))

    def _placed(self, structure: Structure) -> Array:
        positions, box = structure.positions, structure.box
        if self.molecules is None:
            return positions
        together = self.fit if self.centre is None else self.centre
        faces = box is not None and not self.unwrap  # molecules may be at opposite ones
        if together is None or (self.centre is None and not faces):
            return self.molecules.whole(positions, box, inside=faces)
        whole = self.molecules.whole(positions, box, inside=False)
        if faces and box is not None:
            whole = self.molecules.gathered(whole, box, together)
        if self.centre is not None:
            middle = np.zeros(3) if box is None else cells.vectors_of(box).sum(axis=0) / 2
            whole += middle - whole[together].mean(axis=0)
        if faces and box is not None:
            whole = self.molecules.inside(whole, box, but=together)
        return whole

    def _fitted(self, structure: Structure) -> Structure:
        """Turn and move a structure onto the first one."""
        if self.fit is None:
            return structure
        position = np.asarray(structure.positions, np.float64)
        if self._first is None:
            self._first = position[self.fit]
        target, mine = self._first, position[self.fit]
        one, other = mine.mean(axis=0), target.mean(axis=0)
        turn = rotations_onto((mine - one)[None], target - other, np.ones(len(mine)))[0]
        velocity = structure.velocities
        return replace(
            structure,
            positions=(position - one) @ turn + other,
            velocities=None if velocity is None else np.asarray(velocity, np.float64) @ turn,
        )
