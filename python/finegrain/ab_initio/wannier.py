# SPDX-License-Identifier: BSD-3-Clause
"""Maximally localised orbitals: their centres and spreads.

With z_G = <w|exp(-i G r)|w> for some vectors G of the reciprocal lattice, and weights with which
the sum of w_G G_a G_b is 1 for a = b and 0 otherwise, the spread <r^2> - <r>^2 of a function that
is small compared with the cell is the sum of w_G (1 - |z_G|^2), to leading order. The occupied
orbitals are turned among themselves so that the sum over all of them is least, which is a joint
diagonalisation. What is reported is the sum of -w_G ln |z_G|^2, which is exact for a Gaussian, and
centres by the phases of z.

Sources: Resta, Phys. Rev. Lett. 80, 1800 (1998); Resta and Sorella, Phys. Rev. Lett. 82, 370
(1999); Silvestrelli, Phys. Rev. B 59, 9703 (1999), for cells of any shape; Gygi, Fattebert and
Schwegler, Comput. Phys. Commun. 155, 1 (2003). Units: bohr.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.joint_diagonal import joint_diagonal
from finegrain.ab_initio.orbitals import Orbitals
from finegrain.cells import Floats

# In units of the vectors of the reciprocal lattice; the first three give the centres.
_shifts = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1))
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
    weights = shift_weights(orbitals.cell)
    used = [place for place, weight in enumerate(weights) if place < 3 or weight != 0]
    shifts = np.array(_shifts, np.int64)[used]
    coefficients = orbitals.coefficients()
    count = len(orbitals)
    turn = np.zeros((count, count))
    phases = np.empty((len(used), count), np.complex128)
    for some in (slice(0, orbitals.up), slice(orbitals.up, count)):
        if some.start == some.stop:
            continue
        moments = moment_matrices(orbitals.waves, coefficients[some], shifts)
        turn[some, some] = _localised(moments, weights[used])
        own = turn[some, some]
        phases[:, some] = np.einsum("mi,gmn,ni->gi", own, moments, own, optimize=True)
    fractions = -np.angle(phases[:3].T) / (2 * np.pi)
    spreads = weights[used] @ -np.log(np.abs(phases) ** 2)
    charge = 2.0 if orbitals.spin == "none" else 1.0
    return WannierCentres(
        centres=(fractions % 1.0) @ orbitals.cell,
        spreads=np.asarray(spreads),
        charges=np.full(count, charge),
        turn=turn,
    )


def shift_weights(cell: Floats) -> Floats:
    """Return the weights of the six vectors G; three of them are 0 in a rectangular cell.

    Parameters
    ----------
    cell : float64, shape (3, 3)
        The vectors in rows, bohr.

    Returns
    -------
    float64, shape (6,)
        Bohr^2.
    """
    reciprocal = 2 * np.pi * np.linalg.inv(cell).T
    vectors = np.array(_shifts) @ reciprocal
    rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
    products = vectors[:, rows] * vectors[:, columns]
    weights = np.linalg.solve(products.T, [1.0, 1, 1, 0, 0, 0])
    weights[np.abs(weights) < 1e-12 * np.abs(weights).max()] = 0
    return np.asarray(weights)


def moment_matrices(
    waves: NDArray[np.int32], coefficients: NDArray[np.complex128], shifts: NDArray[np.int64]
) -> NDArray[np.complex128]:
    """Return <m|exp(-i G r)|n> for each shift G, from the half sphere of waves.

    Parameters
    ----------
    waves : int32, shape (waves, 3)
        Of G and -G one.
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
