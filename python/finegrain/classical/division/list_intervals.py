# SPDX-License-Identifier: BSD-3-Clause
"""How many steps a pair list may be used, before it is rebuilt and before it is pruned."""

from __future__ import annotations

from collections.abc import Iterable

_rebuilds = (4, 6, 8, 10, 12, 15, 16, 18, 20, 24, 28, 30, 36, 40, 48, 50, 60)


def rebuild_intervals(every: int) -> list[int]:
    """Return the steps between two rebuilds that may be chosen: multiples of `every`."""
    return [interval for interval in _rebuilds if interval % every == 0]


def rebuilds_beside(rebuild: int, every: int) -> list[int]:
    """Return the next shorter and the next longer interval that may be chosen."""
    return _beside(rebuild_intervals(every), rebuild)


def prunes_beside(rebuild: int, prune: int) -> list[int]:
    """Return the next shorter and the next longer interval that divide that of the rebuilds."""
    return _beside(divisors(rebuild), prune)


def divisors(number: int) -> list[int]:
    """Return them in order, with 1 and the number."""
    return [d for d in range(1, number + 1) if number % d == 0]


def divisor_near(number: int, wanted: float) -> int:
    """Return the divisor of `number` that is nearest."""
    return min(divisors(number), key=lambda d: abs(d - wanted))


def _beside(choice: Iterable[int], one: int) -> list[int]:
    choice = sorted(choice)
    return [other for other in choice if other < one][-1:] + [
        other for other in choice if other > one
    ][:1]
