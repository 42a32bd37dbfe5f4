# SPDX-License-Identifier: BSD-3-Clause
"""Lists of names as Slurm writes them: ``nid[001-004,007],gpu12`` and ``4(x3),2``."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass

MOST_NODES = 1 << 22  # of a machine: the engine's limit
_most_name = 255  # characters

_name = re.compile(r"[A-Za-z0-9_.-]+\Z")
_range = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?\Z", re.ASCII)
_count = re.compile(r"(\d{1,9})(?:\(x(\d{1,9})\))?\Z", re.ASCII)
_example = "such as nid[001-004,007],gpu12"


@dataclass
class ListError(Exception):
    """A list that cannot be read: what is wrong with which part of it, the limit and a remedy."""

    what: str
    value: str
    limit: str = ""
    hint: str = _example


def host_names(text: str) -> list[str]:
    """Return the names in a list of names with numbers in brackets, in their order.

    Numbers keep the zeros of the first of their range. A name may have several brackets; the last
    one is counted fastest.

    Raises
    ------
    ListError
        If it is no such list, or has more names than a machine has nodes.
    """
    found: list[str] = []
    for part in _parts(text):
        pieces = [_choices(piece, part) for piece in re.split(r"(\[[^\]]*\])", part) if piece]
        _refuse_too_many(len(found) + math.prod(map(len, pieces)), part)
        names = ["".join(name) for name in itertools.product(*pieces)]
        if not _name.match(names[0]) or len(names[-1]) > _most_name:
            limit = f"letters, digits, '.', '-' and '_', at most {_most_name} characters"
            raise ListError("is no name of a host", part[:80], limit)
        found += names
    return found


def counts(text: str, most: int = MOST_NODES) -> list[int]:
    """Return numbers that may be repeated, as in ``4(x3),2``.

    Raises
    ------
    ListError
        If it is no such list, or has more than `most` numbers.
    """
    hint = "such as 4(x3),2: three nodes with 4, one with 2"
    found: list[int] = []
    for part in text.split(","):
        match = _count.match(part.strip())
        if not match or match[2] == "0":
            raise ListError("is no list of numbers", part.strip()[:80], hint=hint)
        repeats = int(match[2] or 1)
        if len(found) + repeats > most:
            raise ListError("has too many numbers", part[:80], f"at most {most:,}", hint)
        found += [int(match[1])] * repeats
    return found


def _parts(text: str) -> list[str]:
    """Split at the commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if depth not in (0, 1):
            break
        if sign == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth != 0:
        raise ListError("has a bracket without its other half", text[start:][:80])
    parts.append(text[start:])
    if not all(part.strip() for part in parts):
        raise ListError("has an empty name", text[:80], hint="take out the comma too many")
    return [part.strip() for part in parts]


def _choices(piece: str, part: str) -> list[str]:
    """Return what stands for a piece of a name: itself, or the numbers in its brackets."""
    if not piece.startswith("["):
        return [piece]
    found: list[str] = []
    for item in piece[1:-1].split(","):
        match = _range.match(item.strip())
        if not match:
            raise ListError("has no number or range in its brackets", part[:80])
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise ListError("has a range that ends before it begins", part[:80])
        _refuse_too_many(len(found) + last - first + 1, part)
        found += [str(number).zfill(len(match[1])) for number in range(first, last + 1)]
    return found


def _refuse_too_many(count: int, part: str) -> None:
    if count > MOST_NODES:
        raise ListError("names too many hosts", part[:80], f"at most {MOST_NODES:,}")
