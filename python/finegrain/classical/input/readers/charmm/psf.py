# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM PSF files as text: flags, sections, counts, atoms, numbers; what OpenMM gets of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from openmm.app.charmmpsffile import WATNAMES

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.charmm.lone_pairs import lone_pairs
from finegrain.classical.input.readers.findings import (
    Comments,
    Findings,
    cut,
    ends_of_lines,
    lines_of,
    text_of,
)
from finegrain.classical.input.readers.plain_numbers import is_plain, is_whole

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


@dataclass
class Psf:
    """The text of a PSF: its lines, and where the rows of each section stand."""

    lines: list[str] = field(default_factory=list)
    rows: dict[str, range] = field(default_factory=dict)

    def words(self, section: str) -> list[list[str]]:
        """Return the words of the rows of a section."""
        return [self.lines[number].split() for number in self.rows.get(section, range(0))]


def read_psf(given: Input, key: str, path: Path) -> Psf:
    """Raise an error for damage in a PSF file, and for content that would be ignored silently."""
    found = Findings()
    psf = Psf(lines_of(text_of(given, key, path, _comments(path))))
    head = psf.lines[0].split()
    if not head or head[0] != "PSF":
        found.add(path.name, 1, "is not a PSF file", psf.lines[0], "a first line PSF", cut)
        found.raise_them(given)
    unknown = [flag for flag in head[1:] if flag not in flags]
    if "DRUDE" in unknown:
        hint = "use a force field without polarisation"
        found.add(path.name, 1, "is not supported", "DRUDE", hint=hint)
    found.raise_them(given)
    _check_sections(found, path.name, psf)
    found.raise_them(given)
    if unknown:
        listed = ", ".join(unknown)
        given.notes.append(f"{path.name} has a flag that is not known and has no effect: {listed}")
    columns = [words[9] for words in psf.words("NATOM") if len(words) > 9 and "CHEQ" in head]
    if any(is_plain(word) and float(word) != 0 for word in columns):
        given.notes.append(f"{path.name} holds electronegativities (CHEQ); they are not used")
    return psf


def _comments(path: Path) -> Comments:
    """Return the rule for comments: the title of a PSF, lines of REMARKS, what follows a !."""
    first, last = 0, 0
    for number, raw in enumerate(ends_of_lines.split(path.read_bytes()), start=1):
        if b"!NTITLE" in raw:
            count = raw.split()[0]
            first, last = number, number + (int(count) if count.isdigit() else 0)
            break

    def begin(number: int, line: str) -> int:
        title = first < number <= last or line.lstrip().startswith(("REMARK", "*"))
        return 0 if title else len(line.partition("!")[0])

    return begin


def for_openmm(
    given: Input, path: Path, psf: Psf, masses: dict[str, tuple[int, float, str]]
) -> tuple[list[str], str]:
    """Return the names of the atoms, and the file in a form that OpenMM reads correctly.

    OpenMM drops bonds by the names of their atoms (LP, OM, D), so these are replaced. Bonds of
    lone pairs are taken out, and those between the hydrogens of a water. Types by number become
    types by name. A dihedral that is listed several times in a row counts once.
    """
    atoms = psf.words("NATOM")
    numbers = {str(mass[0]): name for name, mass in masses.items() if mass[0] > 0}
    names = [words[4].upper() for words in atoms]
    found = Findings()
    first = psf.rows["NATOM"].start + 1
    for line, words in enumerate(atoms, start=first):
        words[4], kind = "A", words[5].upper()
        words[5] = numbers.get(kind, kind)
        if words[5].isdigit():
            hint = "add the topology file (.rtf) whose MASS lines give the types their numbers"
            found.add(path.name, line, "is a type by number", f"type {kind}", hint=hint)
    found.raise_them(given)
    pairs = _terms(psf, "NBOND", 2)
    lone = _lone_pairs(psf)
    bonds = []
    for pair in pairs:
        light = all(names[int(atom) - 1][0] == "H" for atom in pair)
        water = light and atoms[int(pair[0]) - 1][3].upper() in WATNAMES
        if not water and not lone.intersection(pair):
            bonds.append(pair)
    dihedrals = _terms(psf, "NPHI", 4)
    once = [term for before, term in pairwise([[], *dihedrals]) if term != before]
    if len(once) < len(dihedrals):
        given.notes.append(
            f"{path.name} lists {len(dihedrals) - len(once):,} dihedrals several times in a row; "
            "each counts once, with all its terms"
        )
    text = ["PSF", "", "1 !NTITLE", " REMARKS", ""]
    text += [f"{len(atoms)} !NATOM", *(" ".join(words) for words in atoms), ""]
    for title, terms in (
        ("NBOND", bonds),
        ("NTHETA", _terms(psf, "NTHETA", 3)),
        ("NPHI", once),
        ("NIMPHI", _terms(psf, "NIMPHI", 4)),
        ("NDON", []),
        ("NACC", []),
        ("NCRTERM", _terms(psf, "NCRTERM", 8)),
    ):
        text += [f"{len(terms)} !{title}", *(" ".join(term) for term in terms), ""]
    if psf.rows.get("NUMLP"):
        rows = psf.rows["NUMLP"]
        text += [psf.lines[rows.start - 1], *psf.lines[rows.start : rows.stop], ""]
    return names, "\n".join([*text, "0 0 !NGRP NST2", "", ""])


def _terms(psf: Psf, section: str, size: int) -> list[list[str]]:
    words = [word for row in psf.words(section) for word in row]
    return [words[first : first + size] for first in range(0, len(words), size)]


def _lone_pairs(psf: Psf) -> set[str]:
    rows = psf.words("NUMLP")
    pairs = [row for row in rows if len(row) > 2 and row[2] == "F"]
    places = [word for row in rows[len(pairs) :] for word in row]
    return {places[int(row[1]) - 1] for row in pairs}


def _check_sections(found: Findings, file: str, psf: Psf) -> None:
    lines = psf.lines
    atoms, seen, number = 0, set(), 1
    massless: dict[int, int] = {}  # atoms that CHARMM does not move, with their lines
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip():
            continue
        if "!" not in line:
            found.add(file, number, "stands in no section", line, hint=cut)
            return
        counts, _, title = line.partition("!")
        words, name = counts.split(), title.split(":")[0].split()
        first = number + 1
        rows = _rows(lines, number, empty_first=bool(name) and name[0].upper() == "NNB")
        number += len(rows)
        if not name or not words or not all(is_whole(word) for word in words):
            found.add(file, first - 1, "is no head of a section", line, hint=cut)
            return
        section, count = name[0].upper(), int(words[0])
        if section in seen:
            found.add(file, first - 1, "is given twice", section, hint="keep one")
        seen.add(section)
        psf.rows[section] = range(first - 1, first - 1 + len(rows))
        if section == "NATOM":
            atoms = count
            massless = _check_atoms(found, file, first, rows, count)
        elif section in _atoms:
            _check_terms(found, file, first, section, rows, count, atoms)
        elif section == "NGRP":
            held = sum(len(row.split()) for row in rows)
            if len(words) > 1 and int(words[1]) != 0:
                hint = "waters of the model ST2 are not read"
                found.add(file, first - 1, "is not supported", f"NST2 {words[1]}", "0", hint)
            if held != 3 * max(count, 1) and (count or held):
                what = f"holds {held:,} of {3 * count:,} numbers"
                found.add(file, first - 1, what, section, hint=cut)
        elif section == "NNB" and count:
            hint = "make the PSF without exclusions of your own; they are not read"
            found.add(file, first - 1, "is not supported", f"{count:,} exclusions (NNB)", hint=hint)
        elif section == "NUMLP":
            for atom in lone_pairs(found, file, first, rows, words, atoms):
                massless.pop(atom, None)
        elif section == "NUMANISO" and count:
            hint = "use a force field without polarisation"
            found.add(file, first - 1, "is not supported", f"{count:,} NUMANISO", "0", hint)
        elif section not in _others and (count or rows):
            what = "is not a known section"
            found.unknown(file, first - 1, what, section, [*_atoms, *_others])
    for line_number in () if found.problems else massless.values():
        hint = "atoms that are held in place are not read"
        limit = "0, or a lone pair of NUMLP"
        found.add(file, line_number, "is not supported", "IMOVE -1", limit, hint)
    for section in ("NATOM", "NBOND", "NTHETA", "NPHI", "NIMPHI"):
        if section not in seen and not found.problems:
            found.add(file, 0, f"has no section {section}", hint=cut)


def _rows(lines: list[str], start: int, *, empty_first: bool) -> list[str]:
    """Return the lines up to an empty one or the next head; NNB may begin with empty lines."""
    end = start + 1 if empty_first and start < len(lines) and not lines[start].strip() else start
    while end < len(lines) and lines[end].strip() and "!" not in lines[end]:
        end += 1
    return lines[start:end]


def _check_atoms(
    found: Findings, file: str, first: int, rows: list[str], count: int
) -> dict[int, int]:
    """Return the atoms that must be lone pairs, counted from 1, with their lines."""
    massless: dict[int, int] = {}
    if len(rows) != count:
        found.add(file, first - 1, f"holds {len(rows):,} of {count:,} atoms", hint=cut)
    for number, row in enumerate(rows, start=first):
        words = row.split()
        if len(words) < 8:
            found.add(file, number, f"holds {len(words)} of 8 columns", row, hint=cut)
            continue
        if words[0] != str(number - first + 1):
            limit = f"atom {number - first + 1} comes next"
            found.add(file, number, "is out of order", f"atom {words[0]}", limit, cut)
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
            found.atom(file, number, word, section, least, atoms)
    if held != each * count:
        what = f"holds {held:,} of {each * count:,} atoms"
        found.add(file, first - 1, what, section, hint=cut)
