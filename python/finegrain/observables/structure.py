# SPDX-License-Identifier: BSD-3-Clause
"""A structure of a run as a view that a reader turns: molecules whole, bonds as sticks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.base import cells
from finegrain.base.connected import pairs_among
from finegrain.formats.whole_molecules import WholeMolecules
from finegrain.observables.molecules import near_pairs
from finegrain.observables.solute import solute_atoms
from finegrain.page.html import paragraph
from finegrain.page.structure import most_atoms, structure_view
from finegrain.runs.trajectory import Trajectory
from finegrain.units import angstrom_per_nm

Floats = NDArray[np.float64]
_longest = 0.35  # nm, of a stick


def view_of_frame(trajectory: Trajectory) -> list[str]:
    """Return the solute of the last frame, or all atoms without one, as parts of a page."""
    if not len(trajectory):
        return []
    frame, atoms = trajectory[-1], solute_atoms(trajectory)
    words = f"The solute at {frame.time:g} ps: {len(atoms):,} of {trajectory.atoms:,} atoms."
    if not len(atoms):
        atoms = np.arange(trajectory.atoms)
        words = f"All atoms at {frame.time:g} ps."
    if len(atoms) > most_atoms:
        return [paragraph(f"{len(atoms):,} atoms are too many to be drawn here.")]
    elements = trajectory.elements
    bonds = trajectory.bonds()
    pairs = pairs_among(bonds, atoms, trajectory.atoms) if len(bonds) else None
    chosen = [elements[at] for at in atoms]
    positions = frame.positions[atoms].astype(np.float64)
    return [view_of(chosen, positions, frame.box, pairs), paragraph(words)]


def view_of(
    elements: Sequence[str], positions: ArrayLike, box: Floats, pairs: ArrayLike | None = None
) -> str:
    """Return a structure as a part of a page.

    Parameters
    ----------
    elements : sequence of str
    positions : array, shape (atoms, 3)
        Nanometres.
    box : ndarray
        See `finegrain.base.cells`; zero where there is none.
    pairs : array of int, shape (bonds, 2), optional
        Bonds; without them those of atoms that are near each other.
    """
    places = np.asarray(positions, np.float64)
    bonds = near_pairs(places, box, list(elements)) if pairs is None else np.asarray(pairs, int)
    molecules = WholeMolecules(len(places), bonds)
    whole = molecules.whole(places, box, inside=False)
    if cells.is_periodic(box) and len(places):
        whole = molecules.gathered(whole, box, np.arange(len(places)))
    apart = np.linalg.norm(whole[bonds[:, 0]] - whole[bonds[:, 1]], axis=1)
    cell = cells.vectors_of(box) * angstrom_per_nm if cells.is_periodic(box) else None
    sticks = bonds[apart < _longest]  # of a crystal, some lead to the next cell
    return structure_view(elements, whole * angstrom_per_nm, sticks, cell)
