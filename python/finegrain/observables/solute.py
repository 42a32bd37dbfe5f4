# SPDX-License-Identifier: BSD-3-Clause
"""The solute of a trajectory and its shape over time, as charts.

Molecules of which there are many alike are solvent or lipids, and single atoms are ions. The solute
is what remains.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.base.connected import connected, pairs_among
from finegrain.formats.whole_molecules import WholeMolecules
from finegrain.observables.shape import radius_of_gyration, rmsd, rmsf
from finegrain.page.charts import Chart, Curve
from finegrain.runs.trajectory import Trajectory
from finegrain.units import angstrom_per_nm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_many = 10  # molecules alike that are no solute
_most_frames = 400
_fewest_backbone = 4  # alpha carbons of a protein
fewest_frames = 3


@dataclass(frozen=True)
class Solute:
    """The solute in some frames.

    Attributes
    ----------
    atoms : ndarray, int64, shape (atoms,)
        Numbers in the trajectory.
    positions : ndarray, float64, shape (frames, atoms, 3)
        Whole molecules, Å.
    times : ndarray, float64, shape (frames,)
        Picoseconds.
    masses : ndarray, float64, shape (atoms,)
        Dalton.
    elements, names : list of str
    """

    atoms: Ints
    positions: Floats
    times: Floats
    masses: Floats
    elements: list[str]
    names: list[str]


def solute_atoms(trajectory: Trajectory) -> Ints:
    """Return the numbers of the atoms of the solute; none where there is none."""
    pairs = trajectory.bonds()
    of = connected(trajectory.atoms, pairs.astype(np.int32))
    first, index, size = np.unique(of, return_inverse=True, return_counts=True)
    kinds = np.unique(np.array(trajectory.elements), return_inverse=True)[1]
    content = np.zeros((len(first), int(kinds.max(initial=0)) + 1), np.int64)
    np.add.at(content, (index, kinds), 1)
    alike = Counter(map(bytes, content))
    chosen = [
        count > 1 and alike[bytes(row)] <= _many for row, count in zip(content, size, strict=True)
    ]
    return np.flatnonzero(np.array(chosen)[index])


def solute_of(trajectory: Trajectory) -> Solute | None:
    """Return the solute in at most 400 evenly chosen frames; None where there is none."""
    atoms = solute_atoms(trajectory)
    if not len(atoms) or not len(trajectory):
        return None
    pairs = pairs_among(trajectory.bonds(), atoms, trajectory.atoms)
    molecules = WholeMolecules(len(atoms), pairs)
    stride = -(-len(trajectory) // _most_frames)
    boxes = trajectory.boxes
    frames = [
        molecules.whole(
            trajectory.positions(slice(at, at + 1), unwrap=True)[0][atoms], boxes[at], inside=False
        )
        for at in range(0, len(trajectory), stride)
    ]
    elements, names = trajectory.elements, trajectory.names
    return Solute(
        atoms=atoms,
        positions=np.array(frames) * angstrom_per_nm,
        times=trajectory.times[::stride],
        masses=np.asarray(trajectory.masses, np.float64)[atoms],
        elements=[elements[at] for at in atoms],
        names=[names[at] for at in atoms],
    )


def solute_charts(solute: Solute) -> list[Chart]:
    """Return RMSD, radius of gyration and RMSF; nothing with fewer than three frames.

    RMSD and RMSF are those of alpha carbons where there are some, else of atoms that are no
    hydrogen.
    """
    if len(solute.times) < fewest_frames:
        return []
    alpha = [
        name == "CA" and element == "C"
        for name, element in zip(solute.names, solute.elements, strict=True)
    ]
    words = "alpha carbons"
    if sum(alpha) < _fewest_backbone:
        alpha, words = [element != "H" for element in solute.elements], "atoms but hydrogen"
    chosen = np.flatnonzero(alpha)
    if len(chosen) < _fewest_backbone:
        return []
    positions, masses = solute.positions[:, chosen], solute.masses[chosen]
    distance = rmsd(positions, positions[0], masses)
    time, ordinal = "time / ps", np.arange(1.0, len(chosen) + 1)
    size = radius_of_gyration(solute.positions, solute.masses)
    return [
        Chart("RMSD from the\nfirst frame / Å", time, [Curve(words, solute.times, distance, "C0")]),
        Chart("radius of\ngyration / Å", time, [Curve("", solute.times, size, "C1")]),
        Chart(
            "RMSF / Å",
            f"{words}, in their order",
            [Curve("", ordinal, rmsf(positions, masses), "C2")],
            whole=True,
        ),
    ]
