# SPDX-License-Identifier: BSD-3-Clause
"""What every run that makes steps of a dynamics has: a table of energies, frames."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from finegrain.runs.energies import read_energies
from finegrain.runs.results import RunResults
from finegrain.runs.trajectory import Trajectory


class StepsOfRun(RunResults):
    """The results of a run with steps, of any kind."""

    def trajectory(self) -> Trajectory:
        """Open the frames; close them after use, or use ``with``."""
        return Trajectory(self.directory.trajectory)

    def energies(self) -> dict[str, NDArray[Any]]:
        """Return the table of energies: float64 arrays of shape (rows,) by column with unit."""
        return read_energies(self.directory.energies)

    def _frames(self) -> str:
        if not self.directory.trajectory.exists():
            return ""
        with self.trajectory() as trajectory:
            return f"{len(trajectory)} in {self.directory.trajectory.name}"
