# SPDX-License-Identifier: BSD-3-Clause
"""The memory that a run on this machine may use."""

from __future__ import annotations

import os
import resource
from pathlib import Path

# Addresses that a few threads and the engine's libraries take; without them the C library may end
# the process.
_for_threads = 100e6


def machine_memory() -> float:
    """Return the memory of this machine in bytes."""
    return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")


def allowed_memory() -> tuple[float, str]:
    """Return the bytes that a run may use, and the origin of this limit."""
    least, whose = machine_memory(), "this machine has"
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most != resource.RLIM_INFINITY:
        used = int(Path("/proc/self/statm").read_text().split()[0])
        room = max(most - float(os.sysconf("SC_PAGE_SIZE")) * used - _for_threads, 0.0)
        if room < least:
            least, whose = room, "is left to this process (ulimit -v)"
    return least, whose
