# SPDX-License-Identifier: BSD-3-Clause
"""Mean squared displacement, and the diffusion coefficient that follows from it.

The mean over all starts is found by Fourier transforms. Source: Calandrini et al., Collection SFN
12, 201 (2011), section 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.errors import InputError
from finegrain.observables.correlation import lagged_products, spacing

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Displacement:
    """How far atoms have come.

    Attributes
    ----------
    time : ndarray, float64, shape (lags,)
        Between two frames, in the unit of the times.
    square : ndarray, float64, shape (lags,)
        Mean over atoms and starts of the squared distance, in the square of the unit of positions.
    """

    time: Floats
    square: Floats


def mean_squared_displacement(
    positions: ArrayLike, times: ArrayLike, masses: ArrayLike | None = None
) -> Displacement:
    """Return the mean of |r(t + time) - r(t)|^2 over atoms and starts t.

    Parameters
    ----------
    positions : array, shape (frames, atoms, 3)
        Without jumps at the faces of the box.
    times : array, shape (frames,)
        With a constant difference.
    masses : array, shape (atoms,), optional
        If given, the motion of the centre of mass is left out.

    Raises
    ------
    InputError
        If there are fewer than two frames, no atoms, or times are not evenly spaced.
    """
    tracks = np.asarray(positions, np.float64)
    step = spacing(times, tracks)
    if masses is not None:
        shares = np.asarray(masses, np.float64) / np.sum(masses)
        tracks = tracks - np.einsum("i,tix->tx", shares, tracks)[:, None]
    tracks = tracks - tracks[0]  # less to cancel
    frames, atoms, _ = tracks.shape
    # sum over t of r(t)^2 + r(t + n)^2, less twice the sum of products.
    squares = (tracks**2).sum(axis=(1, 2))
    kept = np.concatenate([[0.0], np.cumsum(squares)])
    lags = np.arange(frames)
    both = kept[frames - lags] + (kept[frames] - kept[lags])
    total = both - 2 * lagged_products(tracks.reshape(frames, -1)).sum(axis=1)
    return Displacement(time=lags * step, square=np.maximum(total, 0) / ((frames - lags) * atoms))


def diffusion_coefficient(found: Displacement, start: float, end: float) -> float:
    """Return D of <square> = 6 D time, from a straight line fitted between two times.

    Returns
    -------
    float
        In the squared unit of length over the unit of time. 1 nm^2/ps is 1e-2 cm^2/s. A small
        periodic box makes D too small (Yeh and Hummer, J. Phys. Chem. B 108, 15873 (2004)).

    Raises
    ------
    InputError
        If fewer than two times lie between `start` and `end`.
    """
    chosen = (found.time >= start) & (found.time <= end)
    if chosen.sum() < 2:
        raise InputError(
            "fewer than two times for the line of a diffusion coefficient",
            value=f"{start:g} to {end:g}",
            limit=f"0 to {found.time[-1]:g}",
        )
    slope = np.polyfit(found.time[chosen], found.square[chosen], 1)[0]
    return float(slope / 6)
