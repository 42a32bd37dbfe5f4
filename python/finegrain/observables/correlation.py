# SPDX-License-Identifier: BSD-3-Clause
"""Sums of products of a series with itself at a later time, by Fourier transforms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.errors import InputError

Floats = NDArray[np.float64]


def lagged_products(series: Floats) -> Floats:
    """Return the sum over t of x(t) x(t + n) for each lag n: shape (frames, columns), as given.

    The series is filled up with as many zeros, so that its end does not meet its beginning. Source:
    Press et al., Numerical Recipes (2007), section 13.2.
    """
    frames = len(series)
    size = 1 << (2 * frames - 1).bit_length()
    result = np.empty(series.shape)
    for column in range(series.shape[1]):  # one at a time, for memory
        waves = np.fft.rfft(series[:, column], size)
        result[:, column] = np.fft.irfft(np.abs(waves) ** 2, size)[:frames]
    return result


def evenly_spaced(times: ArrayLike) -> bool:
    """Return whether times rise by a constant difference, to rounding."""
    steps = np.diff(np.asarray(times, np.float64))
    return bool(len(steps) and steps[0] > 0 and np.ptp(steps) <= 1e-6 * steps[0])


def spacing(times: ArrayLike, values: Floats) -> float:
    """Return the time between two frames of `values`, shape (frames, atoms, 3).

    Raises
    ------
    InputError
        If there are fewer than two frames, no atoms, or times are not evenly spaced.
    """
    clock = np.asarray(times, np.float64)
    if values.ndim != 3 or values.shape[2] != 3 or len(values) < 2 or values.shape[1] == 0:
        raise InputError(
            "a mean over time needs two frames of one atom or more",
            value=f"an array of shape {values.shape}",
        )
    if clock.shape != (len(values),):
        raise InputError(
            "there is not one time for each frame",
            value=f"{clock.size} times",
            limit=f"{len(values)} frames",
        )
    steps = np.diff(clock)
    if not evenly_spaced(clock):
        raise InputError(
            "the frames are not evenly spaced in time",
            value=f"{steps.min():g} to {steps.max():g}",
            hint="choose frames of one run with a constant interval",
        )
    return float((clock[-1] - clock[0]) / len(steps))
