# SPDX-License-Identifier: BSD-3-Clause
"""What every run that makes steps of a dynamics has: a table of energies, frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from finegrain.runs.energies import column, read_energies
from finegrain.runs.results import Rows, RunResults
from finegrain.runs.trajectory import Trajectory


class StepsOfRun(RunResults):
    """The results of a run with steps, of any kind."""

    _digits = 6  # of the length in ps

    def trajectory(self) -> Trajectory:
        """Open the frames; close them after use, or use ``with``."""
        return Trajectory(self.directory.trajectory)

    def energies(self) -> dict[str, NDArray[Any]]:
        """Return the table of energies: float64 arrays of shape (rows,) by column with unit."""
        return read_energies(self.directory.energies)

    def _length(self, result: dict[str, Any], /) -> Rows:
        last = int(result.get("steps", 0))
        length = last * float(result.get("timestep_fs", 0.0)) / 1000
        state = "" if result.get("finished", True) else ", stopped early"
        return [
            ("steps", f"{last:,} ({length:.{self._digits}g} ps){state}"),
            ("continued from", str(result.get("went_on_from", ""))),
        ]

    def _means(self, table: dict[str, NDArray[Any]], forms: Mapping[str, str]) -> Rows:
        """Return means over the later half of the run, by the first word of a column."""
        lines = []
        for word, form in forms.items():
            found = column(table, word)
            if found is not None and len(found[1]):
                later = found[1][len(found[1]) // 2 :]
                lines.append((word, f"{form.format(later.mean())}, mean of the later half"))
        return lines

    def _frames(self) -> str:
        if not self.directory.trajectory.exists():
            return ""
        with self.trajectory() as trajectory:
            return f"{len(trajectory)} in {self.directory.trajectory.name}"
