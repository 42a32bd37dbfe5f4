# SPDX-License-Identifier: BSD-3-Clause
"""Times of transforms on this machine."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Sequence
from typing import Any

from finegrain.engine import machine
from finegrain.engine.engine import load_engine
from finegrain.errors import InputError
from finegrain.fft.processes import in_processes
from finegrain.transform_bench.all_contestants import IN_ONE
from finegrain.transform_bench.case import Case
from finegrain.transform_bench.rounds import time_case

USUAL_GRIDS = ("32", "64", "128")
_MOST_POINTS = 2**30


def parsed_grid(text: str) -> tuple[int, int, int]:
    """Return a grid written as 64 or 48x64x96.

    Raises
    ------
    InputError
        If it is none, or has more than 2^30 points.
    """
    parts = text.lower().replace("×", "x").split("x")
    sizes = [int(part) for part in parts if re.fullmatch(r"[0-9]{1,9}", part.strip())]
    if len(sizes) == 1:
        sizes *= 3
    if len(sizes) != 3 or len(parts) not in (1, 3) or min(sizes) < 1:
        raise InputError(
            "is not a grid",
            where="--grid",
            value=text,
            limit="one number or three, such as 64 or 48x64x96",
        )
    if sizes[0] * sizes[1] * sizes[2] > _MOST_POINTS:
        raise InputError(
            "the grid has too many points for a benchmark",
            where="--grid",
            value=text,
            limit="2^30 points",
        )
    return sizes[0], sizes[1], sizes[2]


def time_transforms(
    grids: Sequence[tuple[int, int, int]],
    *,
    real: bool = False,
    single: bool = False,
    batch: int = 1,
    ranks: int = 1,
    mpi: str = "auto",
    repeats: int = 5,
) -> dict[str, Any]:
    """Time transforms forward and back, beside all other libraries that are installed.

    Parameters
    ----------
    grids : sequence of (int, int, int)
        Points along each axis.
    real, single, batch
        Real points; single precision; fields that are transformed together.
    ranks, mpi
        Processes, and what starts them.
    repeats : int
        Rounds in which all libraries take turns.

    Returns
    -------
    dict
        ``benchmark, date, ranks, mpi, settings, entries, left_out, load_average_before, machine``.
        Each entry has ``grid, program, version, microseconds`` (median, range and runs) and
        ``finegrain_ratio``, its time in units of ours.

    Raises
    ------
    ResourceError
        If there is no MPI, or a process fails.
    """
    load = os.getloadavg()[0]  # figures from a busy machine are worthless
    case: dict[str, Any] = {"real": real, "single": single, "batch": batch}
    found: dict[str, Any] = {"entries": [], "left_out": {}, "mpi": ""}
    if ranks == 1:
        for grid in grids:
            entries, left_out = time_case(Case(grid, **case), IN_ONE, repeats)
            found["entries"] += entries
            found["left_out"] |= left_out
    else:
        given = {"grids": [list(grid) for grid in grids], "case": case, "repeats": repeats}
        found = in_processes("timings", given, ranks, mpi)
    return {
        "benchmark": "fft",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "ranks": ranks,
        "settings": case,
        "repeats": repeats,
        **found,
        "load_average_before": load,
        "machine": machine.fingerprint(load_engine().doctor()),
    }
