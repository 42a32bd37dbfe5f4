# SPDX-License-Identifier: BSD-3-Clause
"""Thermal motion under constraints: how far atoms move.

Within a fragment the velocities that constraints allow are distributed with covariance
k_B T (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1), J the gradient of the constraints.
Units: Hartree atomic units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from finegrain.input.fragments import Fragments
from finegrain.input.system import ClassicalSystem, Floats, Ints


@dataclass
class _Batch:
    """Fragments with the same numbers of atoms and constraints, solved together.

    `atoms` [fragments][n]; `along` [fragments][m][n][3]: J; `inverse_mass` [fragments][n].
    """

    atoms: Ints
    along: Floats
    inverse_mass: Floats

    def removal(self) -> Floats:
        """Return (J M^-1 J^T)^-1, shape (fragments, m, m)."""
        held = np.einsum("fmad,fa,fnad->fmn", self.along, self.inverse_mass, self.along)
        return np.linalg.pinv(held, rcond=1e-10, hermitian=True)


@dataclass
class Motion:
    """How fast each atom moves with its fragment, and relative to it.

    Attributes
    ----------
    flight : float64, shape (atoms,), inverse mass of the fragment
    turn : float64, shape (atoms,), inverse mass of the other motion, averaged over directions
    radius : float64, shape (atoms,), distance from the fragment's centre of mass, bohr
    """

    flight: Floats
    turn: Floats
    radius: Floats

    def variance(self, temperature: float, time: float) -> Floats:
        """Return the variance of the displacement along a line, averaged over its directions.

        Free flight gives k_B T t^2 / m. The motion of an atom relative to its fragment is mostly
        rotation on a circle of radius R. With s^2 the variance of a straight flight, its variance
        is that of R sin(angle), R^2 (1 - exp(-2 s^2 / R^2)) / 2.

        Parameters
        ----------
        temperature : float
            k_B T in hartree.
        time : float
            In au.

        Returns
        -------
        float64, shape (atoms,), bohr^2
        """
        warmth = temperature * time**2
        square = np.maximum(self.radius, 1e-6) ** 2
        return np.asarray(
            warmth * self.flight - 0.5 * square * np.expm1(-2 * warmth * self.turn / square)
        )


def kinetic_temperature(system: ClassicalSystem, velocity: Floats, freedom: int) -> float:
    """Return k_B T in hartree of these velocities (bohr per au time)."""
    twice_kinetic = float(np.sum(system.mass[:, None] * velocity**2))
    return twice_kinetic / max(freedom, 1)


def thermal_motion(system: ClassicalSystem, fragments: Fragments) -> Motion:
    """Find how fast atoms move under their constraints."""
    nothing = np.zeros(system.atoms)
    motion = Motion(1.0 / system.mass, nothing, nothing.copy())
    for batch in _batches(system, fragments):
        pull = np.einsum("fa,fmad->fmad", batch.inverse_mass, batch.along)
        taken = np.einsum("fmad,fmn,fnad->fa", pull, batch.removal(), pull)
        mass = 1.0 / batch.inverse_mass
        whole = mass.sum(axis=1, keepdims=True)
        position = system.position[batch.atoms]
        centre = np.einsum("fa,fad->fd", mass, position) / whole
        motion.flight[batch.atoms] = 1 / whole
        motion.turn[batch.atoms] = np.maximum(batch.inverse_mass - taken / 3 - 1 / whole, 0)
        motion.radius[batch.atoms] = np.linalg.norm(position - centre[:, None, :], axis=2)
    return motion


def _batches(system: ClassicalSystem, fragments: Fragments) -> Iterator[_Batch]:
    pairs = system.constraint_atoms
    if len(pairs) == 0:
        return
    sizes = np.bincount(fragments.of_atom, minlength=fragments.count)
    holder = fragments.of_atom[pairs[:, 0]]
    held = np.bincount(holder, minlength=fragments.count)
    by_fragment = np.argsort(fragments.of_atom, kind="stable")
    first_atom = np.concatenate([[0], np.cumsum(sizes)])
    by_holder = np.argsort(holder, kind="stable")
    first_pair = np.concatenate([[0], np.cumsum(held)])
    slot = np.empty(system.atoms, dtype=np.int64)
    slot[by_fragment] = np.arange(system.atoms) - first_atom[fragments.of_atom[by_fragment]]
    kinds = np.unique(np.stack([sizes, held])[:, held > 0], axis=1)
    for n, m in kinds.T:
        members = np.flatnonzero((sizes == n) & (held == m))
        atoms = by_fragment[first_atom[members][:, None] + np.arange(n)].astype(np.int32)
        ties = pairs[by_holder[first_pair[members][:, None] + np.arange(m)]]
        apart = system.position[ties[:, :, 0]] - system.position[ties[:, :, 1]]
        apart /= np.linalg.norm(apart, axis=2, keepdims=True)
        along = np.zeros((len(members), m, n, 3))
        fragment, row = np.indices((len(members), m))
        along[fragment, row, slot[ties[:, :, 0]]] = apart
        along[fragment, row, slot[ties[:, :, 1]]] = -apart
        yield _Batch(atoms, along, 1.0 / system.mass[atoms])
