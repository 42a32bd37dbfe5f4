# SPDX-License-Identifier: BSD-3-Clause
"""Copies of a rigid molecule in a periodic box, pushed apart until none overlaps. Lengths in Å.

Copies begin at random places with random orientations. Then each pair of atoms of two copies that
is nearer than its contact repels softly: its energy is the square of the share that it is nearer.
FIRE moves and turns the copies downhill (Bitzek and others, Phys. Rev. Lett. 97, 170201, 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.base.cells import Floats

Ints = NDArray[np.int64]

# Contacts are this share of the sum of van der Waals radii: neighbours in liquids are as near.
_share = 0.88
_hydrogen_bond = 1.75  # from a hydrogen to nitrogen, oxygen or fluorine
_acceptors = ("N", "O", "F")
_unknown_radius = 2.0
LEAST_SHARE = 0.8  # of a contact, of the closest pair of a box that is good enough
_good_share = 0.97
_tries, _steps = 4, 800
_skin = 1.0  # how much farther than contacts the list of pairs reaches
_longest_move = 0.2
_at_once = 2_000_000  # numbers in a work array


@dataclass(frozen=True)
class Packed:
    """A packed box.

    Attributes
    ----------
    position : float64, shape (copies, atoms of a copy, 3)
        Copies are whole, with their middles in the box.
    share : float
        Distance over contact of the pair for which it is least; infinite if no two are near.
    closest : float
        The shortest distance between atoms of two copies.
    pair : (int, int)
        Its atoms, counted through all copies.
    """

    position: Floats
    share: float
    closest: float
    pair: tuple[int, int]


def contacts_of(symbols: Sequence[str]) -> Floats:
    """Return the contact of each pair of atoms of two copies, shape (atoms, atoms)."""
    from ase.data import atomic_numbers, vdw_alvarez

    radii = np.array([vdw_alvarez.vdw_radii[atomic_numbers[one]] for one in symbols])
    radii = np.where(np.isfinite(radii), radii, _unknown_radius)
    found: Floats = _share * (radii[:, None] + radii)
    hydrogen = np.array([one == "H" for one in symbols])
    acceptor = np.array([one in _acceptors for one in symbols])
    bonds = hydrogen[:, None] & acceptor
    found[bonds | bonds.T] = _hydrogen_bond
    return found


def packed_box(molecule: Floats, contacts: Floats, copies: int, edges: Floats, seed: int) -> Packed:
    """Return the best of some boxes, or the first that is good.

    Parameters
    ----------
    molecule : float64, shape (atoms, 3)
    contacts : float64, shape (atoms, atoms)
        See `contacts_of`.
    copies : int
    edges : float64, shape (3,)
    seed : int
        The same seed gives the same box.
    """
    best: Packed | None = None
    body = molecule - molecule.mean(axis=0)
    for attempt in range(_tries):
        box = _Box(body, contacts, copies, edges, np.random.default_rng([seed, attempt]))
        box.relax()
        found = box.measured()
        if best is None or found.share > best.share:
            best = found
        if best.share >= _good_share:
            break
    assert best is not None
    return best


class _Box:
    """Copies of a molecule on their way."""

    def __init__(
        self,
        body: Floats,
        contacts: Floats,
        copies: int,
        edges: Floats,
        generator: np.random.Generator,
    ) -> None:
        self.body, self.edges, self.atoms = body, edges, len(body)
        self.contacts, self.copies = contacts, copies
        self.centre = generator.random((copies, 3)) * edges
        self.turn = _random_turns(generator, copies)
        # A turn by an angle moves atoms about as far as a move by this times the angle does.
        self.arm = max(0.3, float(np.sqrt((body**2).sum(axis=1).mean())))
        self.reach = float(contacts.max())
        self.listed_at: Floats | None = None
        self.one = self.two = np.zeros(0, np.int64)

    def position(self) -> Floats:
        """Return the position of each atom, shape (copies, atoms, 3)."""
        return np.asarray(self.centre[:, None] + np.einsum("cij,aj->cai", self.turn, self.body))

    def relax(self) -> None:
        """Move and turn the copies until no pair is nearer than its contact, or nothing helps."""
        speed = np.zeros((2, self.copies, 3))
        step, inertia, downhill = 0.1, 0.1, 0
        for _ in range(_steps):
            push, largest = self._push()
            if largest < 1 - _good_share:
                return
            power = float((push * speed).sum())
            if power > 0:
                downhill += 1
                size = np.linalg.norm(push) or 1.0
                speed = (1 - inertia) * speed + inertia * push * (np.linalg.norm(speed) / size)
                if downhill > 5:
                    step, inertia = min(1.1 * step, 1.0), 0.99 * inertia
            else:
                speed[:] = 0
                downhill, step, inertia = 0, 0.5 * step, 0.1
            speed += step * push
            move = step * speed
            longest = float(np.linalg.norm(move, axis=2).max())
            if longest > _longest_move:
                move *= _longest_move / longest
            self.centre += move[0]
            self.turn = _turned(self.turn, move[1] / self.arm)

    def _push(self) -> tuple[Floats, float]:
        """Return the forces on places and turns, and the largest share that a pair is too near."""
        position = self.position()
        flat = position.reshape(-1, 3)
        self._list(flat)
        apart = flat[self.one] - flat[self.two]
        apart -= self.edges * np.round(apart / self.edges)
        distance = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
        contact = self.contacts[self.one % self.atoms, self.two % self.atoms]
        near = 1 - distance / contact
        pressed = near > 0
        if not pressed.any():
            return np.zeros((2, self.copies, 3)), 0.0
        along = apart[pressed] * (near[pressed] / distance[pressed])[:, None]
        force = np.zeros_like(flat)
        np.add.at(force, self.one[pressed], along)
        np.add.at(force, self.two[pressed], -along)
        of_copies = force.reshape(position.shape)
        torque = np.cross(position - self.centre[:, None], of_copies).sum(axis=1)
        return np.stack([of_copies.sum(axis=1), torque / self.arm]), float(near.max())

    def _list(self, flat: Floats) -> None:
        """Find the pairs again that may be near, if atoms have moved far since it was done."""
        if self.listed_at is not None:
            moved = float(np.linalg.norm(flat - self.listed_at, axis=1).max())
            if 2 * moved < _skin:
                return
        self.listed_at = flat.copy()
        self.one, self.two, _ = self._pairs(flat, self.reach + _skin)

    def _pairs(self, flat: Floats, reach: float) -> tuple[Ints, Ints, Floats]:
        """Return the pairs of atoms of two copies within a distance, each once."""
        ones, twos, distances = [], [], []
        rows = max(1, _at_once // (3 * len(flat)))
        owner = np.arange(len(flat)) // self.atoms
        for first in range(0, len(flat), rows):
            here = slice(first, first + rows)
            apart = flat[here, None] - flat
            apart -= self.edges * np.round(apart / self.edges)
            distance = np.linalg.norm(apart, axis=2)
            one, two = np.nonzero((distance < reach) & (owner[here, None] < owner))
            ones.append(one + first)
            twos.append(two)
            distances.append(distance[one, two])
        return np.concatenate(ones), np.concatenate(twos), np.concatenate(distances)

    def measured(self) -> Packed:
        """Return the box, with the middles of the copies in it, and its closest pair."""
        self.centre -= self.edges * np.floor(self.centre / self.edges)
        position = self.position()
        one, two, distance = self._pairs(position.reshape(-1, 3), float(self.edges.max()))
        if len(one) == 0:
            return Packed(position, np.inf, np.inf, (0, 0))
        shares = distance / self.contacts[one % self.atoms, two % self.atoms]
        closest = int(distance.argmin())
        pair = (int(one[closest]), int(two[closest]))
        return Packed(position, float(shares.min()), float(distance[closest]), pair)


def _random_turns(generator: np.random.Generator, count: int) -> Floats:
    """Return rotations, each as likely as any other, shape (count, 3, 3)."""
    four = generator.normal(size=(count, 4))
    w, x, y, z = (four / np.linalg.norm(four, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _turned(turn: Floats, angles: Floats) -> Floats:
    """Return rotations after turns about axes by angles: Rodrigues' formula."""
    angle = np.linalg.norm(angles, axis=1)[:, None, None]
    axis = angles / np.maximum(angle[:, 0], 1e-300)
    cross = np.zeros((len(angles), 3, 3))
    cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    cross -= np.swapaxes(cross, 1, 2)
    more = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    found: Floats = more @ turn
    left, _, right = np.linalg.svd(found)  # so that rounding does not deform the molecule
    return np.asarray(left @ right)
