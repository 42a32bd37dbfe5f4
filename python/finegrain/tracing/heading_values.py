# SPDX-License-Identifier: BSD-3-Clause
"""Values in the heading of a trace, which anybody may have changed: each of its kind, or refused.

A refusal is a ValueError with words for the user.
"""

from __future__ import annotations

import math
from typing import Any

MOST_BYTES = 16 << 20  # of a heading, which has some kilobytes for each process
MOST_TICKS = 1 << 62  # differences of two still fit into 64 bits
_MOST_SECONDS = 1e11  # since 1970
_TICK_S = (1e-12, 1.0)
_MOST_DIMENSIONS = 8
_MOST_OBJECTS = 1 << 40
_FORMS = tuple(f"{kind}{size}" for kind in "ui" for size in (1, 2, 4, 8))


def value_of(holder: Any, key: str) -> Any:
    """Return one value of a table."""
    if not isinstance(holder, dict) or key not in holder:
        raise ValueError(f"{key} is missing")
    return holder[key]


def whole(holder: Any, key: str, least: int = 0, most: int = MOST_TICKS) -> int:
    """Return a whole number within limits."""
    value = value_of(holder, key)
    return _whole(value, key, least, most)


def text(holder: Any, key: str) -> str:
    """Return a text."""
    value = value_of(holder, key)
    if not isinstance(value, str):
        raise ValueError(f"{key} is no text")
    return value


def rows(holder: Any, key: str) -> list[Any]:
    """Return a list."""
    value = value_of(holder, key)
    if not isinstance(value, list):
        raise ValueError(f"{key} is no list")
    return value


def texts(holder: Any, key: str) -> list[str]:
    """Return a list of texts."""
    found = rows(holder, key)
    if not all(isinstance(one, str) for one in found):
        raise ValueError(f"{key} is no list of texts")
    return found


def start_time(holder: Any, key: str) -> float:
    """Return seconds since 1970."""
    return _number(holder, key, 0.0, _MOST_SECONDS)


def tick(holder: Any, key: str) -> float:
    """Return the seconds of a tick."""
    return _number(holder, key, *_TICK_S)


def shape(holder: Any, key: str) -> tuple[int, ...]:
    """Return the sizes of an array of objects."""
    sizes = tuple(_whole(one, key, 0, _MOST_OBJECTS) for one in rows(holder, key))
    if len(sizes) > _MOST_DIMENSIONS or math.prod(sizes) > _MOST_OBJECTS:
        raise ValueError(f"{key} is of too many objects")
    return sizes


def fields(holder: Any, key: str, width: int) -> dict[str, tuple[str, int]]:
    """Return form and place of each field in a record of so many bytes."""
    found = {}
    for row in rows(holder, key):
        if not isinstance(row, list) or len(row) != 3 or not isinstance(row[0], str):
            raise ValueError(f"{key} are no names with form and place")
        name, form, at = row
        if form not in _FORMS:
            raise ValueError(f"{key}: {name[:20]} is of another form")
        found[name] = (str(form), _whole(at, key, 0, width - int(form[1:])))
    return found


def _whole(value: Any, key: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{key} is no whole number from {least:,} to {most:,}")
    return value


def _number(holder: Any, key: str, least: float, most: float) -> float:
    value = value_of(holder, key)
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{key} is no number from {least:g} to {most:g}")
    return float(value)
