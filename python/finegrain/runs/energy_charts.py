# SPDX-License-Identifier: BSD-3-Clause
"""The energies of a run as charts, and their picture, energies.png."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.page.charts import (
    Chart,
    Curve,
    Level,
    about_mean,
    figure_of,
    png_of,
    with_mean,
)
from finegrain.runs.energies import column, table_with_rows
from finegrain.runs.minimisation import COLUMNS

Floats = NDArray[np.float64]
Table = dict[str, Floats]
_time = "time / ps"
_highest = 10.0  # energies of a minimisation that are drawn, over that after a twentieth of it


def plot_energies(table: Table, picture: str | Path | IO[bytes], title: str = "") -> None:
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
    figure_of(energy_charts(table), title).savefig(picture, dpi=120)


def energy_charts(table: Table) -> list[Chart]:
    """Return the charts of energies.csv of a classical run.

    Energies are drawn as changes about their means, which are in the legend.
    """
    time = column(table, "time")
    x = time[1] if time is not None else np.arange(len(next(iter(table.values()))), dtype=float)
    charts = [_energies(x, table), conserved_chart(x, table, _time)]
    charts.append(_of_column(x, table, "temperature", "temperature / K", "C3"))
    volume = column(table, "volume")
    if volume is not None and len(volume[1]) and np.ptp(volume[1]) > 0:
        charts.append(_of_column(x, table, "density", "density / kg/m³", "C4"))
        charts.append(_of_column(x, table, "pressure", "pressure / bar", "C5"))
    return [chart for chart in charts if chart is not None]


def _energies(x: Floats, table: Table) -> Chart | None:
    curves = []
    for word, colour in (("potential", "C0"), ("kinetic", "C1")):
        if (found := column(table, word)) is not None:
            curves.append(about_mean(word, x, found[1], colour))
    drawn = [curve for curve in curves if curve is not None]
    return Chart("energy about its\nmean / kJ/mol", _time, drawn) if drawn else None


def conserved_chart(x: Floats, table: Table, time: str, *, unit: str = "kJ/mol") -> Chart | None:
    """Return the change of the conserved energy, with the line through it."""
    found = column(table, "conserved")
    if found is None or not len(found[1]):
        return None
    change = found[1] - found[1][0]
    curves = [Curve("", x, change, "C2")]
    finite = np.isfinite(change) & np.isfinite(x)
    if finite.sum() > 2 and np.ptp(x[finite]) > 0:
        away = x[finite] - x[finite].mean()
        with np.errstate(all="ignore"):  # numbers of a damaged file
            slope = float(away @ change[finite] / (away @ away))
            start = float(change[finite].mean() - slope * x[finite].mean())
        per = time.split("/")[-1].strip()
        words = f"slope {slope:.2g} {unit}/{per}".replace("-", "−")
        curves.append(Curve(words, x, start + slope * x, "0.5"))
    return Chart(f"change of the con-\nserved energy / {unit}", time, curves)


def _of_column(x: Floats, table: Table, word: str, label: str, colour: str) -> Chart | None:
    found = column(table, word)
    if found is None or not np.isfinite(found[1]).any():
        return None
    return Chart(label, _time, with_mean(x, found[1], colour))


def minimisation_charts(table: Table, tolerance: float = 0.0) -> list[Chart]:
    """Return the charts of a minimisation by evaluation.

    Parameters
    ----------
    table : dict
        The file minimisation.csv; another one is an InputError.
    tolerance : float
        The largest force that may remain, kJ/mol/nm; 0 if that is not known.
    """
    if len(table) != len(COLUMNS):
        raise InputError(
            "is no table of a minimisation",
            where="minimisation.csv",
            value=f"{len(table)} columns",
            limit=", ".join(COLUMNS),
            hint="remove it: no other file needs it",
        )
    number, energy, force = table.values()
    above = energy - energy[-1]
    shown = above <= _highest * above[len(above) // 20]  # atoms may overlap at first
    last = f"{energy[-1]:,.1f} kJ/mol".replace("-", "−")
    curve = Curve(f"above the last one, {last}", number[shown], above[shown], "C0")
    levels = [Level(f"tolerance, {tolerance:g} kJ/mol/nm", tolerance)] if tolerance > 0 else []
    return [
        Chart("lowest potential\nenergy / kJ/mol", "evaluation", [curve], whole=True),
        Chart(
            "largest force / kJ/mol/nm",
            "evaluation",
            [Curve("of the lowest energy", number, force, "C3")],
            logarithmic=True,
            levels=levels,
            whole=True,
        ),
    ]


def charts_of_run(energies: Path, minimisation: Path, tolerance: float = 0.0) -> list[Chart]:
    """Return the charts of energies, or of a minimisation where there were no steps after it."""
    columns = table_with_rows(energies)
    rows = len(next(iter(columns.values()))) if columns else 0
    if rows < 2 and (descent := table_with_rows(minimisation)):
        return minimisation_charts(descent, tolerance)
    return energy_charts(columns) if rows else []


def draw_energies(
    energies: Path, picture: Path, title: str = "", *, tolerance: float = 0.0
) -> None:
    """Draw the plot of a run from energies.csv and its minimisation.csv; nothing without rows.

    Raises
    ------
    ResourceError
        If the plot cannot be written.
    """
    charts = charts_of_run(energies, energies.with_name("minimisation.csv"), tolerance)
    if charts:
        replace_file(picture, png_of(figure_of(charts, title)))
