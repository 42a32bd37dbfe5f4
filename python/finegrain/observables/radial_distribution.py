# SPDX-License-Identifier: BSD-3-Clause
"""Radial distribution functions.

g(r) is the number of atoms B at the distance r from an atom A, relative to the same density without
structure. Source: Allen and Tildesley, Computer Simulation of Liquids (2017), section 8.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.base import cells
from finegrain.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class RadialDistribution:
    """A radial distribution function.

    Attributes
    ----------
    r : ndarray, float64, shape (bins,)
        Middle of each bin, in the unit of the positions.
    g : ndarray, float64, shape (bins,)
        Mean over all frames; 1 without structure.
    neighbours : ndarray, float64, shape (bins,)
        Mean number of atoms B round an atom A up to the outer edge of the bin.
    """

    r: Floats
    g: Floats
    neighbours: Floats


def longest_distance(boxes: ArrayLike) -> float:
    """Return half the smallest distance between opposite faces of the boxes, (frames, 3[, 3])."""
    return 0.5 * min(_smallest_width(box) for box in np.asarray(boxes, np.float64))


def radial_distribution(
    positions: ArrayLike,
    boxes: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    longest: float | None = None,
    bins: int = 200,
    molecules: ArrayLike | None = None,
) -> RadialDistribution:
    """Return g(r) of atoms `second` round atoms `first`, by nearest images.

    Parameters
    ----------
    positions : array, shape (frames, atoms, 3)
        In any unit of length, wrapped or not.
    boxes : array, shape (frames, 3) or (frames, 3, 3)
        Edges, or vectors in rows.
    first, second : arrays of int
        Which atoms. The same atoms twice, or no atom in both.
    longest : float, optional
        Largest distance; by default half the smallest width of any box, which is also the limit.
    bins : int
        Number of equal parts of 0 to `longest`.
    molecules : array of int, shape (atoms,), optional
        A number for the molecule of each atom. Pairs in the same molecule are left out: bonds make
        narrow peaks that are many times as high as all others.

    Raises
    ------
    InputError
        If there is nothing to average, a box is not periodic, or `longest` is too long.
    """
    frames = np.asarray(positions, np.float64)
    all_boxes = np.asarray(boxes, np.float64)
    a, b = np.asarray(first, int), np.asarray(second, int)
    same = np.array_equal(a, b)
    of = np.arange(frames.shape[1]) if molecules is None else np.asarray(molecules, int)
    pairs = len(a) * len(b) - _pairs_inside(of[a], of[b])
    if len(frames) == 0 or pairs == 0:
        raise InputError(
            "there is no pair of atoms for a radial distribution function",
            value=f"{len(frames)} frames, {len(a)} and {len(b)} atoms",
        )
    if not same and np.intersect1d(a, b).size:
        raise InputError(
            "some atoms, but not all, are in both groups of a radial distribution function",
            hint="give the same atoms twice, or groups without common atoms",
        )
    if not all(cells.is_periodic(box) for box in all_boxes):
        raise InputError(
            "a radial distribution function needs a density, and here is no periodic box"
        )
    limit = longest_distance(all_boxes)
    end = limit if longest is None else float(longest)
    if not 0 < end <= limit * (1 + 1e-12):
        raise InputError(
            "the largest distance of a radial distribution function is out of range",
            value=f"{end:g}",
            limit=f"above 0, at most {limit:g}, half the smallest width of the box",
        )
    edges = np.linspace(0, end, bins + 1)
    shells = 4 / 3 * np.pi * np.diff(edges**3)
    g, counts = np.zeros(bins), np.zeros(bins)
    for frame, box in zip(frames, all_boxes, strict=True):
        vectors = cells.vectors_of(box)
        found = _counts(frame[a], frame[b], vectors, edges, (of[a], of[b]))
        counts += found
        g += found * (abs(np.linalg.det(vectors)) / (pairs * shells))
    return RadialDistribution(
        r=0.5 * (edges[1:] + edges[:-1]),
        g=g / len(frames),
        neighbours=np.cumsum(counts) / (len(frames) * len(a)),
    )


def _pairs_inside(a: Ints, b: Ints) -> int:
    """Return the number of ordered pairs of atoms, of these molecules, in the same molecule."""
    most = int(max(a.max(initial=0), b.max(initial=0))) + 1
    return int(np.bincount(a, minlength=most) @ np.bincount(b, minlength=most))


def _counts(a: Floats, b: Floats, vectors: Floats, edges: Floats, of: tuple[Ints, Ints]) -> Floats:
    """Return the number of ordered pairs in each bin, without those in the same molecule.

    Without molecules an atom is one of its own, so that it is no neighbour of itself.

    Rounding of fractions gives the nearest image up to half the smallest width.
    """
    inverse = np.linalg.inv(vectors)
    total = np.zeros(len(edges) - 1)
    some = max(1, 2**20 // max(1, len(b)))  # rows at a time, for memory
    for start in range(0, len(a), some):
        fractions = (b[None] - a[start : start + some, None]) @ inverse
        fractions -= np.round(fractions)
        distances = np.linalg.norm(fractions @ vectors, axis=-1)
        distances[of[0][start : start + some, None] == of[1]] = np.inf
        total += np.histogram(distances, edges)[0]
    return total


def _smallest_width(box: Any) -> float:
    """Return the smallest distance between opposite faces."""
    return float(cells.widths(box).min()) if cells.is_periodic(box) else 0.0
