# SPDX-License-Identifier: BSD-3-Clause
"""The input of every writer: all atoms at one time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Structure:
    """All atoms at one time.

    Attributes
    ----------
    step : int
    time : float
        Picoseconds.
    positions : ndarray, shape (atoms, 3)
        Nanometres.
    velocities : ndarray, shape (atoms, 3), or None
        nm/ps.
    box : ndarray, shape (3,), or None
        Edges in nanometres; None without a periodic box.
    """

    step: int
    time: float
    positions: Array
    velocities: Array | None
    box: Array | None

    def __post_init__(self) -> None:
        if self.box is not None and not np.all(self.box > 0):
            object.__setattr__(self, "box", None)
