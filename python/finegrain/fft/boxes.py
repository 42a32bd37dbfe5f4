# SPDX-License-Identifier: BSD-3-Clause
"""Ways to divide a grid among processes; sizes of parts differ by at most one point per axis."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from finegrain.errors import InputError
from finegrain.fft import engine

Box = tuple[tuple[int, int, int], tuple[int, int, int]]
"""The first point, and the point after the last one, along each axis."""

EMPTY: Box = ((0, 0, 0), (0, 0, 0))


def bricks(grid: Sequence[int], parts: Sequence[int]) -> list[Box]:
    """Divide a grid along all axes.

    Parameters
    ----------
    grid : sequence of 3 int
        Number of points along each axis.
    parts : sequence of 3 int
        Number of parts along each axis; more parts than points leave empty boxes.

    Returns
    -------
    list of Box
        One for each process, the last axis fastest.

    Raises
    ------
    InputError
        If a number is below 1, or there are not three.
    """
    sizes, counts = three("grid", grid), three("parts", parts)
    return [(tuple(low), tuple(high)) for low, high in engine.call("bricks", sizes, counts)]


def pencils(grid: Sequence[int], parts: Sequence[int], axis: int) -> list[Box]:
    """Divide a grid so that boxes are whole along one axis; `parts` are those of the two others."""
    if axis not in (0, 1, 2):
        raise InputError("a grid has the axes 0, 1 and 2", value=f"axis = {axis}")
    if len(parts) != 2:
        raise InputError("pencils have parts along two axes", value=str(list(parts)))
    counts = list(parts)
    counts.insert(axis, 1)
    return bricks(grid, counts)


def slabs(grid: Sequence[int], parts: int, axis: int = 0) -> list[Box]:
    """Divide a grid along one axis only."""
    if axis not in (0, 1, 2):
        raise InputError("a grid has the axes 0, 1 and 2", value=f"axis = {axis}")
    counts = [1, 1, 1]
    counts[axis] = parts
    return bricks(grid, counts)


def whole_numbers(name: str, values: Any) -> list[int]:
    """Return a whole number, or several, as a list; `name` is for the message."""
    try:
        return [_whole(values)]
    except TypeError:
        pass
    try:
        return [_whole(value) for value in values]
    except TypeError as error:
        raise InputError(
            "sizes and axes are whole numbers",
            value=f"{name} = {values!r}",
            hint="convert it with int(), if that is what you mean",
        ) from error


def _whole(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError("True and False count nothing")
    return operator.index(value)


def yes_or_no(name: str, value: Any) -> bool:
    """Return a switch; words such as "no", which Python takes for true, are refused."""
    if isinstance(value, int | np.bool_):
        return bool(value)
    hint = "write True or False"
    raise InputError("is a switch", where=name, value=repr(value), hint=hint)


def three(name: str, values: Sequence[int]) -> tuple[int, int, int]:
    """Return three positive numbers; `name` is for the message."""
    numbers = whole_numbers(name, values)
    if len(numbers) != 3 or min(numbers) < 1 or max(numbers) > 2**31 - 1:
        limit = f"1 to {2**31 - 1}"
        raise InputError(f"{name} needs three numbers", value=str(values), limit=limit)
    return numbers[0], numbers[1], numbers[2]


def as_slices(box: Box) -> tuple[slice, slice, slice]:
    """Return the box as an index into an array of the whole grid."""
    (a, b, c), (d, e, f) = box
    return slice(a, d), slice(b, e), slice(c, f)


def shape_of(box: Box) -> tuple[int, int, int]:
    """Return the number of points along each axis."""
    (a, b, c), (d, e, f) = box
    return max(0, d - a), max(0, e - b), max(0, f - c)


def as_box(value: Any) -> Box:
    """Return a box given as two corners or as three slices or pairs."""
    try:
        if len(value) == 2:
            (a, b, c), (d, e, f) = value
        else:
            pairs = [(v.start, v.stop) if isinstance(v, slice) else v for v in value]
            (a, d), (b, e), (c, f) = pairs
        low, high = [operator.index(v) for v in (a, b, c)], [operator.index(v) for v in (d, e, f)]
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])
    except (TypeError, ValueError) as error:
        raise InputError(
            "a box is two corners of whole numbers, or three slices with both ends",
            value=repr(value),
        ) from error
