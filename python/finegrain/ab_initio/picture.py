# SPDX-License-Identifier: BSD-3-Clause
"""The plot of how a ground state was found: residual and energy by iteration."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from finegrain.ab_initio.ground_state import GroundState
from finegrain.visible import visible
from finegrain.whole_file import replace_file

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
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=120)
    replace_file(picture, image.getvalue())
