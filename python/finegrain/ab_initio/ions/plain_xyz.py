# SPDX-License-Identifier: BSD-3-Clause
"""The plainest of all files with atoms: .xyz with one frame, symbols and positions.

ASE reads everything else. This reader exists because the import of ASE's readers takes as long as
the ground state of a small molecule. It takes a file only if both read the same from it.
Lengths in ångström.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.pseudopotentials.elements import SYMBOLS

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_longest = 1_000_000  # bytes
_properties = "species:S:1:pos:R:3"
_comment = re.compile(r'\s*(?:(Lattice|Properties|pbc)=(?:"([^"=]*)"|([^\s"=]+))(?=\s|$))')
_truth = {"T": True, "F": False}
_known = frozenset(SYMBOLS)


def read_plain_xyz(path: Path) -> Atoms | None:
    """Read a file, or return None if it is for ASE.

    Parameters
    ----------
    path : Path
        A file that exists.

    Returns
    -------
    ase.Atoms or None
        With the cell of the file, if it has one. None if anything is unusual: several frames, other
        columns, unknown words in the second line, or numbers that are none.
    """
    if path.suffix != ".xyz" or path.stat().st_size > _longest:
        return None
    try:
        lines = path.read_text("utf-8").split("\n")
        count = int(lines[0])
        words = [line.split() for line in lines[2:]]
        while words and not words[-1]:
            words.pop()
        settings = _settings(lines[1])
        if settings is None or count < 1 or len(words) != count:
            return None
        if any(len(row) != 4 or row[0] not in _known for row in words):
            return None
        positions = np.array([[float(word) for word in row[1:]] for row in words])
        cell = None
        if "Lattice" in settings:
            cell = np.array([float(word) for word in settings["Lattice"].split()]).reshape(3, 3)
        periodic = [_truth[word] for word in settings["pbc"].split()] if "pbc" in settings else None
        if periodic is not None and len(periodic) != 3:
            return None
    except (ValueError, IndexError, KeyError, OSError):
        return None
    from ase import Atoms

    if periodic is None:
        periodic = [cell is not None] * 3
    return Atoms([row[0] for row in words], positions, cell=cell, pbc=periodic)


def _settings(comment: str) -> dict[str, str] | None:
    """Return what the second line says; None if it says something else."""
    found, end = {}, 0
    while comment[end:].strip():
        match = _comment.match(comment, end)
        if match is None or match[1] in found:
            return None
        found[match[1]] = match[2] if match[2] is not None else match[3]
        end = match.end()
    return found if found.get("Properties", _properties) == _properties else None
