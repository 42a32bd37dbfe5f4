# SPDX-License-Identifier: BSD-3-Clause
"""What is transformed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A grid, and the kind of its numbers.

    Attributes
    ----------
    grid : tuple of 3 int
        Points along each axis.
    real : bool
        Points are real.
    single : bool
        Numbers are in single precision.
    batch : int
        Fields that are transformed together.
    """

    grid: tuple[int, int, int]
    real: bool = False
    single: bool = False
    batch: int = 1

    @property
    def dtype(self) -> Any:
        """The type of real numbers."""
        return np.float32 if self.single else np.float64

    @property
    def point_type(self) -> Any:
        """The type of points."""
        return self.dtype if self.real else self.wave_type

    @property
    def wave_type(self) -> Any:
        """The type of waves."""
        return np.complex64 if self.single else np.complex128

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of all points."""
        return self.grid if self.batch == 1 else (self.batch, *self.grid)

    @property
    def wave_shape(self) -> tuple[int, ...]:
        """The shape of all waves."""
        last = self.grid[2] // 2 + 1 if self.real else self.grid[2]
        return (*self.shape[:-1], last)
