# SPDX-License-Identifier: BSD-3-Clause
"""What a page says of rows and frames of a classical run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from finegrain.base import cells
from finegrain.errors import InputError
from finegrain.observables.picture import distances_chart
from finegrain.observables.solute import fewest_frames, solute_charts, solute_of
from finegrain.observables.structure import view_of_frame
from finegrain.page.charts import Chart, Curve
from finegrain.page.html import Section, paragraph
from finegrain.page.svg import charts_as_svg
from finegrain.runs.energies import column, table_with_rows
from finegrain.runs.energy_charts import energy_charts, minimisation_charts
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.steps import averages
from finegrain.runs.trajectory import Trajectory

_most_distances = 10_000_000  # some seconds; of one frame with 3,162 atoms


def tried(title: str, make: Callable[[], Sequence[str]]) -> list[Section]:
    """Return a section; a file that cannot be read is said in it. Without parts there is none."""
    try:
        parts = make()
    except InputError as error:
        parts = [paragraph(f"{problem.where} {problem.what}") for problem in error.problems]
    return [Section(title, parts)] if parts else []


def curve_sections(folder: RunDirectory, tolerance: float, points: int) -> list[Section]:
    """Return the minimisation, and the energies with their averages."""

    def minimisation() -> list[str]:
        table = table_with_rows(folder.minimisation)
        return charts_as_svg(minimisation_charts(table, tolerance), points=points) if table else []

    def energies() -> list[str]:
        table = table_with_rows(folder.energies)
        if not table:
            return []
        several = len(next(iter(table.values()))) > 1
        pictures = charts_as_svg(energy_charts(table), points=points) if several else []
        return [*pictures, *averages(table)]

    return [*tried("Minimisation", minimisation), *tried("Energies", energies)]


def frame_sections(folder: RunDirectory, points: int) -> list[Section]:
    """Return the shape of the solute over time, and distances in a small periodic system."""

    def solute(trajectory: Trajectory) -> list[str]:
        found = solute_of(trajectory)
        return charts_as_svg(solute_charts(found), points=points) if found else []

    def distances(trajectory: Trajectory) -> list[str]:
        periodic = all(map(cells.is_periodic, trajectory.boxes))
        fits = trajectory.atoms > 1 and trajectory.atoms**2 <= _most_distances
        if len(trajectory) < fewest_frames or not fits or not periodic:
            return []
        return charts_as_svg([distances_chart(trajectory, _most_distances)], points=points)

    return [
        *_of_frames("Shape of the solute", folder, solute),
        *_of_frames("Distances", folder, distances),
    ]


def structure_section(folder: RunDirectory) -> list[Section]:
    """Return the last frame to turn."""
    return _of_frames("Structure", folder, view_of_frame)


def _of_frames(
    title: str, folder: RunDirectory, make: Callable[[Trajectory], Sequence[str]]
) -> list[Section]:
    """Return a section made of the trajectory; none without one."""

    def parts() -> Sequence[str]:
        if not folder.trajectory.exists():
            return []
        with Trajectory(folder.trajectory) as trajectory:
            return make(trajectory)

    return tried(title, parts)


def charts_through_stages(tables: Sequence[tuple[str, Path]]) -> list[Chart]:
    """Return temperature, density, pressure and potential energy of all stages, one after another.

    Parameters
    ----------
    tables : sequence of (str, Path)
        Name of each stage and its energies.csv.
    """
    found = [(name, table_with_rows(file)) for name, file in tables]
    charts = []
    for word, label in (
        ("potential", "potential energy about\nits mean / kJ/mol"),
        ("temperature", "temperature / K"),
        ("density", "density / kg/m³"),
        ("pressure", "pressure / bar"),
    ):
        curves, start = [], 0.0
        for number, (name, table) in enumerate(found):
            time, values = column(table, "time"), column(table, word)
            if time is None or values is None:
                continue
            if len(time[1]) > 1:
                curves.append(Curve(name, time[1] + start, values[1], f"C{number % 10}"))
            start += float(time[1][-1])
        if word == "potential":
            curves = _about_common_mean(curves)
        if curves:
            charts.append(Chart(label, "time from the start / ps", curves))
    return charts


def _about_common_mean(curves: Sequence[Curve]) -> list[Curve]:
    every = np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves] or [np.zeros(0)])
    mean = float(every.mean()) if len(every) else 0.0
    return [Curve(one.label, one.x, one.y - mean, one.colour) for one in curves]
