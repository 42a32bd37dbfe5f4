# SPDX-License-Identifier: BSD-3-Clause
"""What checkpoints of a dynamics take of the memory of its processes.

As in engine/ab_initio/job/job.cpp; docs/how-to/restart.md says what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_coefficient = 16.0
# Two states in files, and one in messages on its way there.
_states = 3


def vectors_of_state(dynamics: Mapping[str, Any]) -> int:
    """Return how many vectors the state of a step has for each orbital.

    Parameters
    ----------
    dynamics : mapping
        The settings as in the job.
    """
    if dynamics["kind"] == "born-oppenheimer":
        return 1 + int(dynamics["predictor_order"]) + 2
    return 3 if dynamics["orthonormality"] == "free" else 2


def bytes_of_checkpoints(
    dynamics: Mapping[str, Any], waves: float, orbitals: int, ranks: int
) -> float:
    """Return the bytes of all processes together; partners keep all a second time."""
    copies = 2 if ranks > 1 else 1
    return _coefficient * waves * orbitals * vectors_of_state(dynamics) * _states * copies
