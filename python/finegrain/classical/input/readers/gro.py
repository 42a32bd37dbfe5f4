# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS coordinate files; OpenMM's reader takes neither velocities nor every precision."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.findings import (
    Findings,
    cut,
    lines_of,
    text_of,
    title_in_front,
)
from finegrain.classical.input.source import Coordinates
from finegrain.classical.system.system import Floats


def read_gro(given: Input, key: str, path: Path) -> Coordinates:
    """Read the first frame.

    Names and numbers end at column 20. All following columns are as wide as the distance between
    the decimal points of the first line. Three are positions (nm), three more velocities (nm/ps).
    """
    found = Findings()
    lines = lines_of(text_of(given, key, path, title_in_front))
    count = _count(found, path.name, lines)
    found.raise_them(given)
    points = [column for column, sign in enumerate(lines[2]) if sign == "." and column >= 20]
    if count > 0 and len(points) < 3:
        found.add(path.name, 3, "holds no position", lines[2][20:], hint=cut)
        found.raise_them(given)
    width = points[1] - points[0] if count > 0 else 8
    rows = [
        [line[column : column + width].strip() for column in range(20, 20 + 6 * width, width)]
        for line in lines[2 : count + 2]
    ]
    moving = all(all(row) for row in rows)  # GROMACS writes velocities for all atoms or for none
    for number, row in enumerate(rows, start=3):
        for at, word in enumerate(row if moving else row[:3]):
            usual = _decimals(rows[0][at])
            if found.number(path.name, number, word) and _decimals(word) != usual:
                limit = f"{usual} decimals, as on the first line"
                found.add(path.name, number, "is cut short", word, limit, cut)
    words = lines[count + 2].split()
    if len(words) not in (3, 9):
        found.add(path.name, count + 3, "holds no box", lines[count + 2], "3 numbers, or 9", cut)
    for word in words:
        found.number(path.name, count + 3, word, "box")
    found.raise_them(given)
    if any(line.strip() for line in lines[count + 3 :]):
        given.notes.append(f"{path.name} holds more than one frame; the first is read")
    velocity = _array([row[3:] for row in rows]) if moving else None
    names = [line[10:15].strip() for line in lines[2 : count + 2]]
    position = _array([row[:3] for row in rows])
    return Coordinates(position, velocity, _box(words), atom_names=names)


def _decimals(word: str) -> int:
    return len(word.partition(".")[2])


def _count(found: Findings, file: str, lines: list[str]) -> int:
    word = lines[1].strip() if len(lines) > 1 else ""
    if not found.number(file, 2, word, "count", whole=True):
        return 0
    count, held = int(word), len(lines) - 2 - (not lines[-1].strip())
    if count < 0 or held < count + 1:
        held = max(held - 1, 0)
        found.add(file, 2, f"holds {held:,} of {count:,} atoms, and a box", hint=cut)
    return count


def _array(rows: list[list[str]]) -> Floats:
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _box(words: list[str]) -> Floats | None:
    edges = [float(word) for word in words]
    box = np.diag(edges[:3])
    if len(edges) == 9:
        box[[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]] = edges[3:]
    return box if any(edges) else None
