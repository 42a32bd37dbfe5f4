# SPDX-License-Identifier: BSD-3-Clause
"""Periodic cells.

A *box* is an array. With shape (3,) it has the edges of a rectangular cell. With shape (3, 3) it
has the vectors a, b and c of a tilted cell in rows. In the engine's form a lies along x, and b in
the plane of x and y. The cell is reduced: b and c cannot be made shorter by adding a or b. Any unit
of length.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# A smaller angle between vectors is the rounding of a file, and is dropped.
_upright = 1e-5
# Some cells are exactly at the limit: a hexagonal one, or a rhombic dodecahedron.
_half = 0.5 * (1 + 1e-7)


def vectors_of(box: Floats) -> Floats:
    """Return the vectors in rows, shape (3, 3), of edges, of vectors, or of the engine's numbers.

    The engine has three edges, and the tilts xy, xz and yz behind them if the cell is tilted.
    """
    box = np.asarray(box, np.float64)
    if box.shape == (3, 3):
        return box
    vectors = np.diag(box[:3])
    vectors[[1, 2, 2], [0, 0, 1]] = box[3:] if len(box) == 6 else 0.0
    return vectors


def box_of(vectors: Floats) -> Floats:
    """Return a box of vectors, or of the engine's numbers: edges if the cell is rectangular."""
    vectors = vectors_of(vectors)
    edges = np.diagonal(vectors).copy()
    return edges if np.array_equal(vectors, np.diag(edges)) else vectors


def is_tilted(box: Floats) -> bool:
    """Return whether a box has vectors, not just edges."""
    return box.ndim == 2


def is_periodic(box: Floats) -> bool:
    """Return whether a box has a volume; without images its edges are zero."""
    return bool((np.diagonal(vectors_of(box)) > 0).all())


def engine_numbers(box: Floats) -> Floats:
    """Return three edges, or three edges and three tilts: the form of jobs and checkpoints."""
    vectors = vectors_of(box)
    edges = np.diagonal(vectors)
    return np.concatenate([edges, vectors[[1, 2, 2], [0, 0, 1]]]) if is_tilted(box) else edges


def volume(box: Floats) -> float:
    """Return the volume of a box in the engine's form."""
    return float(np.prod(np.diagonal(vectors_of(box))))


def lengths(box: Floats) -> Floats:
    """Return the lengths of the vectors, shape (3,)."""
    return np.asarray(np.linalg.norm(vectors_of(box), axis=1)) if is_tilted(box) else box


def widths(box: Floats) -> Floats:
    """Return the distances between opposite faces, shape (3,)."""
    if not is_tilted(box):
        return box
    return np.asarray(1 / np.linalg.norm(np.linalg.inv(box), axis=0))


def cosines(box: Floats) -> Floats:
    """Return the cosines of the angles alpha (between b and c), beta (a, c) and gamma (a, b)."""
    if not is_tilted(box):
        return np.zeros(3)
    a, b, c = box / np.linalg.norm(box, axis=1)[:, None]
    return np.asarray(np.clip([b @ c, a @ c, a @ b], -1, 1))


def angles(box: Floats) -> Floats:
    """Return the angles alpha, beta and gamma in degrees."""
    return np.asarray(np.degrees(np.arccos(cosines(box))))


def vectors_from(edges: Floats, degrees: Floats) -> Floats:
    """Return the vectors of lengths and angles, shape (3, 3), a along x and b in xy.

    A cell that does not exist gives values that are not finite.
    """
    (a, b, c), cosines = edges, np.cos(np.radians(degrees))
    cosines[np.asarray(degrees) == 90] = 0.0
    alpha, beta, gamma = cosines
    with np.errstate(invalid="ignore", divide="ignore"):
        sine = np.sqrt(1 - gamma**2)
        y = (alpha - beta * gamma) / sine
        z = np.sqrt(1 - beta**2 - y**2)
        return np.array([[a, 0, 0], [b * gamma, b * sine, 0], [c * beta, c * y, c * z]])


def fractional(position: Floats, box: Floats) -> Floats:
    """Return positions, shape (..., 3), as multiples of the vectors."""
    if not is_tilted(box):
        return np.asarray(position / box)
    return np.asarray(position @ np.linalg.inv(box))


def nearest_shift(apart: Floats, box: Floats) -> Floats:
    """Return what to subtract from differences, shape (..., 3), for their nearest images.

    These are sums of vectors. The image found is the nearest one if that is shorter than half the
    shortest edge; see the engine's Box.
    """
    vectors, shift = vectors_of(box), np.zeros_like(apart)
    for axis in (2, 1, 0):
        count = np.round((apart[..., axis] - shift[..., axis]) / vectors[axis, axis])
        shift += count[..., None] * vectors[axis]
    return shift


def shifts(images: NDArray[np.int32], box: Floats) -> Floats:
    """Return numbers of images, shape (..., 3), as sums of vectors."""
    return np.asarray(images * box if not is_tilted(box) else images @ box)


def upright(vectors: Floats) -> tuple[Floats, Floats | None]:
    """Return a cell in the engine's form.

    Parameters
    ----------
    vectors : float64, shape (3, 3)
        Any vectors that span a volume, in rows.

    Returns
    -------
    float64, shape (3,) or (3, 3)
        The box of the same lattice.
    float64, shape (3, 3), or None
        The rotation R that the lattice needs: a position r becomes R r. None if it needs none.
    """
    vectors = np.array(vectors, np.float64)
    largest = np.abs(vectors).max()
    turn = None
    if np.abs(np.triu(vectors, 1)).max() > _upright * largest or (np.diag(vectors) < 0).any():
        if np.linalg.det(vectors) < 0:
            vectors[2] *= -1  # the same lattice; a turn cannot change its hand
        q, r = np.linalg.qr(vectors.T)
        signs = np.sign(np.diagonal(r))
        turn, vectors = signs[:, None] * q.T, (signs[:, None] * r).T
        if np.abs(turn - np.eye(3)).max() < _upright:
            turn = None
    vectors = np.tril(vectors)
    if np.abs(vectors - np.diag(np.diagonal(vectors))).max() <= _upright * largest:
        return np.diagonal(vectors).copy(), turn
    return _reduced(vectors), turn


def repeated(box: Floats, counts: tuple[int, int, int]) -> Floats:
    """Return the box of so many copies of a box along each of its vectors."""
    if not is_tilted(box):
        return np.asarray(box * counts)
    return _reduced(vectors_of(box) * np.array(counts)[:, None])


def _reduced(vectors: Floats) -> Floats:
    """Return the box of the same lattice whose vectors b and c are shortest; changes `vectors`."""
    for row, column in ((2, 1), (2, 0), (1, 0)):
        share = vectors[row, column] / vectors[column, column]
        if abs(share) > _half:
            vectors[row] -= np.round(share) * vectors[column]
    return box_of(vectors)


def same_lattice(one: Floats, other: Floats, error: float) -> bool:
    """Return whether vectors are sums of the other ones, and the reverse, within an error."""
    steps = np.round(one @ np.linalg.inv(other))
    near = np.abs(steps @ other - one).max() < error
    return bool(near and abs(round(np.linalg.det(steps))) == 1)


def describe(box: Floats, unit: str) -> str:
    """Return a text such as "6.000 x 6.000 x 6.000 nm, angles 70.53°, 109.47°, 70.53°"."""
    text = " x ".join(f"{length:.3f}" for length in lengths(box)) + f" {unit}"
    if is_tilted(box):
        text += ", angles " + ", ".join(f"{angle:.2f}°" for angle in angles(box))
    return text
