# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a dynamics: energies and temperature over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from finegrain.files.whole import replace_file
from finegrain.page.charts import Chart, Curve, about_mean, figure_of, png_of, with_mean
from finegrain.runs.energies import column, read_energies
from finegrain.runs.energy_charts import conserved_chart

_most_fs = 2000.0  # a longer run is drawn in picoseconds


def draw_dynamics(table: Path, picture: Path, title: str = "") -> None:
    """Draw the energies of a run from its table; nothing without rows.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    charts = dynamics_charts(table)
    if charts:
        replace_file(picture, png_of(figure_of(charts, title)))


def dynamics_charts(table: Path) -> list[Chart]:
    """Return the charts of energies.csv; none without rows.

    The first shows how much the conserved energy has changed. The second has the potential energy
    of the ions, their kinetic energy and the sum, each about its mean. Next are the fictitious
    kinetic energy of the orbitals, if there is one, and the temperature. If the cell moves, volume
    and pressure follow.
    """
    if not table.exists() or not table.stat().st_size:
        return []
    columns = read_energies(table)
    time = columns.get("time (ps)")
    if time is None or not len(time):
        return []
    short = time[-1] * 1000 <= _most_fs
    x = time * 1000 if short else time
    label = "time / fs" if short else "time / ps"

    def chart(word: str, name: str, colour: str, scale: float = 1.0) -> Chart | None:
        found = column(columns, word)
        if found is None:
            return None
        return Chart(name, label, with_mean(x, found[1] * scale, colour))

    charts = [
        conserved_chart(x, columns, label, unit="hartree"),
        _ions(x, columns, label),
        _fictitious(x, columns, label),
        chart("temperature", "temperature / K", "C3"),
    ]
    if column(columns, "volume") is not None:
        charts.append(chart("volume", "volume / nm³", "C5"))
        charts.append(chart("pressure", "pressure / GPa", "C6", 1e-4))
    return [one for one in charts if one is not None]


def _ions(x: Any, table: dict[str, Any], time: str) -> Chart:
    potential, kinetic = table["potential energy (hartree)"], table["ion kinetic energy (hartree)"]
    curves = [
        about_mean("potential", x, potential, "C0", "{:.4f}"),
        about_mean("kinetic, of ions", x, kinetic, "C1", "{:.4f}"),
        about_mean("sum", x, potential + kinetic, "C7", "{:.4f}"),
    ]
    drawn = [curve for curve in curves if curve is not None]
    return Chart("energy about its\nmean / hartree", time, drawn)


def _fictitious(x: Any, table: dict[str, Any], time: str) -> Chart | None:
    found = column(table, "fictitious")
    if found is None:
        return None
    finite = found[1][np.isfinite(found[1])]
    words = f"mean {finite.mean():.3e}" if len(finite) else ""
    curve = Curve(words.replace("-", "−"), x, found[1], "C4")
    return Chart("fictitious kinetic\nenergy / hartree", time, [curve])
