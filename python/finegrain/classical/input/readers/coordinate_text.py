# SPDX-License-Identifier: BSD-3-Clause
"""Checks of coordinate files as text: every number is plain, every line is there.

Each check knows the columns of its file, so that OpenMM's readers cannot misread what it accepts.
"""

from __future__ import annotations

import math
from pathlib import Path

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.aside import StructureAside, notes_of_pdb
from finegrain.classical.input.readers.findings import (
    Findings,
    cut,
    lines_of,
    text_of,
    title_in_front,
)


def check_amber(given: Input, key: str, path: Path) -> None:
    """Check an inpcrd text file: a title, the count, rows of six numbers of 12 characters."""
    with path.open("rb") as file:
        if file.read(4)[:3] in (b"CDF", b"\x89HD"):
            return  # NetCDF: its numbers are binary
    found = Findings()
    lines = lines_of(text_of(given, key, path, title_in_front).rstrip())
    words = lines[1].split() if len(lines) > 1 else []
    if not words:
        found.add(path.name, 0, "is not a whole coordinate file", "", "no count of atoms", cut)
    elif found.number(path.name, 2, words[0], "count", whole=True):
        for word in words[1:]:
            found.number(path.name, 2, word, "time")
        _check_amber_rows(found, path.name, lines, int(words[0]))
    found.raise_them(given)


def _check_amber_rows(found: Findings, file: str, lines: list[str], count: int) -> None:
    block, held = math.ceil(count / 2), len(lines) - 2
    if count < 1:
        found.add(file, 2, "is not a number of atoms", str(count), "1 or more", cut)
    for number, line in enumerate(lines[2:], start=3):
        row = (number - 3) % block if block else 0
        box = number - 2 == held and held % block == 1 % block and block > 1
        wanted = 3 if row == block - 1 and count % 2 and not box else 6
        width = math.ceil(len(line.rstrip()) / 12)
        if width < wanted and block > 1:
            found.add(file, number, f"holds {width} of {wanted} numbers", line, "", cut)
        elif len(line.rstrip()) % 12:
            found.add(file, number, "is cut short", line, "numbers of 12 characters", cut)
        for start in range(0, 12 * width, 12):
            found.number(file, number, line[start : start + 12].strip())


def check_charmm(given: Input, key: str, path: Path) -> None:
    """Check a CHARMM coordinate file: title, count, a line for each atom."""
    found = Findings()
    lines = lines_of(text_of(given, key, path, title_of_charmm))
    body = [(n, line.split()) for n, line in enumerate(lines, start=1) if line.strip()]
    body = [(n, words) for n, words in body if not words[0].startswith("*")]
    if not body:
        found.add(path.name, 0, "is not a whole coordinate file", "", "no count of atoms", cut)
    elif found.number(path.name, body[0][0], body[0][1][0], "count", whole=True):
        count = int(body[0][1][0])
        atoms = body[1 : count + 1]
        if len(atoms) < count:
            found.add(path.name, 0, f"holds {len(atoms):,} of {count:,} atoms", hint=cut)
        if len(body) > count + 1:
            hint = "is the count on the first line right?"
            what = f"holds more than the {count:,} atoms that it counts"
            found.add(path.name, body[count + 1][0], what, hint=hint)
        for number, words in atoms:
            if len(words) < 10:
                found.add(path.name, number, f"holds {len(words)} of 10 columns", hint=cut)
                continue
            for word in words[:2]:
                found.number(path.name, number, word, whole=True)
            for word in (*words[4:7], words[9]):
                found.number(path.name, number, word)
    found.raise_them(given)


def title_of_charmm(number: int, line: str) -> int:
    """Return where the comment of a line begins: titles begin with a star."""
    del number
    return 0 if line.lstrip().startswith("*") else len(line.partition("!")[0])


def words_of_pdb(number: int, line: str) -> int:
    """Return where the comment of a line begins: all records that hold words alone."""
    del number
    numbers = ("ATOM", "HETATM", "CRYST1", "MODEL", "CONECT", "TER", "END")
    return len(line) if line.startswith(numbers) else 0


def words_of_cif(number: int, line: str) -> int:
    """Return where the comment of a line begins: all but the rows of atoms and of the cell."""
    del number
    return len(line) if line.startswith(("ATOM", "HETATM", "_atom", "_cell")) else 0


def check_pdb(given: Input, key: str, path: Path) -> None:
    """Check the columns of numbers of a PDB file."""
    found = Findings()
    lines = lines_of(text_of(given, key, path, words_of_pdb))
    for number, line in enumerate(lines, start=1):
        if line.startswith(("ATOM  ", "HETATM")):
            if len(line.rstrip()) < 54:
                found.add(path.name, number, "holds no position in columns 31 to 54", hint=cut)
                continue
            for start in (30, 38, 46):
                found.number(path.name, number, line[start : start + 8].strip())
        elif line.startswith("CRYST1"):
            for start, end in ((6, 15), (15, 24), (24, 33), (33, 40), (40, 47), (47, 54)):
                found.number(path.name, number, line[start:end].strip(), "box")
    found.raise_them(given)
    given.notes += notes_of_pdb(path.name, lines, is_topology=key == "system.topology")


def check_cif(given: Input, key: str, path: Path) -> None:
    """Check the positions and the cell of a PDBx/mmCIF file."""
    found = Findings()
    columns: list[str] = []
    aside = StructureAside()
    for number, line in enumerate(lines_of(text_of(given, key, path, words_of_cif)), start=1):
        words = line.split()
        if line.startswith("loop_"):
            columns = []
        elif words and words[0].startswith("_"):
            columns.append(words[0])
            cell = words[0].startswith(("_cell.length_", "_cell.angle_")) and len(words) > 1
            if cell and words[1] not in ("?", "."):
                found.number(path.name, number, words[1], words[0])
        elif words and words[0] in ("ATOM", "HETATM") and "_atom_site.Cartn_x" in columns:
            quoted = "'" in line or '"' in line  # such names may hold blanks
            if len(words) < len(columns) or (len(words) > len(columns) and not quoted):
                what = f"holds {len(words)} of {len(columns)} columns"
                found.add(path.name, number, what, hint=cut)
            elif len(words) == len(columns):  # no quoted names with blanks
                aside.row_of_cif(dict(zip(columns, words, strict=True)))
                for axis in "xyz":
                    name = f"_atom_site.Cartn_{axis}"
                    if name in columns:
                        found.number(path.name, number, words[columns.index(name)], name)
    found.raise_them(given)
    given.notes += aside.notes(path.name)
