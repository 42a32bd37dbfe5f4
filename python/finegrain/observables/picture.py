# SPDX-License-Identifier: BSD-3-Clause
"""A picture of what a trajectory shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from finegrain.base import cells
from finegrain.base.visible import visible
from finegrain.files.whole import replace_file
from finegrain.observables.correlation import evenly_spaced
from finegrain.observables.molecules import molecules_of
from finegrain.observables.of_trajectory import displacements, radial_distributions, vibrations
from finegrain.page.charts import Chart, Curve, draw, empty_figure, png_of
from finegrain.runs.trajectory import Trajectory
from finegrain.units import angstrom_per_nm

fewest_frames = 3
_most_distances = 50_000_000
_shown = 0.999  # of all vibrations
_most_ps = 2.0  # a longer time is drawn in picoseconds


def draw_observables(trajectory: Trajectory, picture: str | Path, title: str = "") -> bool:
    """Draw radial distribution functions, displacements and vibrations side by side.

    Panels for which the trajectory has no data are left out: see `charts_of_frames`.

    Returns
    -------
    bool
        Whether there was a picture to draw; not with fewer than three frames.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    charts = charts_of_frames(trajectory)
    if not charts:
        return False
    figure = empty_figure(4.5 * len(charts), 4)
    panels = figure.subplots(1, len(charts), squeeze=False)[0]
    for axes, chart in zip(panels, charts, strict=True):
        draw(axes, chart, columns=len(charts))
    if title:
        figure.suptitle(visible(title, keep=""), parse_math=False)
    replace_file(Path(picture), png_of(figure))
    return True


def charts_of_frames(trajectory: Trajectory) -> list[Chart]:
    """Return charts of distances, displacements and vibrations, as far as there are data.

    There are none with fewer than three frames. There are no distances without a periodic box, and
    no vibrations without velocities. Displacements and vibrations need frames that are evenly
    spaced in time. Distances are those of as many evenly chosen frames as take some seconds.
    """
    if len(trajectory) < fewest_frames:
        return []
    charts = []
    if trajectory.atoms > 1 and all(map(cells.is_periodic, trajectory.boxes)):
        charts.append(distances_chart(trajectory))
    if evenly_spaced(trajectory.times):
        charts.append(_displacements(trajectory))
        if trajectory.has_velocities and trajectory.velocities().any():
            charts.append(_vibrations(trajectory))
    return charts


def distances_chart(trajectory: Trajectory, most: int = _most_distances) -> Chart:
    """Return radial distribution functions between molecules, from at most so many distances.

    One frame is taken at least.
    """
    stride = -(-len(trajectory) * trajectory.atoms**2 // most)
    chosen = slice(None, None, max(1, stride))
    of = molecules_of(trajectory)
    several = len(set(of.tolist())) > 1
    found = radial_distributions(trajectory, chosen, molecules=of if several else None)
    curves = [
        Curve(f"{a}-{b}", one.r * angstrom_per_nm, one.g, f"C{number}")
        for number, ((a, b), one) in enumerate(found.items())
    ]
    bonded = several and len(set(of.tolist())) < trajectory.atoms
    between = "between\nmolecules" if bonded else "all pairs,\nbonded ones too"
    return Chart(f"g(r), {between}", "r / Å", curves)


def _displacements(trajectory: Trajectory) -> Chart:
    curves, unit, scale = [], "ps", 1.0
    for number, (element, found) in enumerate(displacements(trajectory).items()):
        early = slice(max(2, len(found.time) // 2))  # later ones are means of few starts
        if found.time[-1] < _most_ps:
            unit, scale = "fs", 1000.0
        square = found.square[early] * angstrom_per_nm**2
        curves.append(Curve(element, found.time[early] * scale, square, f"C{number}"))
    return Chart("mean squared\ndisplacement / Å²", f"time / {unit}", curves)


def _vibrations(trajectory: Trajectory) -> Chart:
    """Return the spectrum, up to where nothing is left that could be seen."""
    found = vibrations(trajectory)
    share = np.cumsum(np.maximum(found.density, 0))
    shown = int(np.searchsorted(share, _shown * share[-1])) * 11 // 10 + 2
    curve = Curve(f"window: {found.window}", found.wavenumber[:shown], found.density[:shown], "C0")
    return Chart("vibrational density\nof states / cm", "wavenumber / 1/cm", [curve])
