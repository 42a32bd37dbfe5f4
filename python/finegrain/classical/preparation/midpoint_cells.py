# SPDX-License-Identifier: BSD-3-Clause
"""The cells of space that have the midpoints of pairs, cut by the engine for equal work."""

from __future__ import annotations

import numpy as np

from finegrain.classical.division.fineness import Grid
from finegrain.classical.input.sections.division import PatchesSection
from finegrain.engine.engine import load_engine
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource
from finegrain.words.report import as_finegrain_error

_most_in_a_patch = 16  # along an axis; the engine's limit


def cell_problems(source: TomlSource, keys: PatchesSection, patches: Grid) -> list[Problem]:
    """Return what is wrong with the given number of cells."""
    if keys.cells is None:
        return []
    if keys.pairs != "midpoint":
        what = "only pairs by midpoints have cells"
        hint = 'set pairs = "midpoint", or take out cells'
        return [source.problem("patches.cells", what, hint=hint)]
    most = [_most_in_a_patch * count for count in patches]
    if any(count > limit for count, limit in zip(keys.cells, most, strict=True)):
        what = f"more than {_most_in_a_patch} midpoint cells along an edge of a patch"
        hint = "take fewer, or more patches"
        return [source.problem("patches.cells", what, limit=f"{most}", hint=hint)]
    return []


def cut_cells(name: str, image: bytes, shape: list[int]) -> dict[str, np.ndarray]:
    """Return the columns of the table of cells in a job's file.

    Parameters
    ----------
    name : str
        What messages call the job.
    image : bytes
        Its file, without cells.
    shape : list of int
        Cells along each axis.
    """
    x, y, z = shape
    try:
        planes = load_engine().cut_cells(name, image, (x, y, z))
    except Exception as error:
        raise as_finegrain_error(error) from error
    return {"shape": np.array(shape, np.int32), "planes": np.array(planes, np.int32)}
