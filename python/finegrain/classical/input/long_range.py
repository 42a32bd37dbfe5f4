# SPDX-License-Identifier: BSD-3-Clause
"""Forces of the mesh on every n-th step: what has to fall on these steps, and where it is moved.

An interval that the input gives is refused if n does not divide it. So rows and frames are where
they were asked for. Intervals that the input leaves to finegrain are moved.
"""

from __future__ import annotations

from finegrain.classical.input.model import InputModel
from finegrain.classical.input.sections.dynamics import DynamicsSection
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource
from finegrain.units import time_in_fs

_key = "long_range_interval"
_intervals = (
    "dynamics.steps",
    "dynamics.barostat_interval",
    "forces.rebuild_interval",
    "output.energy_interval",
    "output.trajectory_interval",
)


def long_range_interval(dynamics: DynamicsSection | None) -> int:
    """Return the number of steps between two evaluations of the mesh."""
    return 1 if dynamics is None else dynamics.long_range_interval


def moved(interval: int, model: InputModel) -> int:
    """Return the interval, or the next one that ends where the mesh is evaluated."""
    every = long_range_interval(model.dynamics)
    return -(-interval // every) * every


def interval_problems(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find intervals of the input that end between two evaluations of the mesh."""
    every = long_range_interval(model.dynamics)
    found: list[Problem] = []
    for key in _intervals:
        section, _, name = key.partition(".")
        if name not in source.data.get(section, {}):
            continue
        interval = getattr(getattr(model, section), name)
        if interval is None or interval % every == 0:
            continue
        what = "ends between two evaluations of the mesh"
        limit = f"a multiple of {_key} = {every}"
        found.append(source.problem(key, what, limit=limit, hint=f"take {moved(interval, model)}"))
    return found


def in_words(dynamics: DynamicsSection) -> str:
    """Return for a reader how often the mesh is evaluated."""
    every = long_range_interval(dynamics)
    time = every * dynamics.timestep.value * time_in_fs
    return f"every {every} steps, {time:g} fs, as impulses"
