# SPDX-License-Identifier: BSD-3-Clause
"""Pair lists that are used longer, where the patches of a job have room for their radius.

The outer list is only what the inner one is pruned from, so a larger radius costs little. A rebuild
takes as long as two to four steps. Steps of DHFR (23,558 atoms, 2 fs, cutoff 9 Å) were measured
with two PEs on a Xeon with AVX-512. With rebuilds every 24, 40, 48, 60, 80 and 100 steps, a step
takes 6.11, 5.78, 5.74, 5.58 to 5.76, 5.71 and 5.70 ms.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from finegrain.classical.division.division import Division
from finegrain.classical.division.list_intervals import divisor_near, rebuild_intervals
from finegrain.classical.input.baths import barostat, dynamics_values
from finegrain.classical.input.impulses import pair_level, slowest_level
from finegrain.classical.preparation.other_divisions import with_keys
from finegrain.classical.preparation.prepare import Prepared

if TYPE_CHECKING:
    from finegrain.classical.input.sections.dynamics import DynamicsSection

_growth = 0.34  # of the cutoff: the radius of DHFR's lists every 60 steps
# Velocities are rescaled at rebuilds. Each rescaling is exact for any time since the last one. But
# it should come at least once in this part of `thermostat_time`, so that users see that time.
_rescaling = 0.2


def with_longer_lists(prepared: Prepared, division: Division) -> Division:
    """Return a division of `prepared`, with rebuilds as rare as its patches have room for.

    The intervals stay as they are if the input gives them, and with a barostat, which acts at
    rebuilds. Velocity rescaling acts at rebuilds too. It gets at least five of them in its time
    constant.
    """
    model, settings = prepared.given.model, prepared.settings
    if not settings.has_lists or model.forces.rebuild_interval is not None:
        return division
    dynamics = model.dynamics
    if barostat(dynamics) is not None:
        return division
    longest = _longest_interval(dynamics)
    usual = replace(prepared, division=division)
    for interval in reversed(rebuild_intervals(slowest_level(dynamics).interval)):
        if interval <= division.rebuild_interval:
            break
        if interval > longest:
            continue
        prune = model.forces.prune_interval or divisor_near(
            interval, division.prune_interval, pair_level(dynamics).interval
        )
        keys = {"forces.rebuild_interval": interval, "forces.prune_interval": prune}
        longer = with_keys(usual, keys)
        if longer is not None and longer.list_cutoff <= (1 + _growth) * settings.cutoff:
            return longer
    return division


def _longest_interval(dynamics: DynamicsSection | None) -> float:
    """Return the most steps between two rebuilds that the thermostat allows."""
    time = float(dynamics_values(dynamics, 1)["thermostat_time"])
    if dynamics is None or time == 0:
        return math.inf
    return _rescaling * time / dynamics.timestep.value * (1 + 1e-12)
