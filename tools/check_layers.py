# SPDX-License-Identifier: BSD-3-Clause
"""Fail when an engine module includes one that comes after it, or when its rooms form a circle.

The order is the one in which ``engine/CMakeLists.txt`` enters the folders. Includes name their
module ("forces/ewald.hpp"), so that the head of a file shows what it depends on. The rooms of a
module are its folders and its root. No folder of engine/, tests/ or bench/ may have too many files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from circles import full_folders, one_circle
from sources import exit_with, our_files, read_lines

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
ENTERED = re.compile(r"fg_add_folders\(([^)]*)\)")

# Highway asks for quotes around the header that includes a source once per SIMD target.
LIBRARIES = {"hwy"}


def module_order(engine: Path) -> list[str]:
    """Read the names of the modules, lowest first."""
    match = ENTERED.search((engine / "CMakeLists.txt").read_text(encoding="utf-8"))
    if match is None:
        raise SystemExit("layers: engine/CMakeLists.txt has no fg_add_folders(...)")
    return match.group(1).split()


def violations(root: Path) -> Iterator[str]:
    """Yield one line for each include that breaks the order."""
    engine = root / "engine"
    order = module_order(engine)
    rank = {module: place for place, module in enumerate(order)}
    rooms: dict[str, set[str]] = defaultdict(set)
    sources = [p for p in our_files(root, ".hpp", ".cpp") if p.is_relative_to(engine)]
    for path in sources:
        here = path.relative_to(engine).parts[0]
        room = str(path.parent.relative_to(engine))
        if here not in rank:
            yield f"{path.relative_to(root)}: '{here}' is not a module of engine/CMakeLists.txt"
            continue
        for number, line in enumerate(read_lines(path), start=1):
            match = INCLUDE.match(line)
            if match is None:
                continue
            there = match.group(1).split("/")[0]
            if there in LIBRARIES:
                continue
            other = match.group(1).rpartition("/")[0]
            if there == here and other != room:
                rooms[room].add(other)
            place = f"{path.relative_to(root)}:{number}"
            if there not in rank:
                yield f'{place}: "{match.group(1)}" names no module; write the path from engine/'
            elif rank[there] > rank[here]:
                yield f"{place}: '{here}' may not include '{there}'; the order is {' '.join(order)}"
    if circle := one_circle(rooms):
        yield f"a circle of {len(circle)} rooms: {', '.join(circle)}"
    beside = (p for p in our_files(root) if p.relative_to(root).parts[0] in ("tests", "bench"))
    yield from full_folders(root, [*sources, *beside])


if __name__ == "__main__":
    exit_with("layers", violations)
