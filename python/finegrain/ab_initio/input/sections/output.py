# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [output]."""

from __future__ import annotations

from finegrain.toml_input.fields import Interval, Section, WallTime, key
from finegrain.units import Quantity


class OutputSection(Section):
    """The output files."""

    directory: str | None = key(
        "folder of the results, relative to the current folder, not the input's",
        None,
        min_length=1,
        examples=["runs/water"],
        by_default="`runs/NAME`, NAME from the input file",
    )
    energy_interval: Interval = key(
        "steps between rows of energies; 0: none", 1, examples=[1], to="/dynamics/energy_steps"
    )
    trajectory_interval: Interval = key(
        "steps between frames with positions, velocities and forces; 0: none. Ions at rest have "
        "none",
        10,
        examples=[10],
    )
    density: bool = key(
        "whether `ground_state.h5` holds the density at the points of the grid",
        False,
        to="/outputs/density",
    )
    orbitals: bool = key(
        "whether `checkpoint.h5` is written, with the orbitals and the state of a stopped search",
        True,
        to="/outputs/orbitals",
    )
    checkpoint_interval: WallTime = key(
        "wall-clock time between checkpoints; 0: only at the end",
        Quantity(900.0, "15 min"),
        to="/outputs/checkpoint_seconds",
    )
