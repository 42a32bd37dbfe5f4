# SPDX-License-Identifier: BSD-3-Clause
"""Errors of means of correlated series, and what volumes at two pressures tell about each other."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

Array = NDArray[np.float64]

GAS = 8.31446261815324e-3  # kJ/mol/K
BAR = 0.0602214076  # kJ/mol/nm^3


def block_error(values: Array) -> float:
    """Return the standard error of the mean of a series of correlated values.

    The largest of the errors from 8, 16, 32 and 64 blocks: short blocks are correlated.
    """
    errors = []
    for blocks in (8, 16, 32, 64):
        length = len(values) // blocks
        if length:
            means = values[: blocks * length].reshape(blocks, length).mean(axis=1)
            errors.append(means.std(ddof=1) / np.sqrt(blocks))
    return float(max(errors))


def inefficiency(values: Array) -> float:
    """Return how many correlated values count as one: 1 + 2 sum of the autocorrelation.

    The sum ends at the first value below 0.
    """
    rest = values - values.mean()
    size = len(rest)
    spectrum = np.abs(np.fft.rfft(rest, 2 * size)) ** 2
    correlation = np.fft.irfft(spectrum)[:size] / np.arange(size, 0, -1)
    end = int(np.argmax(correlation <= 0)) or size
    return float(max(1.0, 2 * correlation[:end].sum() / correlation[0] - 1))


@dataclass
class Volumes:
    """Mean and variance of a volume, nm^3 and nm^6, with their standard errors."""

    volume: float
    volume_error: float
    variance: float
    variance_error: float

    def compressibility(self, temperature: float) -> tuple[float, float]:
        """Return var(V) / (V k T) in 1/bar, and its error."""
        unit = BAR / (self.volume * GAS * temperature)
        return self.variance * unit, self.variance_error * unit


def volumes_of(series: Array) -> Volumes:
    """Return mean and variance of a series of volumes."""
    spread = (series - series.mean()) ** 2
    return Volumes(
        float(series.mean()), block_error(series), float(spread.mean()), block_error(spread)
    )


@dataclass
class Slope:
    """The slope of ln(p2 / p1) over the volume, 1/nm^3, and the samples that count."""

    slope: float
    error: float
    samples: float


def slope_of_ratio(one: Array, two: Array) -> Slope:
    """Return the slope of the logarithm of the ratio of two distributions of the volume.

    By maximum likelihood, from all rows; the error is that of independent rows, times the root of
    the inefficiency of each series. At two pressures the slope is (P1 - P2) / kT, whatever the
    system.

    References
    ----------
    Shirts, J. Chem. Theory Comput. 9, 909 (2013), doi:10.1021/ct300688p.
    """
    middle = 0.5 * (one.mean() + two.mean())
    offset = math.log(len(two) / len(one))

    def cost(x: Array) -> float:
        at_one = offset + x[0] + x[1] * (one - middle)
        at_two = offset + x[0] + x[1] * (two - middle)
        return float(np.logaddexp(0, at_one).sum() + np.logaddexp(0, -at_two).sum())

    scale = 1 / math.sqrt(0.5 * (one.var() + two.var()))
    found = optimize.minimize(lambda y: cost(y * [1, scale]), [0.0, -2.0], method="BFGS")
    intercept, slope = found.x[0], found.x[1] * scale
    information = np.zeros((2, 2))
    for series in (one, two):
        x = series - middle
        share = 1 / (1 + np.exp(-(offset + intercept + slope * x)))
        weight = share * (1 - share) / inefficiency(series)
        moments = [float((weight * x**n).sum()) for n in range(3)]
        information += [[moments[0], moments[1]], [moments[1], moments[2]]]
    error = math.sqrt(np.linalg.inv(information)[1, 1])
    samples = min(len(series) / inefficiency(series) for series in (one, two))
    return Slope(float(slope), error, samples)
