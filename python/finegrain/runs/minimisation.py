# SPDX-License-Identifier: BSD-3-Clause
"""How the energy fell in a minimisation: the table minimisation.csv.

The engine reports each evaluation and keeps no rows of them, so the program that started it does.
A run that `mpiexec` starts by itself has no such table.
"""

from __future__ import annotations

import contextlib
import math
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from finegrain.errors import ResourceError
from finegrain.files.whole import replace_file

COLUMNS = ("evaluation", "lowest potential energy (kJ/mol)", "largest force (kJ/mol/nm)")


class MinimisationRows:
    """Takes the reports of the engine, passes them on, and writes those of a minimisation.

    Parameters
    ----------
    file : Path
        The table to write.
    further : callable, optional
        Gets every report.
    """

    def __init__(self, file: Path, further: Callable[[Mapping[str, Any]], None] | None) -> None:
        self._file, self._further = file, further
        self._numbers = array("d")

    def __call__(self, progress: Mapping[str, Any]) -> None:
        """Take in a report."""
        evaluation = int(progress.get("evaluations") or 0)
        energy, force = progress.get("potential"), progress.get("largest_force")
        if evaluation and energy is not None and math.isfinite(energy) and force:
            self._numbers.extend((evaluation, energy, float(force)))
        if self._further is not None:
            self._further(progress)

    def write(self) -> None:
        """Write the table, if there was a minimisation; without room on the disk there is none."""
        numbers = self._numbers
        if not numbers:
            return
        rows = (
            f"{numbers[i]:.0f},{numbers[i + 1]:.17g},{numbers[i + 2]:.17g}\n"
            for i in range(0, len(numbers), 3)
        )
        with contextlib.suppress(ResourceError):
            replace_file(self._file, (",".join(COLUMNS) + "\n" + "".join(rows)).encode())
