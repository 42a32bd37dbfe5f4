# SPDX-License-Identifier: BSD-3-Clause
"""The cells of space that have the midpoints of pairs, cut by the engine for equal work."""

from __future__ import annotations

import numpy as np

from finegrain.classical.input.sections.division import PatchesSection
from finegrain.engine.engine import load_engine
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource
from finegrain.words.report import as_finegrain_error


def cell_problems(source: TomlSource, keys: PatchesSection) -> list[Problem]:
    """Return whether the input may give cells; the engine checks their number."""
    if keys.cells is None or keys.pairs == "midpoint":
        return []
    what = "only pairs by midpoints have cells"
    hint = 'set pairs = "midpoint", or take out cells'
    return [source.problem("patches.cells", what, hint=hint)]


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
