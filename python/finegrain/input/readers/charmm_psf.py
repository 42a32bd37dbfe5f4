# SPDX-License-Identifier: BSD-3-Clause
"""Checks of CHARMM PSF files as text: flags, sections, counts, atoms and numbers."""

from __future__ import annotations

from pathlib import Path

from finegrain.input.load import Input
from finegrain.input.readers.charmm_lone_pairs import lone_pairs
from finegrain.input.readers.findings import Findings, lines_of, text_of
from finegrain.input.readers.plain_numbers import is_whole

_cut = "the file is cut short or damaged; copy or make it again"
flags = ("EXT", "CMAP", "XPLOR", "CHEQ", "NAMD", "AUTOG")

# The number of atoms in each entry of a section; 0 for sections that are not read this way.
_atoms = {
    "NBOND": 2,
    "NTHETA": 3,
    "NPHI": 4,
    "NIMPHI": 4,
    "NDON": 2,
    "NACC": 2,
    "NCRTERM": 8,
}
_others = ("NTITLE", "NATOM", "NNB", "NGRP", "MOLNT", "NUMLP", "NUMANISO")


def check_psf(given: Input, key: str, path: Path) -> None:
    """Raise an error for damage in a PSF file, and for content that would be ignored silently."""
    found = Findings()
    lines = lines_of(text_of(given, key, path))
    head = lines[0].split()
    if not head or head[0] != "PSF":
        found.add(path.name, 1, "is not a PSF file", lines[0], "a first line PSF", _cut)
        found.raise_them(given)
    for flag in head[1:]:
        if flag == "DRUDE":
            hint = "use a force field without polarisation"
            found.add(path.name, 1, "is not supported", "DRUDE", hint=hint)
        elif flag not in flags:
            found.unknown(path.name, 1, "is not a known flag", flag, list(flags))
    found.raise_them(given)
    _check_sections(found, path.name, lines)
    found.raise_them(given)


def _check_sections(found: Findings, file: str, lines: list[str]) -> None:
    atoms, seen, number = 0, set(), 1
    massless: dict[int, int] = {}  # atoms that CHARMM does not move, with their lines
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip():
            continue
        if "!" not in line:
            found.add(file, number, "stands in no section", line, hint=_cut)
            return
        counts, _, title = line.partition("!")
        words, name = counts.split(), title.split(":")[0].split()
        first = number + 1
        rows = _rows(lines, number, empty_first=bool(name) and name[0].upper() == "NNB")
        number += len(rows)
        if not name or not words or not all(is_whole(word) for word in words):
            found.add(file, first - 1, "is no head of a section", line, hint=_cut)
            return
        section, count = name[0].upper(), int(words[0])
        if section in seen:
            found.add(file, first - 1, "is given twice", section, hint="keep one")
        seen.add(section)
        if section == "NATOM":
            atoms = count
            massless = _check_atoms(found, file, first, rows, count)
        elif section in _atoms:
            _check_terms(found, file, first, section, rows, count, atoms)
        elif section in ("NGRP", "MOLNT"):
            for line_number, row in enumerate(rows, start=first):
                for word in row.split():
                    found.number(file, line_number, word, section, whole=True)
            held = sum(len(row.split()) for row in rows)
            if section == "NGRP" and held != 3 * max(count, 1) and (count or held):
                found.add(
                    file, first - 1, f"holds {held:,} of {3 * count:,} numbers", section, hint=_cut
                )
        elif section == "NNB" and count:
            hint = "make the PSF without exclusions of your own; they are not read"
            found.add(file, first - 1, "is not supported", f"{count:,} exclusions (NNB)", hint=hint)
        elif section == "NUMLP":
            for atom in lone_pairs(found, file, first, rows, words, atoms):
                massless.pop(atom, None)
        elif section not in _others:
            what = "is not a known section"
            found.unknown(file, first - 1, what, section, [*_atoms, *_others])
    for line_number in () if found.problems else massless.values():
        hint = "atoms that are held in place are not read"
        limit = "0, or a lone pair of NUMLP"
        found.add(file, line_number, "is not supported", "IMOVE -1", limit, hint)
    for section in ("NATOM", "NBOND", "NTHETA", "NPHI", "NIMPHI"):
        if section not in seen and not found.problems:
            found.add(file, 0, f"has no section {section}", hint=_cut)


def _rows(lines: list[str], start: int, *, empty_first: bool) -> list[str]:
    """Return the lines up to an empty one; NNB may begin with empty lines."""
    end = start + 1 if empty_first and start < len(lines) and not lines[start].strip() else start
    while end < len(lines) and lines[end].strip():
        end += 1
    return lines[start:end]


def _check_atoms(
    found: Findings, file: str, first: int, rows: list[str], count: int
) -> dict[int, int]:
    """Return the atoms that must be lone pairs, counted from 1, with their lines."""
    massless: dict[int, int] = {}
    if len(rows) != count:
        found.add(file, first - 1, f"holds {len(rows):,} of {count:,} atoms", hint=_cut)
    for number, row in enumerate(rows, start=first):
        words = row.split()
        if len(words) < 8:
            found.add(file, number, f"holds {len(words)} of 8 columns", row, hint=_cut)
            continue
        if words[0] != str(number - first + 1):
            limit = f"atom {number - first + 1} comes next"
            found.add(file, number, "is out of order", f"atom {words[0]}", limit, _cut)
        found.number(file, number, words[6], "charge")
        found.number(file, number, words[7], "mass")
        if len(words) > 8 and words[8] == "-1":
            massless[number - first + 1] = number
        elif len(words) > 8 and words[8] != "0":
            hint = "atoms that are held in place are not read"
            found.add(file, number, "is not supported", f"IMOVE {words[8]}", "0", hint)
    return massless


def _check_terms(
    found: Findings, file: str, first: int, section: str, rows: list[str], count: int, atoms: int
) -> None:
    each, held = _atoms[section], 0
    least = 0 if section in ("NDON", "NACC") else 1  # a donor need not have a hydrogen
    for number, row in enumerate(rows, start=first):
        for word in row.split():
            held += 1
            if found.number(file, number, word, section, whole=True) and not (
                least <= int(word) <= atoms
            ):
                limit = f"{least} to {atoms:,}"
                found.add(file, number, "names no atom", f"{section} {word}", limit, _cut)
    if held != each * count:
        what = f"holds {held:,} of {each * count:,} atoms"
        found.add(file, first - 1, what, section, hint=_cut)
