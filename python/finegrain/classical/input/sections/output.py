# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [output]."""

from __future__ import annotations

from finegrain.toml_input.fields import Interval, Section, WallTime, key
from finegrain.units import Quantity


class OutputSection(Section):
    """The output files, and how often they are written (in steps; 0: never)."""

    directory: str | None = key(
        "folder of the results, relative to the current folder, not the input's",
        None,
        examples=["runs/dhfr"],
        by_default="`runs/NAME`, NAME from the input file",
    )
    trajectory_interval: Interval = key("steps between frames; 0: no frames", 1000)
    velocities: bool = key(
        "whether the frames of the trajectory also hold velocities",
        False,
        to="/dynamics/trajectory_velocities",
    )
    energy_interval: Interval = key("steps between rows of energies; 0: no rows", 100)
    checkpoint_interval: WallTime = key(
        "wall-clock time between checkpoints",
        Quantity(900.0, "15 min"),
        to="/dynamics/checkpoint_seconds",
    )
