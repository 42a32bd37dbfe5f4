# SPDX-License-Identifier: BSD-3-Clause
"""What every run that makes steps of a dynamics has: a table of energies, frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.page.averages import block_average, with_error
from finegrain.page.html import paragraph, table as page_table
from finegrain.runs.energies import column, read_energies
from finegrain.runs.results import Rows, RunResults
from finegrain.runs.trajectory import Trajectory

_averaged = (
    "potential energy",
    "kinetic energy",
    "ion kinetic energy",
    "fictitious kinetic energy",
    "total energy",
    "temperature",
    "pressure (",
    "volume",
    "density",
)


def averages(columns: Mapping[str, NDArray[Any]]) -> Sequence[str]:
    """Return means over the later half of the rows with their errors, as parts of a page.

    Quantities that do not change are left out.
    """
    rows: list[tuple[str, ...]] = [("quantity", "mean", "error", "smallest", "largest")]
    for word in _averaged:
        found = column(dict(columns), word)
        if found is None:
            continue
        name, values = found
        later = values[len(values) // 2 :]
        later = later[np.isfinite(later)]
        if len(later) < 2 or np.ptp(values[np.isfinite(values)]) == 0:
            continue
        ends = (f"{value:.6g}".replace("-", "−") for value in (later.min(), later.max()))
        rows.append((name, *with_error(block_average(later)), *ends))
    if len(rows) == 1:
        return []
    words = (
        "Means over the later half of the rows. Errors are those of the means, by blocks "
        "(Flyvbjerg and Petersen 1989); “at least” says that the run is too short for the blocks "
        "to become independent."
    )
    return [page_table(rows, numbers=range(1, 5)), paragraph(words)]


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
