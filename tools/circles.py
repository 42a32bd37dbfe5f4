# SPDX-License-Identifier: BSD-3-Clause
"""Circles of modules or rooms, and folders with too many files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

MOST_FILES = 40  # of a folder


def one_circle(arrows: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the members of one circle, sorted; none if there is no circle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return sorted(set(found.args[1]))
    return []


def full_folders(root: Path, files: Iterable[Path]) -> Iterator[str]:
    """Yield one line for each folder with too many of these files."""
    for folder, count in sorted(Counter(path.parent for path in files).items()):
        if count > MOST_FILES:
            yield f"{folder.relative_to(root)}: has {count} files, more than {MOST_FILES}"


def circles_of(arrows: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the circles, the largest first: members that all lead to each other."""
    reached: dict[str, set[str]] = {}
    for start in arrows:
        seen: set[str] = set()
        waiting = list(arrows[start])
        while waiting:
            if (one := waiting.pop()) not in seen:
                seen.add(one)
                waiting += arrows.get(one, ())
        reached[start] = seen
    circles = {
        tuple(sorted(other for other in seen if start in reached.get(other, ())))
        for start, seen in reached.items()
        if start in seen
    }
    return sorted(map(list, circles), key=lambda circle: (-len(circle), circle))
