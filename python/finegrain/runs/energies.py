# SPDX-License-Identifier: BSD-3-Clause
"""The table of energies of a run, energies.csv, and its plot."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.files.plain import opened_plain
from finegrain.files.whole import replace_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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


def plot_energies(
    table: dict[str, Array], picture: str | Path | IO[bytes], title: str = ""
) -> None:
    """Draw energies and temperature over time, and density and pressure of a box that changes.

    Parameters
    ----------
    table : dict
        As `read_energies` returns it.
    picture : path or binary file
        The PNG (a path may be of a PDF or SVG) to write.
    title : str
        Printed above.
    """
    time = column(table, "time")
    x = time[1] if time is not None else np.arange(len(next(iter(table.values()))))
    drawings = [_energies, _conserved, _temperature]
    volume = column(table, "volume")
    if volume is not None and np.ptp(volume[1]) > 0:
        drawings += [_density, _pressure]
    draw_panels(drawings, x, table, picture, "time / ps", title)


def draw_panels(
    drawings: Sequence[Callable[[Axes, Array, dict[str, Array]], None]],
    x: Array,
    table: dict[str, Array],
    picture: str | Path | IO[bytes],
    time: str,
    title: str,
) -> None:
    """Draw panels of one table below each other, over the times x with this label."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1 + 2 * len(drawings)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(drawings), sharex=True)
    for axes, draw in zip(panels, drawings, strict=True):
        draw(axes, x, table)
        axes.grid(alpha=0.3)
    panels[-1].set_xlabel(time)
    if title:
        figure.suptitle(title, parse_math=False)
    figure.savefig(picture, dpi=120)


def _energies(axes: Axes, x: Array, table: dict[str, Array]) -> None:
    for word, colour in (("potential", "C0"), ("kinetic", "C1")):
        found = column(table, word)
        if found is not None:
            axes.plot(x, found[1] / 1e3, color=colour, label=word)
    axes.set_ylabel("energy / MJ/mol")
    axes.legend(frameon=False)


def _conserved(axes: Axes, x: Array, table: dict[str, Array]) -> None:
    found = column(table, "conserved")
    if found is not None and len(found[1]):
        axes.plot(x, found[1] - found[1][0], color="C2")
    axes.set_ylabel("change of the\nconserved energy / kJ/mol")


def _temperature(axes: Axes, x: Array, table: dict[str, Array]) -> None:
    found = column(table, "temperature")
    if found is not None:
        axes.plot(x, found[1], color="C3")
    axes.set_ylabel("temperature / K")


def _density(axes: Axes, x: Array, table: dict[str, Array]) -> None:
    found = column(table, "density")
    if found is not None:
        axes.plot(x, found[1], color="C4")
    axes.set_ylabel("density / kg/m³")


def _pressure(axes: Axes, x: Array, table: dict[str, Array]) -> None:
    """Draw each pressure, pale, and their running mean, which can be read."""
    found = column(table, "pressure")
    if found is not None:
        width = len(x) // 20
        axes.plot(x, found[1], color="C5", alpha=0.3 if width > 1 else 1.0)
    if found is not None and width > 1:
        sums = np.cumsum(np.concatenate(([0.0], found[1])))
        middle = (width - 1) // 2
        mean = (sums[width:] - sums[:-width]) / width
        axes.plot(x[middle : middle + len(mean)], mean, color="C5", label=f"mean of {width} rows")
        axes.legend(frameon=False)
    axes.set_ylabel("pressure / bar")


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
