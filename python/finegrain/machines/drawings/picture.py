# SPDX-License-Identifier: BSD-3-Clause
"""What drawings of placements share: a figure, its file, and colours for many parts."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base.arguments import as_path
from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.files.whole import replace_file

Picture = str | os.PathLike[str] | IO[bytes]
GAP = "0.85"  # the grey of places without a node
_forms = (".png", ".pdf", ".svg")
_golden_angle = (3 - 5**0.5) / 2  # of a turn: hues of consecutive numbers are far apart


def new_figure(width: float, height: float, title: str) -> Any:
    """Return an empty figure; sizes are in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    if title:
        figure.suptitle(visible(title, keep=""), fontsize=11, parse_math=False)
    return figure


def save(figure: Any, picture: Picture) -> None:
    """Write a figure: a path by its ending (PNG, PDF or SVG), whole or not at all; a file as PNG.

    Raises
    ------
    InputError
        If the ending is another one.
    ResourceError
        If the file cannot be written.
    """
    image = io.BytesIO()
    if isinstance(picture, str | os.PathLike):
        path = as_path(picture)
        form = path.suffix.lower()
        if form not in _forms:
            raise InputError(
                "is no kind of picture",
                where=str(path),
                limit=", ".join(_forms),
                hint=f"such as {Path(path.name).stem or 'links'}.png",
            )
        figure.savefig(image, format=form[1:], dpi=120)
        replace_file(path, image.getvalue())
    else:
        figure.savefig(image, format="png", dpi=120)
        picture.write(image.getvalue())


def colours_of(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return an RGB colour for each whole number; grey for those below 0.

    The colour of a number is always the same, and that of the next one has another hue.
    """
    from matplotlib.colors import hsv_to_rgb, to_rgb

    hue = numbers * _golden_angle % 1.0
    saturation = np.where(numbers // 3 % 2 == 0, 0.55, 0.8)
    value = np.where(numbers // 6 % 2 == 0, 0.95, 0.75)
    rgb = np.asarray(hsv_to_rgb(np.stack([hue, saturation, value], axis=-1)), np.float64)
    rgb[numbers < 0] = to_rgb(GAP)
    return rgb


def whole_numbers(values: Any, dimensions: int, what: str) -> NDArray[np.int64]:
    """Return an array of whole numbers with so many dimensions, none of them empty.

    Raises
    ------
    InputError
        If it is something else.
    """
    found = np.asarray(values)
    if found.ndim != dimensions or found.size == 0 or not np.issubdtype(found.dtype, np.integer):
        raise InputError(
            f"{what}: is no array of whole numbers with {dimensions} dimensions",
            value=f"shape {found.shape}, {found.dtype}",
        )
    return found.astype(np.int64)
