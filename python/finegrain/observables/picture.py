# SPDX-License-Identifier: BSD-3-Clause
"""A picture of what a trajectory shows."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from finegrain.base import cells
from finegrain.base.visible import visible
from finegrain.files.whole import replace_file
from finegrain.observables.correlation import evenly_spaced
from finegrain.observables.of_trajectory import displacements, radial_distributions, vibrations
from finegrain.runs.trajectory import Trajectory
from finegrain.units import angstrom_per_nm

fewest_frames = 3
_most_distances = 50_000_000


def draw_observables(trajectory: Trajectory, picture: str | Path, title: str = "") -> bool:
    """Draw radial distribution functions, displacements and vibrations side by side.

    Panels for which the trajectory has no data are left out. There are no distances without a
    periodic box, and no vibrations without velocities. Displacements and vibrations need frames
    that are evenly spaced in time. Distances are those of as many evenly chosen frames as take some
    seconds.

    Returns
    -------
    bool
        Whether there was a picture to draw; not with fewer than three frames.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    if len(trajectory) < fewest_frames:
        return False
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = []
    if trajectory.atoms > 1 and all(map(cells.is_periodic, trajectory.boxes)):
        panels.append(_draw_distances)
    if evenly_spaced(trajectory.times):
        panels.append(_draw_displacements)
        if trajectory.has_velocities and trajectory.velocities().any():
            panels.append(_draw_vibrations)
    if not panels:
        return False
    figure = Figure(figsize=(4.5 * len(panels), 4), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, draw in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        draw(trajectory, axes)
    if title:
        figure.suptitle(visible(title, keep=""), parse_math=False)
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=120)
    replace_file(Path(picture), image.getvalue())
    return True


def _draw_distances(trajectory: Trajectory, axes: Any) -> None:
    stride = -(-len(trajectory) * trajectory.atoms**2 // _most_distances)
    chosen = slice(None, None, max(1, stride))
    for (a, b), found in radial_distributions(trajectory, chosen).items():
        axes.plot(found.r * angstrom_per_nm, found.g, label=f"{a}-{b}")
    axes.set_xlabel("r (Å)")
    axes.set_ylabel("g(r)")
    axes.legend()


def _draw_displacements(trajectory: Trajectory, axes: Any) -> None:
    for element, found in displacements(trajectory).items():
        early = slice(max(2, len(found.time) // 2))  # later ones are means of few starts
        axes.plot(found.time[early], found.square[early] * angstrom_per_nm**2, label=element)
    axes.set_xlabel("time (ps)")
    axes.set_ylabel("mean squared displacement (Å²)")
    axes.legend()


def _draw_vibrations(trajectory: Trajectory, axes: Any) -> None:
    found = vibrations(trajectory)
    axes.plot(found.wavenumber, found.density)
    axes.set_xlim(0, min(4500.0, float(found.wavenumber[-1])))
    axes.set_xlabel("wavenumber (1/cm)")
    axes.set_ylabel(f"vibrational density of states ({found.window} window)")
