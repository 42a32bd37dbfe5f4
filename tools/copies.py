# SPDX-License-Identifier: BSD-3-Clause
"""Copies: lines of code that stand in several places, without regard to indents and comments.

Imports and lines without a letter (closing brackets) do not count. Usage: copies.py FOLDER...
lists the copies below these folders, the longest first.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from code_lines import code_of
from sources import our_files

LEAST = 6  # lines of a copy
SKIPPED = re.compile(r"\W*|(import|from|#\s*include|using|namespace|#\s*pragma)\b.*")

Lines = list[tuple[int, str]]  # numbers and texts


@dataclass(frozen=True)
class Copy:
    """Lines that stand in several places."""

    lines: int
    places: tuple[tuple[Path, int], ...]  # file and first line of each


def normalised(path: Path) -> Lines:
    """Return the lines of code of a file that count, without indents."""
    lines = ((number, " ".join(line.split())) for number, line in code_of(path))
    return [(number, line) for number, line in lines if not SKIPPED.fullmatch(line)]


def _windows(files: Mapping[Path, Lines]) -> dict[tuple[str, ...], list[tuple[Path, int]]]:
    """Return where each sequence of as many lines as a copy has begins."""
    found: dict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for path, lines in files.items():
        texts = [text for _, text in lines]
        for at in range(len(texts) - LEAST + 1):
            found[tuple(texts[at : at + LEAST])].append((path, at))
    return found


def repeated_lines(files: Mapping[Path, Lines]) -> tuple[int, int]:
    """Return how many copies there are beside the first of each, and their lines."""
    again: dict[Path, set[int]] = defaultdict(set)
    for places in _windows(files).values():
        first, at = places[0]
        for path, begin in places[1:]:
            if path != first or begin >= at + LEAST:
                again[path].update(range(begin, begin + LEAST))
    copies = sum(at - 1 not in lines for lines in again.values() for at in lines)
    return copies, sum(map(len, again.values()))


def copies_in(files: Mapping[Path, Lines]) -> list[Copy]:
    """Return all copies, those with most repeated lines first."""
    windows = _windows(files)
    at_place = {place: key for key, places in windows.items() for place in places}

    def moved(places: Iterable[tuple[Path, int]], by: int) -> list[tuple[Path, int]] | None:
        """Return the places of the next or the last window, if all have the same."""
        keys = {at_place.get((path, at + by)) for path, at in places}
        key = keys.pop()
        if keys or key is None:
            return None
        there = [(path, at + by) for path, at in places]
        return there if windows[key] == there else None

    found = []
    for places in windows.values():
        if len(places) < 2 or moved(places, -1):
            continue
        length, last = LEAST, places
        while after := moved(last, 1):
            length, last = length + 1, after
        numbered = tuple((path, files[path][at][0]) for path, at in places)
        found.append(Copy(length, numbered))
    return sorted(found, key=lambda copy: -copy.lines * (len(copy.places) - 1))


def main() -> None:
    """List the copies below the folders of the command line."""
    root = Path.cwd()
    folders = [Path(name).resolve() for name in sys.argv[1:]] or [root]
    files = {
        path: normalised(path)
        for path in our_files(root, ".py", ".hpp", ".cpp")
        if any(path.is_relative_to(folder) for folder in folders)
    }
    for copy in copies_in(files):
        print(f"{copy.lines} lines")
        for path, line in copy.places:
            print(f"    {path.relative_to(root)}:{line}")


if __name__ == "__main__":
    main()
