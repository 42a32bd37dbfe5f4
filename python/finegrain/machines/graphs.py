# SPDX-License-Identifier: BSD-3-Clause
"""What readers of networks of switches share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from finegrain.base.connected import connected
from finegrain.machines.networks import Link

MOST_SWITCHES = 8192  # of a graph: the engine's limit


def first_cut_off(switches: int, links: Sequence[Link]) -> int | None:
    """Return the first switch without a way to switch 0; None if all have one."""
    pairs = np.array([link.ends for link in links], dtype=np.int64).reshape(-1, 2)
    apart = np.flatnonzero(connected(switches, pairs))
    return int(apart[0]) if len(apart) else None
