# SPDX-License-Identifier: BSD-3-Clause
"""Thermal motion under constraints: how far atoms move.

Within a fragment the velocities that constraints allow have the covariance
k_B T (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1). Here M has the masses, and J is the gradient of the
constraints. The velocity of a virtual site is linear in those of its parents.
Units: Hartree atomic units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from finegrain.classical.system.fragments import Fragments
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints


@dataclass
class _Batch:
    """Fragments with the same numbers of atoms and constraints, solved together.

    `members` [fragments]; `atoms` [fragments][n], without virtual sites; `along`
    [fragments][m][n][3]: J; `inverse_mass` [fragments][n].
    """

    members: Ints
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
    inverse_mass = np.zeros(system.atoms)
    is_atom = ~system.sites.mask(system.atoms)
    inverse_mass[is_atom] = 1.0 / system.mass[is_atom]
    motion = Motion(inverse_mass, nothing, nothing.copy())
    leverage = system.sites.derivatives(system.position)
    weight = inverse_mass[system.sites.all_parents]
    motion.flight[system.sites.site] = np.einsum("spkd,sp->s", leverage**2, weight) / 3
    for batch in _batches(system, fragments):
        pull = np.einsum("fa,fmad->fmad", batch.inverse_mass, batch.along)
        removal = batch.removal()
        taken = np.einsum("fmad,fmn,fnad->fa", pull, removal, pull)
        mass = 1.0 / batch.inverse_mass
        whole = mass.sum(axis=1, keepdims=True)
        position = system.position[batch.atoms]
        centre = np.einsum("fa,fad->fd", mass, position) / whole
        motion.flight[batch.atoms] = 1 / whole
        motion.turn[batch.atoms] = np.maximum(batch.inverse_mass - taken / 3 - 1 / whole, 0)
        motion.radius[batch.atoms] = np.linalg.norm(position - centre[:, None, :], axis=2)
        rows, holder = _sites_of(batch, system, fragments)
        sites, lean = system.sites.site[rows], np.zeros((len(rows), batch.atoms.shape[1], 3, 3))
        for parent, share in zip(
            system.sites.all_parents[rows].T, leverage[rows].swapaxes(0, 1), strict=True
        ):
            slot = (batch.atoms[holder] == parent[:, None]).argmax(axis=1)
            lean[np.arange(len(rows)), slot] += share
        drawn = np.einsum("sakd,smad->smk", lean, pull[holder])
        freely = np.einsum("sakd,sa->s", lean**2, batch.inverse_mass[holder])
        taken = np.einsum("smk,smn,snk->s", drawn, removal[holder], drawn)
        motion.flight[sites] = 1 / whole[holder, 0]
        motion.turn[sites] = np.maximum((freely - taken) / 3 - 1 / whole[holder, 0], 0)
        motion.radius[sites] = np.linalg.norm(system.position[sites] - centre[holder], axis=1)
    return motion


def _sites_of(
    batch: _Batch, system: ClassicalSystem, fragments: Fragments
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the batch's virtual sites, and the place of each fragment in the batch."""
    place = np.full(fragments.count, -1)
    place[batch.members] = np.arange(len(batch.members))
    of_site = place[fragments.of_atom[system.sites.site]]
    rows = np.flatnonzero(of_site >= 0)
    return rows, of_site[rows]


def _batches(system: ClassicalSystem, fragments: Fragments) -> Iterator[_Batch]:
    pairs = system.constraint_atoms
    if len(pairs) == 0:
        return
    real = np.flatnonzero(~system.sites.mask(system.atoms))
    sizes = np.bincount(fragments.of_atom[real], minlength=fragments.count)
    holder = fragments.of_atom[pairs[:, 0]]
    held = np.bincount(holder, minlength=fragments.count)
    by_fragment = real[np.argsort(fragments.of_atom[real], kind="stable")]
    first_atom = np.concatenate([[0], np.cumsum(sizes)])
    by_holder = np.argsort(holder, kind="stable")
    first_pair = np.concatenate([[0], np.cumsum(held)])
    slot = np.zeros(system.atoms, dtype=np.int64)
    slot[by_fragment] = np.arange(len(real)) - first_atom[fragments.of_atom[by_fragment]]
    kinds = np.unique(np.stack([sizes, held])[:, held > 0], axis=1)
    for n, m in kinds.T:
        members = np.flatnonzero((sizes == n) & (held == m))
        atoms = by_fragment[first_atom[members][:, None] + np.arange(n)].astype(np.int32)
        ties = pairs[by_holder[first_pair[members][:, None] + np.arange(m)]]
        apart = system.position[ties[:, :, 0]] - system.position[ties[:, :, 1]]
        length = np.linalg.norm(apart, axis=2, keepdims=True)
        apart /= np.where(length > 0, length, 1.0)  # atoms at one position are reported elsewhere
        along = np.zeros((len(members), m, n, 3))
        fragment, row = np.indices((len(members), m))
        along[fragment, row, slot[ties[:, :, 0]]] = apart
        along[fragment, row, slot[ties[:, :, 1]]] = -apart
        yield _Batch(members.astype(np.int32), atoms, along, 1.0 / system.mass[atoms])
