# SPDX-License-Identifier: BSD-3-Clause
"""Rotations that bring points as near as possible to other points.

Source: W. Kabsch, Acta Cryst. A 32, 922 (1976).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rotations_onto(points: Floats, target: Floats, weights: Floats) -> Floats:
    """Return the rotations with the least weighted square distance: float64, (frames, 3, 3).

    Parameters
    ----------
    points : float64, shape (frames, points, 3)
        Their weighted mean is zero in each frame. Rows are multiplied by the rotation.
    target : float64, shape (points, 3)
        Their weighted mean is zero.
    weights : float64, shape (points,)
    """
    covariance = np.einsum("n,fni,nj->fij", weights, points, target)
    left, _sizes, right = np.linalg.svd(covariance)
    mirrored = np.linalg.det(left @ right) < 0
    left[mirrored, :, 2] *= -1  # a rotation, not a reflection
    return np.asarray(left @ right)
