# SPDX-License-Identifier: BSD-3-Clause
"""Observables of the trajectory of a run, by elements."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.observables.displacement import Displacement, mean_squared_displacement
from finegrain.observables.radial_distribution import (
    RadialDistribution,
    longest_distance,
    radial_distribution,
)
from finegrain.observables.vibrations import VibrationalDensity, vibrational_density
from finegrain.runs.trajectory import Trajectory


def radial_distributions(
    trajectory: Trajectory,
    frames: slice = slice(None),
    *,
    longest: float | None = None,
    bins: int = 200,
    molecules: ArrayLike | None = None,
) -> dict[tuple[str, str], RadialDistribution]:
    """Return g(r) of each pair of elements, r in nm; see `radial_distribution`.

    Pairs have the order in which the elements first appear. The pair of an element with itself is
    left out if it has one atom only, and so is a pair all of whose atoms are in the same molecule.
    Without `molecules`, bonds are included; `molecules_of` finds them.

    Raises
    ------
    InputError
        As `radial_distribution`.
    """
    groups = _atoms_of_elements(trajectory)
    positions, boxes = trajectory.positions(frames), trajectory.boxes[frames]
    if longest is None and len(boxes):
        longest = longest_distance(boxes) or None
    of = np.arange(trajectory.atoms) if molecules is None else np.asarray(molecules, int)
    return {
        (a, b): radial_distribution(
            positions, boxes, groups[a], groups[b], longest=longest, bins=bins, molecules=of
        )
        for a, b in combinations_with_replacement(groups, 2)
        if len({*of[groups[a]], *of[groups[b]]}) > 1
    }


def displacements(trajectory: Trajectory, frames: slice = slice(None)) -> dict[str, Displacement]:
    """Return the mean squared displacement of each element, nm^2 over ps.

    The motion of the centre of mass of all atoms is left out.

    Raises
    ------
    InputError
        As `mean_squared_displacement`.
    """
    positions = trajectory.positions(frames, unwrap=True).astype(np.float64)
    positions -= np.average(positions, axis=1, weights=trajectory.masses)[:, None]
    times = trajectory.times[frames]
    return {
        element: mean_squared_displacement(positions[:, atoms], times)
        for element, atoms in _atoms_of_elements(trajectory).items()
    }


def vibrations(
    trajectory: Trajectory,
    frames: slice = slice(None),
    *,
    window: str = "hann",
    longest: float | None = None,
) -> VibrationalDensity:
    """Return the vibrational density of states of all atoms; see `vibrational_density`.

    Raises
    ------
    InputError
        If the run stored no velocities, or as `vibrational_density`.
    """
    return vibrational_density(
        trajectory.velocities(frames),
        trajectory.masses,
        trajectory.times[frames],
        window=window,
        longest=longest,
    )


def _atoms_of_elements(trajectory: Trajectory) -> dict[str, NDArray[np.int64]]:
    elements = np.array(trajectory.elements)
    return {str(name): np.flatnonzero(elements == name) for name in dict.fromkeys(elements)}
