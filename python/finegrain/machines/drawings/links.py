# SPDX-License-Identifier: BSD-3-Clause
"""The load of links, node by node, as in Figure 3 of Phillips et al. (SC14).

J. C. Phillips, Y. Sun, N. Jain, E. J. Bohm and L. V. Kale, "Mapping to irregular torus topologies
and other techniques for petascale biomolecular simulation", doi:10.1109/SC.2014.12.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.machines.drawings.picture import GAP, Picture, new_figure, save

_steps = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes"))


@dataclass(frozen=True)
class LinkLoads:
    """The load of the links that leave each node.

    Attributes
    ----------
    heaviest, mean : array of float, shape (nodes,)
        Bytes that pass the heaviest of them, and the mean over them. Not a number for a node
        without links, or a place without a node.
    """

    heaviest: Any
    mean: Any


def draw_links(
    placements: Mapping[str, LinkLoads],
    picture: Picture,
    *,
    title: str = "",
    columns: int | None = None,
) -> None:
    """Draw the heaviest and the mean link of each node for several placements side by side.

    All placements share one colour scale for the heaviest links, and one for the means.

    Parameters
    ----------
    placements : mapping of str to LinkLoads
        By name, from left to right; all of the same nodes.
    picture : path or binary file
        The PNG (a path may be of a PDF or SVG) to write.
    title : str
        Printed above.
    columns : int, optional
        Nodes in a row; by default the nodes form a square. The grid is for reading only.

    Raises
    ------
    InputError
        If placements have no nodes, or different numbers of them.
    ResourceError
        If the picture cannot be written.
    """
    rows = [
        ("heaviest link", [_values(one.heaviest, name) for name, one in placements.items()]),
        ("mean of links", [_values(one.mean, name) for name, one in placements.items()]),
    ]
    nodes = {len(values) for _, each in rows for values in each}
    if len(nodes) != 1:
        raise InputError(
            "placements are not of the same nodes",
            value=", ".join(map(str, sorted(nodes))) or "no placement",
            hint="give loads of all nodes for each placement",
        )
    count = nodes.pop()
    width = columns or math.ceil(math.sqrt(count))
    if width < 1:
        raise InputError("is no number of columns", value=str(columns), limit="at least 1")
    figure = new_figure(1.2 + 3.4 * len(placements), 7, title)
    all_axes = figure.subplots(2, len(placements), squeeze=False)
    for (label, each), axes_of_row in zip(rows, all_axes, strict=True):
        known = np.concatenate(each)
        highest = float(np.nanmax(known)) if np.isfinite(known).any() else 0.0
        size, unit = next(
            step for step in (*_steps, (1.0, "bytes")) if highest >= step[0] or step[0] == 1.0
        )
        for axes, values, name in zip(axes_of_row, each, placements, strict=True):
            grid = np.full(-(-count // width) * width, np.nan)
            grid[:count] = values / size
            axes.set_facecolor(GAP)
            image = axes.imshow(
                grid.reshape(-1, width),
                cmap="viridis_r",
                vmin=0,
                vmax=max(highest / size, 1e-12),
                interpolation="nearest",
            )
            axes.set_xticks([])
            axes.set_yticks([])
            axes.set_title(f"{visible(name, keep='')}: {label}", fontsize=9, parse_math=False)
            axes.set_xlabel(_summary(values / size, unit), fontsize=8)
        figure.colorbar(image, ax=list(axes_of_row), label=f"{label} ({unit})")
    save(figure, picture)


def _values(values: Any, name: str) -> NDArray[np.float64]:
    found = np.asarray(values, np.float64)
    if found.ndim != 1 or found.size == 0 or np.isinf(found).any() or (found < 0).any():
        raise InputError(
            "loads of links are one number from 0 for each node",
            value=f"{name}: shape {found.shape}",
        )
    return found


def _summary(values: NDArray[np.float64], unit: str) -> str:
    known = values[np.isfinite(values)]
    if not len(known):
        return "no links"
    return f"{known.min():.3g} to {known.max():.3g}, mean {known.mean():.3g} {unit}"
