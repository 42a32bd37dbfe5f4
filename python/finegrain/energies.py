# SPDX-License-Identifier: BSD-3-Clause
"""The table of energies of a run, energies.csv, and its plot."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.arguments import PathOrObject, run_folder
from finegrain.errors import InputError
from finegrain.whole_file import replace_file

Array = NDArray[Any]


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
    lines = table.read_text(errors="replace").splitlines(keepends=True)
    # a killed run may leave an incomplete row
    whole = [line for line in lines if line.endswith("\n")]
    rows = list(csv.reader(whole))
    if not rows or not rows[0]:
        raise InputError("is empty", where=str(table), hint="run the job again")
    head, body = rows[0], rows[1:]
    try:
        values = np.array([[float(cell) for cell in row] for row in body], np.float64)
        values = values.reshape(len(body), len(head))
    except ValueError as error:
        raise InputError(
            "is not a table of numbers",
            where=str(table),
            value=str(error),
            hint="the file was changed or cut short: run the job again",
        ) from None
    return {name.strip(): values[:, i] for i, name in enumerate(head)}


def column(table: dict[str, Array], word: str) -> tuple[str, Array] | None:
    """Return the first column whose name begins with `word`."""
    for name, values in table.items():
        if name.startswith(word):
            return name, values
    return None


def plot_energies(
    table: dict[str, Array], picture: str | Path | IO[bytes], title: str = ""
) -> None:
    """Draw energies and temperature over time.

    Parameters
    ----------
    table : dict
        As `read_energies` returns it.
    picture : path or binary file
        The PNG (a path may be of a PDF or SVG) to write.
    title : str
        Printed above.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 7), layout="constrained")
    FigureCanvasAgg(figure)
    above, middle, below = figure.subplots(3, sharex=True)
    time = column(table, "time")
    x = time[1] if time is not None else np.arange(len(next(iter(table.values()))))
    kilo = 1e3
    for word, name, colour in (("potential", "potential", "C0"), ("kinetic", "kinetic", "C1")):
        found = column(table, word)
        if found is not None:
            above.plot(x, found[1] / kilo, color=colour, label=name)
    above.set_ylabel("energy / MJ/mol")
    above.legend(frameon=False)
    total = column(table, "total")
    if total is not None and len(total[1]):
        middle.plot(x, total[1] - total[1][0], color="C2")
    middle.set_ylabel("change of total / kJ/mol")
    temperature = column(table, "temperature")
    if temperature is not None:
        below.plot(x, temperature[1], color="C3")
    below.set_ylabel("temperature / K")
    below.set_xlabel("time / ps")
    for axes in (above, middle, below):
        axes.grid(alpha=0.3)
    if title:
        figure.suptitle(title, parse_math=False)
    figure.savefig(picture, dpi=120)


def draw_energies(table: Path, picture: Path, title: str = "") -> None:
    """Draw the plot of a run from its table; does nothing without rows.

    Raises
    ------
    ResourceError
        If the plot cannot be written.
    """
    if not table.exists() or not table.stat().st_size:
        return
    columns = read_energies(table)
    if not len(next(iter(columns.values()))):
        return
    image = io.BytesIO()
    plot_energies(columns, image, title)
    replace_file(picture, image.getvalue())
