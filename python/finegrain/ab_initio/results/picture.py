# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a ground state: how it was found, and the density of its electrons."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.ab_initio.states.ground_state import GroundState, bohr_in_angstrom
from finegrain.base.visible import visible
from finegrain.files.whole import replace_file

_least = 1e-16  # shown for a difference of nothing on a logarithmic axis


def draw_convergence(found: GroundState, picture: Path, title: str = "") -> None:
    """Draw the history of a ground state; nothing if there is none.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    if len(found.history) == 0:
        return
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    energy, residual, _seconds = found.history.T
    number = np.arange(len(energy))
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.semilogy(number, np.maximum(residual, _least), label="largest residual")
    above = np.maximum(energy - energy.min(), _least)
    axes.semilogy(number, above, label="energy above the lowest")
    axes.set_xlabel("iteration")
    axes.set_ylabel("hartree")
    axes.legend()
    state = "converged" if found.converged else "not converged"
    axes.set_title(visible(f"{title}: {state}" if title else state, keep=""), parse_math=False)
    _save(figure, picture)


def draw_density(found: GroundState, picture: Path, title: str = "") -> None:
    """Draw the density of the valence electrons, summed up along the third vector of the cell.

    One axis is along the first vector, the other at right angles to it in the plane of the first
    two. A cross marks each ion. Nothing is drawn if the run did not write the density.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    if not found.has_density:
        return
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rho = found.density()
    a, b, c = found.cell
    # Electrons per area: the sum over the points of a line, times the height of the cell over them.
    normal = np.cross(a, b)
    height = abs(float(np.dot(c, normal))) / float(np.linalg.norm(normal))
    column = rho.mean(axis=2) * height
    x = a / np.linalg.norm(a)
    y = np.cross(normal / np.linalg.norm(normal), x)
    across, along = np.meshgrid(*(np.arange(n) / n for n in column.shape), indexing="ij")
    points = across[..., None] * a + along[..., None] * b
    figure = Figure(figsize=(6.5, 5.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    mesh = axes.pcolormesh(
        points @ x * bohr_in_angstrom,
        points @ y * bohr_in_angstrom,
        column / bohr_in_angstrom**2,
        shading="gouraud",
        cmap="viridis",
    )
    figure.colorbar(mesh, label="electrons/Å²")
    # Ions in the cell at the origin, as seen from above.
    inside = (found.positions @ np.linalg.inv(found.cell)) % 1.0
    seen = (inside[:, :2] @ np.stack([a, b])) * bohr_in_angstrom
    axes.plot(seen @ x, seen @ y, "+", color="white", markersize=6, markeredgewidth=0.8)
    axes.set_aspect("equal")
    axes.set_xlabel("Å")
    axes.set_ylabel("Å")
    words = "density of the valence electrons"
    axes.set_title(visible(f"{title}: {words}" if title else words, keep=""), parse_math=False)
    _save(figure, picture)


def _save(figure: Any, picture: Path) -> None:
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=120)
    replace_file(picture, image.getvalue())
