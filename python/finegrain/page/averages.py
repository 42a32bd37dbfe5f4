# SPDX-License-Identifier: BSD-3-Clause
"""Means over time: running means, and means with the error by blocks.

Rows of a run that follow each other are alike, so the error of their mean is larger than if they
were independent. Blocking joins neighbours into blocks, pair by pair, until blocks are independent;
the estimate of the error grows up to there, and then stays. Source: Flyvbjerg and Petersen,
J. Chem. Phys. 91, 461 (1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.errors import InputError

Floats = NDArray[np.float64]
_fewest_blocks = 16  # with fewer, the estimate itself has an error of more than 18 %
fewest_values = 4 * _fewest_blocks  # for three sizes of blocks


@dataclass(frozen=True)
class BlockAverage:
    """A mean with its error.

    Attributes
    ----------
    mean : float
    error : float
        Standard error of the mean; NaN with fewer than 64 values.
    settled : bool
        Whether the estimate stayed the same for larger blocks. If not, values are alike for too
        long, and the error is a lower bound.
    block : int
        Values in a block of this estimate.
    """

    mean: float
    error: float
    settled: bool
    block: int


def block_average(values: ArrayLike) -> BlockAverage:
    """Return the mean of values that follow each other in time, with its error by blocks.

    Parameters
    ----------
    values : array, shape (rows,)
        Evenly spaced in time. NaN and infinite values are left out.

    Raises
    ------
    InputError
        If there is no finite value.
    """
    series = np.asarray(values, np.float64).ravel()
    series = series[np.isfinite(series)]
    if not len(series):
        raise InputError("there is no finite value to average")
    mean = float(series.mean())
    if len(series) < fewest_values:
        return BlockAverage(mean, float("nan"), settled=False, block=1)
    errors, own = [], []
    while len(series) >= _fewest_blocks:
        count = len(series)
        error = float(np.sqrt(series.var() / (count - 1)))
        errors.append(error)
        own.append(error / np.sqrt(2.0 * (count - 1)))
        even = series[: count // 2 * 2]
        series = 0.5 * (even[0::2] + even[1::2])
    found, of = np.array(errors), np.array(own)
    for level in range(len(found) - 1):
        if (found[level + 1 :] - found[level] <= np.hypot(of[level + 1 :], of[level])).all():
            return BlockAverage(mean, errors[level], settled=True, block=2**level)
    best = int(found.argmax())
    return BlockAverage(mean, errors[best], settled=False, block=2**best)


def with_error(average: BlockAverage) -> tuple[str, str]:
    """Return a mean and its error in words, with as many digits as the error has a use for."""
    mean, error = average.mean, average.error
    if not np.isfinite(error):
        return f"{mean:.6g}".replace("-", "−"), "too few rows"
    digits = 6 if error == 0 else min(max(1 - int(np.floor(np.log10(error))), 0), 12)
    least = "" if average.settled else "at least "
    return f"{mean:,.{digits}f}".replace("-", "−"), f"{least}{error:,.{digits}f}"


def running_mean(x: Floats, y: Floats, width: int) -> tuple[Floats, Floats]:
    """Return the mean of each `width` neighbouring values, and the x in the middle of them."""
    if not 1 <= width <= len(y):
        return x[:0], y[:0]
    sums = np.cumsum(np.concatenate(([0.0], y)))
    middle = (width - 1) // 2
    mean = (sums[width:] - sums[:-width]) / width
    return x[middle : middle + len(mean)], mean
