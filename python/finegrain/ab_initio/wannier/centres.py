# SPDX-License-Identifier: BSD-3-Clause
"""Maximally localised orbitals: their centres and spreads.

Let z_G = <w|exp(-i G r)|w> for some vectors G of the reciprocal lattice. Their weights w_G are such
that the sum of w_G G_a G_b is 1 for a = b and 0 otherwise. If a function is small compared with the
cell, its spread <r^2> - <r>^2 is the sum of w_G (1 - |z_G|^2), to leading order. The occupied
orbitals are turned among themselves so that the sum over all of them is least, which is a joint
diagonalisation. The reported spread is the sum of -w_G ln |z_G|^2, which is exact for a Gaussian.
Centres follow from the phases of z.

The vectors G follow from the lattice, and not from the vectors that the input chose for it. They
come from a superbase whose vectors meet at no acute angle (Selling). Each pair of its vectors has a
G and a weight, which is not negative. Three to six of the weights are not zero.

Sources: Resta, Phys. Rev. Lett. 80, 1800 (1998); Resta and Sorella, Phys. Rev. Lett. 82, 370
(1999); Silvestrelli, Phys. Rev. B 59, 9703 (1999), for cells of any shape; Gygi, Fattebert and
Schwegler, Comput. Phys. Commun. 155, 1 (2003); Selling, J. reine angew. Math. 77, 143 (1874) and
Conway and Sloane, Proc. R. Soc. Lond. A 436, 55 (1992), for the superbase. Units: bohr.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.states.orbitals import Orbitals
from finegrain.ab_initio.wannier.joint_diagonal import joint_diagonal
from finegrain.base.cells import Floats

# Smaller products of vectors, relative to the largest, are the rounding of a right angle.
_upright = 1e-10
_chunk = 1 << 15  # waves whose products are formed at once
_seed = 1


@dataclass(frozen=True, eq=False)
class WannierCentres:
    """Centres and spreads of maximally localised orbitals.

    Attributes
    ----------
    centres : float64, shape (orbitals, 3)
        Bohr, within the cell; with spin those of spin up first.
    spreads : float64, shape (orbitals,)
        <r^2> - <r>^2, bohr^2.
    charges : float64, shape (orbitals,)
        Electrons in each: 2, with spin 1.
    turn : float64, shape (orbitals, orbitals)
        The localised orbitals are columns of it in terms of the orbitals of the run.
    """

    centres: Floats
    spreads: Floats
    charges: Floats
    turn: Floats


def wannier_centres(orbitals: Orbitals) -> WannierCentres:
    """Localise the occupied orbitals of a run, those of each spin among themselves.

    Raises
    ------
    NumericsError
        If the localisation does not come to an end.
    """
    shifts, weights = weighted_shifts(orbitals.cell)
    coefficients = orbitals.coefficients()
    count = len(orbitals)
    turn = np.zeros((count, count))
    phases = np.empty((len(shifts), count), np.complex128)
    for some in (slice(0, orbitals.up), slice(orbitals.up, count)):
        if some.start == some.stop:
            continue
        moments = moment_matrices(orbitals.waves, coefficients[some], shifts)
        turn[some, some] = _localised(moments, weights)
        own = turn[some, some]
        phases[:, some] = np.einsum("mi,gmn,ni->gi", own, moments, own, optimize=True)
    fractions = _fractions(orbitals.cell, shifts, weights, -np.angle(phases.T) / (2 * np.pi))
    spreads = weights @ -np.log(np.abs(phases) ** 2)
    charge = 2.0 if orbitals.spin == "none" else 1.0
    return WannierCentres(
        centres=(fractions % 1.0) @ orbitals.cell,
        spreads=np.asarray(spreads),
        charges=np.full(count, charge),
        turn=turn,
    )


def weighted_shifts(cell: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return the vectors G and their weights, in falling order of the weights.

    Parameters
    ----------
    cell : float64, shape (3, 3)
        The vectors in rows, bohr.

    Returns
    -------
    shifts : int64, shape (3 to 6, 3)
        G in units of the vectors of the reciprocal lattice.
    weights : float64
        Bohr^2, all positive.
    """
    steps = _obtuse_superbase(cell)
    superbase = steps @ cell
    # The vectors of the reciprocal lattice that belong to the first three; the last has none.
    duals = np.zeros((4, 3), np.int64)
    duals[:3] = np.rint(np.linalg.inv(steps[:3]).T)
    shifts, weights = [], []
    for one in range(4):
        for two in range(one + 1, 4):
            shifts.append(duals[one] - duals[two])
            weights.append(-superbase[one] @ superbase[two] / (2 * np.pi) ** 2)
    falling = np.argsort(-np.array(weights), kind="stable")
    kept = [place for place in falling if weights[place] > _upright * max(weights)]
    return np.array(shifts)[kept], np.array(weights)[kept]


def _obtuse_superbase(cell: Floats) -> NDArray[np.int64]:
    """Return four vectors of a lattice, in units of `cell`, of which no two meet at an acute angle.

    Their sum is zero, and any three of them are a basis.
    """
    steps = np.vstack([np.eye(3, dtype=np.int64), [[-1, -1, -1]]])
    while True:
        superbase = steps @ cell
        products = superbase @ superbase.T
        np.fill_diagonal(products, 0)
        one, two = np.unravel_index(products.argmax(), (4, 4))
        # The sum of the squares of all four becomes smaller each time, so there is an end.
        if products[one, two] <= _upright * np.square(superbase).sum(axis=1).max():
            return steps
        for other in set(range(4)) - {int(one), int(two)}:
            steps[other] += steps[one]
        steps[one] *= -1


def _fractions(cell: Floats, shifts: NDArray[np.int64], weights: Floats, phases: Floats) -> Floats:
    """Return centres in units of the vectors of the cell.

    Parameters
    ----------
    phases : float64, shape (orbitals, shifts)
        In turns: products of G and the centre, up to whole numbers.
    """
    # Any three that are independent have the determinant 1 or -1: they are a basis.
    third = next(k for k in range(2, len(shifts)) if abs(np.linalg.det(shifts[[0, 1, k]])) > 0.5)
    three = [0, 1, third]
    first = np.linalg.solve(shifts[three].astype(float), phases[:, three].T).T
    # All count, so that the centre depends on no choice of three.
    left = phases - first @ shifts.T
    left -= np.round(left)
    return np.asarray(first + (left * weights) @ shifts @ np.linalg.inv(_metric(cell)))


def _metric(cell: Floats) -> Floats:
    """Return the products of the vectors of a cell over (2 pi)^2."""
    return np.asarray(cell @ cell.T / (2 * np.pi) ** 2)


def moment_matrices(
    waves: NDArray[np.int32], coefficients: NDArray[np.complex128], shifts: NDArray[np.int64]
) -> NDArray[np.complex128]:
    """Return <m|exp(-i G r)|n> for each shift G, from the half sphere of waves.

    Parameters
    ----------
    waves : int32, shape (waves, 3)
        The indices of the waves, one of each pair G and -G.
    coefficients : complex128, shape (orbitals, waves)
    shifts : int64, shape (shifts, 3)

    Returns
    -------
    complex128, shape (shifts, orbitals, orbitals)
        Symmetric: orbitals are real.
    """
    twins = waves.any(axis=1)  # all but G = 0 stand for two
    every = np.concatenate([waves, -waves[twins]]).astype(np.int64)
    whole = np.concatenate([coefficients, coefficients[:, twins].conj()], axis=1)
    reach = np.abs(every).max(axis=0) + np.abs(shifts).max()
    place = np.full(2 * reach + 1, -1, np.int64)
    place[tuple((every + reach).T)] = np.arange(len(every))
    count = len(coefficients)
    moments = np.zeros((len(shifts), count, count), np.complex128)
    for number, shift in enumerate(shifts):
        there = place[tuple((every + shift + reach).T)]
        known = np.flatnonzero(there >= 0)
        for first in range(0, len(known), _chunk):
            part = known[first : first + _chunk]
            moments[number] += whole[:, part].conj() @ whole[:, there[part]].T
    return (moments + moments.transpose(0, 2, 1)) / 2


def _localised(moments: NDArray[np.complex128], weights: Floats) -> Floats:
    count = moments.shape[1]
    matrices = np.concatenate([moments.real, moments.imag])
    normal = np.random.Generator(np.random.Philox(key=_seed)).normal(size=(count, count))
    start = np.linalg.qr(normal)[0]
    return joint_diagonal(matrices, np.concatenate([weights, weights]), start)
