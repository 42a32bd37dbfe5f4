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


def prunes_beside(rebuild: int, prune: int, every: int) -> list[int]:
    """Return the next shorter and the next longer interval that divide that of the rebuilds."""
    return _beside(divisors(rebuild, every), prune)


def divisors(number: int, every: int = 1) -> list[int]:
    """Return the divisors of `number` that are multiples of `every`, in order.

    If `every` does not divide the number, only the number itself.
    """
    return [d for d in range(1, number) if number % d == 0 and d % every == 0] + [number]


def divisor_near(number: int, wanted: float, every: int = 1) -> int:
    """Return the nearest of these divisors."""
    return min(divisors(number, every), key=lambda d: abs(d - wanted))


def _beside(choice: Iterable[int], one: int) -> list[int]:
    choice = sorted(choice)
    return [other for other in choice if other < one][-1:] + [
        other for other in choice if other > one
    ][:1]
