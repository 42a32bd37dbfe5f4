# SPDX-License-Identifier: BSD-3-Clause
"""The shape of a molecule over time: superposition, RMSD, RMSF, radius of gyration."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.base.rotations import rotations_onto

Floats = NDArray[np.float64]


def superposed(positions: ArrayLike, reference: ArrayLike, weights: ArrayLike) -> Floats:
    """Return positions turned and moved onto a reference, with the least weighted distance.

    Parameters
    ----------
    positions : array, shape (frames, atoms, 3)
        Whole molecules.
    reference : array, shape (atoms, 3)
    weights : array, shape (atoms,)
        Such as masses.

    Returns
    -------
    float64, shape (frames, atoms, 3)
    """
    weight = np.asarray(weights, np.float64)
    target = np.asarray(reference, np.float64)
    middle = np.average(target, axis=0, weights=weight)
    found = np.array(positions, np.float64)
    found -= np.average(found, axis=1, weights=weight)[:, None]
    return np.asarray(found @ rotations_onto(found, target - middle, weight) + middle)


def rmsd(positions: ArrayLike, reference: ArrayLike, weights: ArrayLike) -> Floats:
    """Return the root mean square distance from a reference after superposition: (frames,)."""
    weight = np.asarray(weights, np.float64)
    apart = superposed(positions, reference, weight) - np.asarray(reference, np.float64)
    return np.asarray(np.sqrt(np.average((apart**2).sum(axis=2), axis=1, weights=weight)))


def rmsf(positions: ArrayLike, weights: ArrayLike) -> Floats:
    """Return how far each atom is from its mean place, root mean square: shape (atoms,).

    Frames are superposed on the first one, and then on their mean.
    """
    frames = np.asarray(positions, np.float64)
    mean = superposed(frames, frames[0], weights).mean(axis=0)
    placed = superposed(frames, mean, weights)
    apart = placed - placed.mean(axis=0)
    return np.asarray(np.sqrt((apart**2).sum(axis=2).mean(axis=0)))


def radius_of_gyration(positions: ArrayLike, masses: ArrayLike) -> Floats:
    """Return the root mean square distance from the centre of mass, by mass: shape (frames,)."""
    frames, mass = np.asarray(positions, np.float64), np.asarray(masses, np.float64)
    apart = frames - np.average(frames, axis=1, weights=mass)[:, None]
    return np.asarray(np.sqrt(np.average((apart**2).sum(axis=2), axis=1, weights=mass)))
