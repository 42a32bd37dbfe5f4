# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of arrays in this process, with the parameters of ``scipy.fft``.

Forward is X(k) = sum_j x(j) exp(-2 pi i j k / n). Backward has the other sign and, with the usual
norm, the factor 1/n. Arrays of float32 and complex64 are transformed in single precision.

The engine keeps up to 32 MB of tables of lengths for each precision, and the last four whatever
their size. The first transform of a length makes them in the time of at most some ten transforms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.errors import InputError
from finegrain.fft import engine
from finegrain.fft.boxes import whole_numbers

Waves = NDArray[np.complexfloating[Any, Any]]
Points = NDArray[np.floating[Any]]

_LONGEST = 2**31 - 1  # points of a line in the engine


def fft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Waves:
    """Transform one axis of an array.

    Parameters
    ----------
    x : array_like
        An array of any shape; real or complex.
    n : int, optional
        Length of the axis in the result: longer arrays are cut, shorter ones are followed by zeros.
    axis : int, optional
        The axis, the last one by default.
    norm : {"backward", "ortho", "forward"}, optional
        Whether the backward transform has the factor 1/n (the default), both have 1/sqrt(n), or the
        forward one has 1/n.

    Returns
    -------
    ndarray
        Complex, of the shape of `x` but for `n`.

    Raises
    ------
    InputError
        An axis that is not there. An axis or a length that is not a whole number, or a length below
        1. An unknown norm. Numbers of another type.
    """
    return fftn(x, _one_length(n), (axis,), norm)


def ifft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Waves:
    """Transform one axis back; parameters and errors are those of `fft`."""
    return ifftn(x, _one_length(n), (axis,), norm)


def rfft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Waves:
    """Transform one axis of real numbers; n//2 + 1 waves are kept, the others are conjugates.

    Parameters and errors are those of `fft`; complex numbers are an InputError too.
    """
    return rfftn(x, _one_length(n), (axis,), norm)


def irfft(x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Points:
    """Transform the waves of real numbers back; `n` is the number of points, by default even."""
    return irfftn(x, _one_length(n), (axis,), norm)


def fftn(
    x: ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Waves:
    """Transform several axes.

    Parameters
    ----------
    x : array_like
        An array of any shape; real or complex.
    s : sequence of int, optional
        Lengths of the axes in the result, as `n` of `fft`; -1 leaves an axis as it is. One number
        is the length of one axis.
    axes : sequence of int, optional
        All axes by default, or the last ones if only `s` is given. Without axes nothing is
        transformed.
    norm : {"backward", "ortho", "forward"}, optional
        As in `fft`, with the product of all lengths.

    Returns
    -------
    ndarray
        Complex.

    Raises
    ------
    InputError
        As `fft`; and an axis that is named twice, or another number of lengths than of axes.
    """
    return _complex(x, s, axes, norm, forward=True)


def ifftn(
    x: ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Waves:
    """Transform several axes back; parameters and errors are those of `fftn`."""
    return _complex(x, s, axes, norm, forward=False)


def rfftn(
    x: ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Waves:
    """Transform several axes of real numbers; along the last of `axes`, n//2 + 1 waves are kept.

    Parameters and errors are those of `fftn`; complex numbers are an InputError too.
    """
    values = np.asarray(x)
    if values.dtype.kind == "c":
        raise InputError("a transform of real numbers got complex ones", hint="use fftn")
    values = values.astype(engine.real_type(values.dtype), copy=False)
    chosen, lengths = _axes_and_lengths(values.shape, s, axes)
    _require_axes(chosen)
    values = _fit(values, chosen, lengths)
    factor = engine.scale(norm, math.prod(lengths), forward=True)
    # The engine takes real lines of adjacent points.
    last = chosen[-1]
    points = np.require(np.moveaxis(values, last, -1), requirements=["C", "A"])
    waves = np.empty((*points.shape[:-1], lengths[-1] // 2 + 1), engine.complex_type(points.dtype))
    if waves.size:
        engine.call("transform_real_array", points, waves, _with_last(chosen, points.ndim), factor)
    return np.moveaxis(waves, -1, last)


def irfftn(
    x: ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Points:
    """Transform the waves of real numbers back.

    Parameters
    ----------
    x : array_like
        Waves as `rfftn` returns them; the imaginary parts that real points exclude are not read.
    s : sequence of int, optional
        The number of points along `axes`; without it the last one is even, 2 (m - 1) for m waves.
    axes, norm
        As in `fftn`.

    Returns
    -------
    ndarray
        Real.
    """
    values = np.asarray(x)
    values = values.astype(engine.complex_type(values.dtype), copy=False)
    chosen, lengths = _axes_and_lengths(values.shape, s, axes)
    _require_axes(chosen)
    if s is None:
        lengths[-1] = max(1, 2 * (lengths[-1] - 1))
    points = lengths[-1]
    values = _fit(values, chosen, [*lengths[:-1], points // 2 + 1])
    factor = engine.scale(norm, math.prod(lengths), forward=False)
    last = chosen[-1]
    waves = np.require(np.moveaxis(values, last, -1), requirements=["C", "A"])
    result = np.empty((*waves.shape[:-1], points), engine.real_type(waves.dtype))
    if result.size:
        engine.call(
            "transform_array_to_real", waves, result, _with_last(chosen, waves.ndim), factor
        )
    return np.moveaxis(result, -1, last)


def _complex(
    x: ArrayLike,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
    *,
    forward: bool,
) -> Waves:
    values = np.asarray(x)
    values = values.astype(engine.complex_type(values.dtype), copy=False)
    chosen, lengths = _axes_and_lengths(values.shape, s, axes)
    values = np.require(_fit(values, chosen, lengths), requirements=["C", "A"])
    factor = engine.scale(norm, math.prod(lengths), forward=forward)
    if not chosen:
        return values.copy()
    result = np.empty_like(values)
    if values.size:
        engine.call("transform_array", values, result, chosen, forward, factor)
    return result


def _one_length(n: SupportsIndex | None) -> list[int] | None:
    """Return the lengths of one axis; -1 is none."""
    if n is None:
        return None
    lengths = whole_numbers("n", [n])
    if lengths[0] < 1:
        raise InputError("an axis needs at least one point", value=str(lengths[0]))
    return lengths


def _with_last(axes: Sequence[int], dimensions: int) -> list[int]:
    """Return the places of axes after the last of them was moved to the end."""
    last = axes[-1]
    return [axis - (axis > last) for axis in axes[:-1]] + [dimensions - 1]


def _axes_and_lengths(
    shape: tuple[int, ...], s: Sequence[int] | None, axes: Sequence[int] | None
) -> tuple[list[int], list[int]]:
    dimensions = len(shape)
    lengths = None if s is None else whole_numbers("s", s)
    if axes is None:
        named = list(range(dimensions if lengths is None else len(lengths)))
        named = [axis + dimensions - len(named) for axis in named]
    else:
        named = whole_numbers("axes", axes)
    if lengths is not None and len(lengths) != len(named):
        raise InputError(
            "there are not as many lengths as axes", value=f"{len(lengths)} and {len(named)}"
        )
    if lengths is not None and len(lengths) > dimensions:
        raise InputError(
            "there are more lengths than the array has axes",
            value=str(len(lengths)),
            limit=str(dimensions),
        )
    for axis in named:
        if not -dimensions <= axis < dimensions:
            raise InputError(
                "the array has no such axis", value=str(axis), limit=f"{dimensions} axes"
            )
    chosen = [axis % dimensions for axis in named]
    if len(set(chosen)) != len(chosen):
        raise InputError("an axis is named twice", value=str(named))
    if lengths is None:
        lengths = [-1] * len(chosen)
    lengths = [shape[axis] if n == -1 else n for axis, n in zip(chosen, lengths, strict=True)]
    if lengths and min(lengths) < 1:
        raise InputError("an axis needs at least one point", value=str(min(lengths)))
    if lengths and max(lengths) > _LONGEST:
        raise InputError(
            "an axis is too long", value=f"{max(lengths)} points", limit=f"{_LONGEST} points"
        )
    return chosen, lengths


def _require_axes(axes: Sequence[int]) -> None:
    """Refuse a transform of real numbers that has no last axis."""
    if not axes:
        raise InputError("there is no axis to transform", value=str(list(axes)))


def _fit(values: NDArray[Any], axes: Sequence[int], lengths: Sequence[int]) -> NDArray[Any]:
    """Cut axes, or follow them with zeros."""
    shape = list(values.shape)
    for axis, length in zip(axes, lengths, strict=True):
        shape[axis] = length
    if shape == list(values.shape):
        return values
    common = tuple(slice(min(a, b)) for a, b in zip(shape, values.shape, strict=True))
    result = np.zeros(shape, values.dtype)
    result[common] = values[common]
    return result
