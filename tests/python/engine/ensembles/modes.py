# SPDX-License-Identifier: BSD-3-Clause
"""Kinetic energy by mode: centres of molecules, their rotation, and all that is left.

Given the positions, momenta that are canonical have a Gaussian distribution, also on constraints.
A molecule's momentum and angular momentum are linear in them, so each of their six components has
kT/2 exactly, whatever the molecule does inside.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.runs.trajectory import Trajectory

Array = NDArray[np.float64]


@dataclass
class Modes:
    """Kinetic energies of each frame, in kJ/mol, summed over molecules; (frames)."""

    centres: Array
    rotation: Array
    inside: Array


def kinetic_modes(trajectory: Trajectory, first: int, molecules: int, atoms: int) -> Modes:
    """Split the kinetic energy of molecules of equal size, the first of which begins at an atom.

    Molecules are shorter than half of the box; each has three atoms or more and is not linear.
    """
    chosen = slice(first, first + molecules * atoms)
    masses = trajectory.masses[chosen].reshape(molecules, atoms)
    frames = [
        _of_frame(
            frame.positions[chosen].reshape(molecules, atoms, 3).astype(float),
            frame.velocities[chosen].reshape(molecules, atoms, 3).astype(float),
            masses,
            np.diag(frame.box) if frame.box.ndim == 2 else frame.box,
        )
        for frame in trajectory
        if frame.velocities is not None
    ]
    return Modes(*np.array(frames).T)


def _of_frame(places: Array, velocities: Array, masses: Array, edges: Array) -> Array:
    """Return the three energies of one frame; places and velocities (molecules, atoms, 3)."""
    places = places - places[:, :1]
    places -= edges * np.round(places / edges)
    weights = masses[:, :, None]
    whole = weights.sum(axis=1)
    places -= (weights * places).sum(axis=1, keepdims=True) / whole[:, None]
    drift = (weights * velocities).sum(axis=1) / whole
    inner = velocities - drift[:, None]
    spin = (weights * np.cross(places, inner)).sum(axis=1)
    squares = (weights * places**2).sum(axis=(1, 2))
    inertia = squares[:, None, None] * np.eye(3) - np.einsum(
        "ma,mai,maj->mij", masses, places, places
    )
    turning = np.linalg.solve(inertia, spin[:, :, None])[:, :, 0]
    centres = 0.5 * (whole * drift**2).sum()
    rotation = 0.5 * (spin * turning).sum()
    inside = 0.5 * (weights * inner**2).sum() - rotation
    return np.array([centres, rotation, inside])
