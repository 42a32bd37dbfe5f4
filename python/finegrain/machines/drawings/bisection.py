# SPDX-License-Identifier: BSD-3-Clause
"""Nodes coloured by partition, with the way through them; patches coloured by their node.

The first is Figure 2 of Phillips et al. (see links.py). The second is like Figure 2 of Fitch et
al., "Blue Matter: strong scaling of molecular dynamics on Blue Gene/L". It shows which part of
space each node has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.machines.drawings.picture import (
    Picture,
    colours_of,
    new_figure,
    save,
    whole_numbers,
)

_most_slices = 16


@dataclass(frozen=True)
class BisectionStage:
    """One stage of a bisection in a plane of the machine.

    Attributes
    ----------
    partition : array of int, shape (rows, columns)
        The partition of each node; -1 where no node is.
    order : array of int, shape (n, 2), or None
        Rows and columns of nodes in the order in which they are passed; not drawn if None.
    title : str
        Printed above it.
    """

    partition: Any
    order: Any = None
    title: str = ""


def draw_bisection(stages: Sequence[BisectionStage], picture: Picture, *, title: str = "") -> None:
    """Draw stages of a bisection of nodes side by side.

    Steps of the way to a node that is not beside the last one are drawn thin.

    Parameters
    ----------
    stages : sequence of BisectionStage
        From left to right.
    picture : path or binary file
        The PNG (a path may be of a PDF or SVG) to write.
    title : str
        Printed above.

    Raises
    ------
    InputError
        If there is no stage, or an array has another shape.
    ResourceError
        If the picture cannot be written.
    """
    if not stages:
        raise InputError("there is no stage to draw")
    grids = [whole_numbers(stage.partition, 2, "partitions of nodes") for stage in stages]
    ways = [_way(stage.order, grid.shape) for stage, grid in zip(stages, grids, strict=True)]
    rows = max(grid.shape[0] / grid.shape[1] for grid in grids)
    figure = new_figure(4 * len(stages), 0.8 + 4 * min(max(rows, 0.3), 3), title)
    all_axes = figure.subplots(1, len(stages), squeeze=False)[0]
    for axes, stage, grid, way in zip(all_axes, stages, grids, ways, strict=True):
        axes.imshow(colours_of(grid), interpolation="nearest")
        _draw_cells(axes, grid.shape)
        if way is not None and len(way) > 1:
            far = np.abs(np.diff(way, axis=0)).sum(axis=1) > 1
            for (begin, end), thin in zip(pairwise(way), far, strict=True):
                axes.plot(
                    [begin[1], end[1]],
                    [begin[0], end[0]],
                    color="black",
                    linewidth=0.5 if thin else 1.6,
                    alpha=0.5 if thin else 1.0,
                )
            axes.plot(way[0, 1], way[0, 0], "o", color="black", markersize=4)
        axes.set_title(visible(stage.title, keep=""), fontsize=9, parse_math=False)
    save(figure, picture)


def draw_patches(
    node_of_patch: Any, picture: Picture, *, axis: int = 2, title: str = "", name: str = "node"
) -> None:
    """Draw patches in slices of space, coloured by what they belong to.

    Parameters
    ----------
    node_of_patch : array of int, shape (x, y, z)
        The node (or rank, or partition) of each patch; -1 for none.
    picture : path or binary file
        The PNG (a path may be of a PDF or SVG) to write.
    axis : int
        The axis across the slices; if there are more than 16 slices, evenly chosen ones are drawn.
    title : str
        Printed above.
    name : str
        What the numbers are, for the legend of few.

    Raises
    ------
    InputError
        If the array has another shape, or there is no such axis.
    ResourceError
        If the picture cannot be written.
    """
    numbers = whole_numbers(node_of_patch, 3, "nodes of patches")
    if axis not in (0, 1, 2):
        raise InputError("is no axis", value=str(axis), limit="0, 1 or 2")
    slices = np.moveaxis(numbers, axis, 0)
    letters = [letter for number, letter in enumerate("xyz") if number != axis]
    chosen = np.unique(np.linspace(0, len(slices) - 1, min(len(slices), _most_slices)).round())
    across = math.ceil(math.sqrt(len(chosen)))
    down = -(-len(chosen) // across)
    figure = new_figure(0.6 + 2.4 * across, 1.2 + 2.4 * down, title)
    all_axes = figure.subplots(down, across, squeeze=False).ravel()
    for axes in all_axes[len(chosen) :]:
        axes.set_axis_off()
    for axes, number in zip(all_axes, chosen.astype(int).tolist(), strict=False):
        grid = slices[number].T  # the first letter goes to the right
        axes.imshow(colours_of(grid), interpolation="nearest", origin="lower")
        _draw_cells(axes, grid.shape)
        axes.set_title(f"{'xyz'[axis]} = {number}", fontsize=9)
        axes.set_xlabel(letters[0], fontsize=8)
        axes.set_ylabel(letters[1], fontsize=8)
    _draw_legend(figure, np.unique(numbers[numbers >= 0]), name)
    save(figure, picture)


def _way(order: Any, shape: tuple[int, ...]) -> Any:
    if order is None:
        return None
    way = whole_numbers(order, 2, "the way through nodes")
    if way.shape[1] != 2 or (way < 0).any() or (way >= np.array(shape)).any():
        raise InputError(
            "the way leaves the nodes",
            value=f"shape {way.shape}",
            limit=f"rows and columns of {shape[0]} x {shape[1]} nodes",
        )
    return way


def _draw_cells(axes: Any, shape: tuple[int, ...]) -> None:
    """Draw lines between the cells of a grid, without ticks."""
    axes.set_xticks(np.arange(-0.5, shape[1]), minor=True)
    axes.set_yticks(np.arange(-0.5, shape[0]), minor=True)
    axes.grid(which="minor", color="white", linewidth=0.4)
    axes.tick_params(which="both", length=0, labelbottom=False, labelleft=False)


def _draw_legend(figure: Any, numbers: Any, name: str) -> None:
    """Explain the colours if there are few."""
    if not 1 <= len(numbers) <= 16:
        return
    from matplotlib.patches import Patch

    colours = colours_of(numbers)
    handles = [
        Patch(color=tuple(colour), label=f"{visible(name, keep='')} {number}")
        for colour, number in zip(colours, numbers.tolist(), strict=True)
    ]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize="small"
    )
