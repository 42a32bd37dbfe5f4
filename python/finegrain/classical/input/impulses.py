# SPDX-License-Identifier: BSD-3-Clause
"""Forces on every k-th or n-th step: what has to fall on these steps, and where it is moved.

An interval that the input gives is refused if k or n does not divide it. So rows and frames are
where they were asked for. Intervals that the input leaves to finegrain are moved.
"""

from __future__ import annotations

from typing import NamedTuple

from finegrain.classical.input.model import InputModel
from finegrain.classical.input.sections.dynamics import DynamicsSection
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource
from finegrain.units import time_in_fs

_of_all_forces = (
    "dynamics.steps",
    "dynamics.barostat_interval",
    "forces.rebuild_interval",
    "output.energy_interval",
    "output.trajectory_interval",
)


class Level(NamedTuple):
    """Forces that are evaluated at an interval."""

    key: str
    forces: str
    interval: int

    @property
    def multiple(self) -> str:
        """What other intervals have to be."""
        return f"a multiple of {self.key} = {self.interval}"

    def moved(self, interval: int) -> int:
        """Return the interval, or the next one that ends where these forces are evaluated."""
        return -(-interval // self.interval) * self.interval


def pair_level(dynamics: DynamicsSection | None) -> Level:
    """Return how often pair forces are evaluated."""
    return Level("pair_interval", "pair forces", 1 if dynamics is None else dynamics.pair_interval)


def slowest_level(dynamics: DynamicsSection | None) -> Level:
    """Return the forces on whose steps all forces are evaluated."""
    pairs = pair_level(dynamics)
    mesh = 1 if dynamics is None else dynamics.long_range_interval or 1
    return Level("long_range_interval", "the mesh", mesh) if mesh >= pairs.interval else pairs


def mesh_interval(dynamics: DynamicsSection, electrostatics: str) -> int:
    """Return how often the mesh is evaluated: as often as pair forces, if nothing is given."""
    usual = dynamics.pair_interval if electrostatics == "pme" else 1
    return dynamics.long_range_interval or usual


def moved(interval: int, model: InputModel) -> int:
    """Return the interval, or the next one that ends where all forces are evaluated."""
    return slowest_level(model.dynamics).moved(interval)


def interval_problems(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find intervals of the input that end between two evaluations of some forces."""
    every = slowest_level(model.dynamics)
    levels = [(key, every) for key in _of_all_forces]
    levels.append(("forces.prune_interval", pair_level(model.dynamics)))
    found: list[Problem] = []
    for key, level in levels:
        section, _, name = key.partition(".")
        if name not in source.data.get(section, {}):
            continue
        interval = getattr(getattr(model, section), name)
        if interval is None or interval % level.interval == 0:
            continue
        what = f"ends between two evaluations of {level.forces}"
        hint = f"take {level.moved(interval)}"
        found.append(source.problem(key, what, limit=level.multiple, hint=hint))
    return found


def level_problems(
    source: TomlSource, dynamics: DynamicsSection | None, electrostatics: str
) -> list[Problem]:
    """Find a mesh that there is not, or that is evaluated where pair forces are not."""
    if dynamics is None or dynamics.long_range_interval is None:
        return []
    key, every, pairs = "long_range_interval", dynamics.long_range_interval, pair_level(dynamics)
    if electrostatics == "pme":
        if every % pairs.interval == 0:
            return []
        what = "evaluates the mesh on steps without pair forces"
        hint = f"take {pairs.interval}, or pair_interval = 1"
        return [source.problem(f"dynamics.{key}", what, limit=pairs.multiple, hint=hint)]
    if every == 1:
        return []
    what = f'has no use with electrostatics = "{electrostatics}": there is no mesh'
    return [source.problem(f"dynamics.{key}", what, hint=f"take {key} out")]


def in_words(dynamics: DynamicsSection, interval: int) -> str:
    """Return for a reader how often forces are evaluated."""
    time = interval * dynamics.timestep.value * time_in_fs
    return f"every {interval} steps, {time:g} fs, as impulses"
