# SPDX-License-Identifier: BSD-3-Clause
"""The vibrational density of states, from velocities.

It is the cosine transform of the mass-weighted autocorrelation of velocities
    C(t) = sum over atoms of m <v(0) v(t)>,
times a window. In the classical limit each normal mode has the same area. Source: Dickey and
Paskin, Phys. Rev. 188, 1407 (1969); windows: Harris, Proc. IEEE 66, 51 (1978).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.errors import InputError
from finegrain.observables.correlation import lagged_products, spacing

Floats = NDArray[np.float64]

# Speed of light, exact; so 1/ps in 1/cm.
speed_of_light_cm_per_ps = 2.99792458e-2
# The windows are functions of the share of the longest time, 0 to 1.
_windows: dict[str, Callable[[Floats], Floats]] = {
    "hann": lambda share: 0.5 * (1 + np.cos(np.pi * share)),
    "blackman": lambda share: 0.42 + 0.5 * np.cos(np.pi * share) + 0.08 * np.cos(2 * np.pi * share),
    "none": lambda share: np.ones_like(share),
}


@dataclass(frozen=True)
class VibrationalDensity:
    """A vibrational density of states.

    Attributes
    ----------
    wavenumber : ndarray, float64, shape (points,)
        1/cm, from 0 on.
    density : ndarray, float64, shape (points,)
        1 / (1/cm); the integral over all wavenumbers is 1.
    window : str
        Name of the window.
    longest : float
        Time at which the window ends, ps; lines have a width of about 1 / (speed of light x twice
        this time).
    """

    wavenumber: Floats
    density: Floats
    window: str
    longest: float


def velocity_autocorrelation(velocities: ArrayLike, masses: ArrayLike) -> Floats:
    """Return C(n) / C(0) for each number n of frames, mean over starts: shape (frames,).

    Parameters
    ----------
    velocities : array, shape (frames, atoms, 3)
        In any unit.
    masses : array, shape (atoms,)
        In any unit.

    Raises
    ------
    InputError
        If nothing moves.
    """
    weighted = np.asarray(velocities, np.float64) * np.sqrt(np.asarray(masses))[:, None]
    frames = len(weighted)
    sums = lagged_products(weighted.reshape(frames, -1)).sum(axis=1)
    if not sums[0] > 0:
        raise InputError("there are no vibrations, because no atom moves")
    means = sums / np.arange(frames, 0, -1)
    return np.asarray(means / means[0])


def vibrational_density(
    velocities: ArrayLike,
    masses: ArrayLike,
    times: ArrayLike,
    *,
    window: str = "hann",
    longest: float | None = None,
) -> VibrationalDensity:
    """Return the vibrational density of states.

    Parameters
    ----------
    velocities : array, shape (frames, atoms, 3)
        In any unit. The time between frames should be below a quarter of the shortest period: 2 fs
        with hydrogen.
    masses : array, shape (atoms,)
        In any unit.
    times : array, shape (frames,)
        Picoseconds, with a constant difference.
    window : str
        "hann", "blackman" or "none", from 1 at time 0 to its end at `longest`.
    longest : float, optional
        Picoseconds; half the time of all frames by default.

    Raises
    ------
    InputError
        If an argument makes no sense, or no atom moves.
    """
    values = np.asarray(velocities, np.float64)
    step = spacing(times, values)
    if window not in _windows:
        raise InputError("there is no such window", value=str(window), limit=", ".join(_windows))
    last = (len(values) - 1) * step
    end = 0.5 * last if longest is None else float(longest)
    if not step <= end <= last * (1 + 1e-9):
        raise InputError(
            "the longest time of an autocorrelation is out of range",
            value=f"{end:g} ps",
            limit=f"{step:g} to {last:g} ps",
        )
    count = int(np.floor(end / step * (1 + 1e-9))) + 1
    correlation = velocity_autocorrelation(values, masses)[:count]
    shares: Floats = np.arange(count, dtype=np.float64) * (step / end)
    correlation = correlation * _windows[window](shares)
    # The even continuation to negative times, and four times as many points as are independent.
    size = 8 * (1 << (count - 1).bit_length())
    even = np.zeros(size)
    even[:count] = correlation
    even[-(count - 1) :] = correlation[:0:-1]
    transform = np.fft.rfft(even).real
    wavenumber: Floats = np.fft.rfftfreq(size, step * speed_of_light_cm_per_ps).astype(np.float64)
    # C(0) = 1 is the integral over positive and negative frequencies, so half of it over positive.
    return VibrationalDensity(
        wavenumber=wavenumber,
        density=2 * transform * step * speed_of_light_cm_per_ps,
        window=window,
        longest=end,
    )
