# SPDX-License-Identifier: BSD-3-Clause
"""Joint diagonalisation of real symmetric matrices by rotations of two vectors at a time.

Source: Gygi, Fattebert and Schwegler, Comput. Phys. Commun. 155, 1 (2003); the angle: Cardoso and
Souloumiac, SIAM J. Matrix Anal. Appl. 17, 161 (1996). Plain numbers without units.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.base.cells import Floats
from finegrain.errors import NumericsError

_most_sweeps = 1000
# A rotation that gains less than this share of the sum of squares of all elements is left out.
_least_gain = 1e-15


def joint_diagonal(matrices: Floats, weights: Floats, start: Floats) -> Floats:
    """Return the orthogonal U that makes the sum of weight (U^T A U)_ii^2 largest.

    Parameters
    ----------
    matrices : float64, shape (matrices, n, n)
        Symmetric.
    weights : float64, shape (matrices,)
    start : float64, shape (n, n)
        The first U. It must be no point of symmetry, such as the unit matrix may be. There no
        rotation gains anything to first order, and the search would end.

    Returns
    -------
    float64, shape (n, n)

    Raises
    ------
    NumericsError
        If the rotations do not come to an end.
    """
    turned = start.T @ matrices @ start
    turn = start.copy()
    least = _least_gain * float(np.abs(weights) @ (matrices**2).sum(axis=(1, 2)))
    rounds = _rounds(len(start))
    for _ in range(_most_sweeps):
        # Pairs of a round have no vector in common, so they are turned at once.
        rotated = [_rotate(turned, turn, weights, *pairs, least) for pairs in rounds]
        if not any(rotated):
            return turn
    raise NumericsError(
        "the joint diagonalisation does not end",
        value=f"{_most_sweeps:,} sweeps",
        hint="are the orbitals those of an insulator?",
    )


def _rounds(n: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return all pairs in rounds, as a tournament has them: all meet all."""
    players = list(range(n + n % 2))
    rounds = []
    for _ in range(len(players) - 1):
        half = len(players) // 2
        pairs = zip(players[:half], reversed(players[half:]), strict=True)
        met = np.array([(min(p, q), max(p, q)) for p, q in pairs if max(p, q) < n], np.intp)
        met = met.reshape(-1, 2)
        rounds.append((met[:, 0], met[:, 1]))
        players = [players[0], players[-1], *players[1:-1]]
    return rounds


def _rotate(
    turned: Floats,
    turn: Floats,
    weights: Floats,
    p: NDArray[np.intp],
    q: NDArray[np.intp],
    least: float,
) -> bool:
    """Rotate each pair by its best angle; return whether any gained enough."""
    along = turned[:, p, p] - turned[:, q, q]
    across = 2 * turned[:, p, q]
    # The sum of squares is largest along the first eigenvector of a matrix of 2 x 2.
    difference = weights @ (along**2 - across**2)
    product = 2 * (weights @ (along * across))
    gain = (np.hypot(difference, product) - difference) / 4
    angle = np.where(gain > least, np.arctan2(product, difference) / 4, 0.0)
    if not angle.any():
        return False
    cos, sin = np.cos(angle), np.sin(angle)
    for axis in (1, 2):
        rows = np.moveaxis(turned, axis, 1)
        one, two = rows[:, p, :], rows[:, q, :]
        rows[:, p, :] = cos[:, None] * one + sin[:, None] * two
        rows[:, q, :] = cos[:, None] * two - sin[:, None] * one
    one, two = turn[:, p], turn[:, q]
    turn[:, p] = cos * one + sin * two
    turn[:, q] = cos * two - sin * one
    return True
