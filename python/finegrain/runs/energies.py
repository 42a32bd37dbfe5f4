# SPDX-License-Identifier: BSD-3-Clause
"""The table of energies of a run, energies.csv."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.files.plain import opened_plain

Array = NDArray[Any]
_LONGEST_LINE = 1 << 16  # bytes; a row has some hundreds


def read_energies(path: PathOrObject) -> dict[str, Array]:
    """Read energies.csv of a run.

    Parameters
    ----------
    path : path
        The file, the folder of a run, or a `Run`.

    Returns
    -------
    dict of str to ndarray, float64, shape (rows,)
        By column, such as ``time (ps)`` or ``potential energy (kJ/mol)``.

    Raises
    ------
    InputError
        If the file is missing, has no rows, or holds something other than numbers.
    """
    table = run_folder(path)
    if table.is_dir():
        table = table / "energies.csv"
    if not table.exists():
        raise InputError("no such file", where=str(table), hint="give the folder of a run")
    numbers = array("d")  # a file of a long run is not held as text
    try:
        rows = csv.reader(_whole_lines(table))
        head = next(rows, [])
        for row in rows:
            if len(row) != len(head):
                raise ValueError(f"has {len(row)} of {len(head)} columns")
            numbers.extend(map(_number, row))
    except (ValueError, csv.Error) as error:
        odd = "is of no table" if isinstance(error, csv.Error) else str(error)
        raise InputError(
            "is not a table of numbers",
            where=str(table),
            value=f"line {max(rows.line_num, 1):,} {odd}",
            hint="the file was changed or cut short: run the job again",
        ) from None
    if not head:
        raise InputError("is empty", where=str(table), hint="run the job again")
    values = np.frombuffer(numbers, np.float64).reshape(-1, len(head))
    return {name.strip(): values[:, i] for i, name in enumerate(head)}


def _whole_lines(table: Path) -> Iterator[str]:
    """Yield the lines of a file; a killed run may leave an incomplete one at its end."""
    with opened_plain(table) as file:
        while line := file.readline(_LONGEST_LINE):
            if line.endswith(b"\n"):
                yield line.decode("utf-8", "replace")
            elif len(line) == _LONGEST_LINE:
                raise ValueError(f"has more than {_LONGEST_LINE:,} bytes, or one after it")


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise ValueError(f"has {visible(cell)[:40]!r}") from None


def column(table: dict[str, Array], word: str) -> tuple[str, Array] | None:
    """Return the first column whose name begins with `word`."""
    for name, values in table.items():
        if name.startswith(word):
            return name, values
    return None


def table_with_rows(file: Path) -> dict[str, Array]:
    """Return a table that has rows, else nothing; raises InputError for what is no table."""
    if not file.exists() or not file.stat().st_size:
        return {}
    found = read_energies(file)
    return found if len(next(iter(found.values()))) else {}
