# SPDX-License-Identifier: BSD-3-Clause
"""Checks of AMBER topologies as text: sections, lengths, numbers, and the atoms they name.

References
----------
AMBER file formats, "PARM parameter/topology file specification".
"""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import numpy as np

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.amber.maps import check_charmm_terms
from finegrain.classical.input.readers.amber.sections import Section, SectionChecks, not_whole
from finegrain.classical.input.readers.findings import (
    Comments,
    Findings,
    cut,
    ends_of_lines,
    lines_of,
    text_of,
)

_format = re.compile(r"%FORMAT\(\s*\d*\(?([aIEF])(\d+)", re.IGNORECASE)
_pointers = (
    *("NATOM", "NTYPES", "NBONH", "MBONA", "NTHETH", "MTHETA", "NPHIH", "MPHIA", "NHPARM"),
    *("NPARM", "NNB", "NRES", "NBONA", "NTHETA", "NPHIA", "NUMBND", "NUMANG", "NPTRA"),
)
# Number of values in each section, from the counts in POINTERS.
_lengths = {
    "ATOM_NAME": "NATOM",
    "CHARGE": "NATOM",
    "MASS": "NATOM",
    "ATOM_TYPE_INDEX": "NATOM",
    "NUMBER_EXCLUDED_ATOMS": "NATOM",
    "RESIDUE_LABEL": "NRES",
    "RESIDUE_POINTER": "NRES",
    "BOND_FORCE_CONSTANT": "NUMBND",
    "BOND_EQUIL_VALUE": "NUMBND",
    "ANGLE_FORCE_CONSTANT": "NUMANG",
    "ANGLE_EQUIL_VALUE": "NUMANG",
    "DIHEDRAL_FORCE_CONSTANT": "NPTRA",
    "DIHEDRAL_PERIODICITY": "NPTRA",
    "DIHEDRAL_PHASE": "NPTRA",
    "BONDS_INC_HYDROGEN": "3 NBONH",
    "BONDS_WITHOUT_HYDROGEN": "3 NBONA",
    "ANGLES_INC_HYDROGEN": "4 NTHETH",
    "ANGLES_WITHOUT_HYDROGEN": "4 NTHETA",
    "DIHEDRALS_INC_HYDROGEN": "5 NPHIH",
    "DIHEDRALS_WITHOUT_HYDROGEN": "5 NPHIA",
    "EXCLUDED_ATOMS_LIST": "NNB",
    "NONBONDED_PARM_INDEX": "PAIRS",
    "LENNARD_JONES_ACOEF": "KINDS",
    "LENNARD_JONES_BCOEF": "KINDS",
    "AMBER_ATOM_TYPE": "NATOM",
}
_optional = {
    **dict.fromkeys(("JOIN_ARRAY", "IROTAT", "RADII", "SCREEN", "ATOMIC_NUMBER"), "NATOM"),
    **dict.fromkeys(("SCEE_SCALE_FACTOR", "SCNB_SCALE_FACTOR"), "NPTRA"),
    **dict.fromkeys(("LENNARD_JONES_14_ACOEF", "LENNARD_JONES_14_BCOEF"), "KINDS"),
    "LENNARD_JONES_CCOEF": "KINDS",
}
# The first value of a term is its number of atoms; the second its kind.
_terms = {
    "BONDS": (2, "NUMBND"),
    "ANGLES": (3, "NUMANG"),
    "DIHEDRALS": (4, "NPTRA"),
}
# Without effect on forces, or read by OpenMM and then supported or refused with their force.
_others = (
    *("TITLE", "CTITLE", "POINTERS", "SOLTY", "HBOND_ACOEF", "HBOND_BCOEF", "HBCUT"),
    *("TREE_CHAIN_CLASSIFICATION", "SOLVENT_POINTERS", "ATOMS_PER_MOLECULE", "BOX_DIMENSIONS"),
    *("RADIUS_SET", "CAP_INFO", "CAP_INFO2", "FORCE_FIELD_TYPE", "POLARIZABILITY", "IPOL"),
    *("DIPOLE_DAMP_FACTOR", "RESIDUE_CHAINID", "RESIDUE_NUMBER", "RESIDUE_ICODE"),
    *("ATOM_ELEMENT", "ATOM_OCCUPANCY", "ATOM_BFACTOR", "ATOM_NUMBER"),
)
_families = re.compile(r"(CHARMM_\w+|CMAP_(COUNT|RESOLUTION|INDEX|PARAMETER_\d+))")
refused = {
    "LES_": "copies of atoms (LES) are not read; make the topology without them",
    "AMOEBA_": "use a force field without polarisation",
}
refused_pointers = {  # places in POINTERS
    "IFPERT": (20, "perturbed atoms are not read; make the topology without them"),
    "IFCAP": (29, "the force of a cap on its waters is not read; make a box of water instead"),
}


def check_prmtop(given: Input, key: str, path: Path) -> dict[str, Section]:
    """Return what a topology holds.

    Damage in it is an error, and so is content that a reader would drop and a run needs.
    """
    found = Findings()
    sections = _sections(found, path.name, lines_of(text_of(given, key, path, _comments(path))))
    found.raise_them(given)
    counts = _counts(found, path.name, sections)
    found.raise_them(given)
    _check_lengths(found, path.name, sections, counts)
    found.raise_them(given)
    for section in sections.values():
        if section.kind in ("I", "E", "F"):
            found.numbers(
                path.name, section.lines, section.values, section.name, whole=section.kind == "I"
            )
    found.raise_them(given)
    _refuse_hydrogen_bonds(found, path.name, sections)
    _check_atoms(found, path.name, sections, counts)
    check_charmm_terms(found, path.name, sections, counts["NATOM"])
    found.raise_them(given)
    return sections


def _comments(path: Path) -> Comments:
    """Return the rule for comments: lines of %VERSION and %COMMENT, and the title."""

    @cache  # only a file with other letters is asked for it
    def title() -> frozenset[int]:
        found, of_title = set[int](), False
        for number, raw in enumerate(ends_of_lines.split(path.read_bytes()), start=1):
            if raw.startswith(b"%FLAG"):
                of_title = raw[5:].strip() in (b"TITLE", b"CTITLE")
            if of_title:
                found.add(number)
        return frozenset(found)

    def begin(number: int, line: str) -> int:
        comment = line.startswith(("%VERSION", "%COMMENT")) or number in title()
        return 0 if comment else len(line)

    return begin


def _sections(found: Findings, file: str, lines: list[str]) -> dict[str, Section]:
    sections: dict[str, Section] = {}
    current: Section | None = None
    for number, line in enumerate(lines, start=1):
        if line.startswith("%FLAG"):
            current = Section(line[5:].strip(), number)
            if current.name in sections:
                found.add(file, number, "is given twice", current.name, hint="keep one")
            sections[current.name] = current
            _check_name(found, file, number, current.name)
        elif line.startswith("%FORMAT") and current is not None:
            if match := _format.search(line):
                current.kind, current.width = match.group(1).upper(), int(match.group(2))
            if current.name == "FORCE_FIELD_TYPE":
                current.kind = "A"  # a count, then a text
        elif line.startswith("%") or current is None:
            if line.strip() and not line.startswith(("%VERSION", "%COMMENT")):
                hint = "is it older than AMBER 7? make it again with tleap or ParmEd"
                found.add(file, number, not_whole, line, "stands in no section (%FLAG)", hint)
                break
        elif current.width:
            line = line.rstrip()
            if current.kind != "A" and len(line) % current.width:
                limit = f"columns of {current.width} characters"
                found.add(file, number, "is cut short", line, limit, cut)
            width = current.width
            values = [line[at : at + width].strip() for at in range(0, len(line), width)]
            current.values += values
            current.lines += [number] * len(values)
        elif line.strip():
            limit = f"section {current.name} has no format"
            found.add(file, current.line, not_whole, current.name, limit, cut)
            break
    return sections


def _check_name(found: Findings, file: str, number: int, name: str) -> None:
    for start, hint in refused.items():
        if name.startswith(start):
            found.add(file, number, "is not supported", name, hint=hint)
            return
    known = (*_lengths, *_optional, *_others)
    if name not in known and not _families.fullmatch(name):
        found.unknown(file, number, "is not a known section", name, list(known))


def _counts(found: Findings, file: str, sections: dict[str, Section]) -> dict[str, int]:
    """Return the numbers in POINTERS by their names, and those that follow from them."""
    if "POINTERS" not in sections:
        found.add(file, 0, not_whole, limit="has no section POINTERS", hint=cut)
        return {}
    section = sections["POINTERS"]
    if len(section.values) < len(_pointers):
        limit = f"holds {len(section.values)} of {len(_pointers)} numbers"
        found.add(file, section.line, not_whole, "POINTERS", limit, cut)
        return {}
    good = [
        found.number(file, line, value, "POINTERS", whole=True)
        for value, line in zip(section.values, section.lines, strict=True)
    ]
    if not all(good):
        return {}
    counts = {name: int(value) for name, value in zip(_pointers, section.values, strict=False)}
    counts["PAIRS"] = counts["NTYPES"] ** 2
    counts["KINDS"] = counts["NTYPES"] * (counts["NTYPES"] + 1) // 2
    if "IPOL" in sections and sections["IPOL"].values not in ([], ["0"]):
        line, hint = sections["IPOL"].line, "use a force field without polarisation"
        found.add(file, line, "is not supported", "IPOL", "0", hint)
    for name, (place, hint) in refused_pointers.items():
        value = section.values[place] if place < len(section.values) else "0"
        if value != "0":
            line = section.lines[place]
            found.add(file, line, "is not supported", f"{name} {value}", "0", hint)
    return counts


def _check_lengths(
    found: Findings, file: str, sections: dict[str, Section], counts: dict[str, int]
) -> None:
    checks = SectionChecks(found, file, sections)
    for name, count in (_lengths | _optional).items():
        if name not in sections:
            if name in _lengths:
                found.add(file, 0, not_whole, limit=f"has no section {name}", hint=cut)
            continue
        factor, _, pointer = count.rpartition(" ")
        checks.length(name, counts[pointer] * int(factor or 1))


def _refuse_hydrogen_bonds(found: Findings, file: str, sections: dict[str, Section]) -> None:
    """Complain about 10-12 terms of old force fields, unless they are all zero."""
    for name in ("HBOND_ACOEF", "HBOND_BCOEF"):
        section = sections.get(name)
        if section is None or not any(float(value) for value in section.values):
            continue
        hint = "use a force field of 1994 or later, which has no such terms"
        found.add(
            file, section.line, "10-12 terms of hydrogen bonds are not supported", name, "", hint
        )
        return


def _is_broken(value: str) -> bool:
    """Return whether a number is not a whole one; words that are no numbers are found elsewhere."""
    try:
        return not float(value).is_integer()
    except ValueError:
        return False


def _check_atoms(
    found: Findings, file: str, sections: dict[str, Section], counts: dict[str, int]
) -> None:
    within = partial(SectionChecks(found, file, sections).within, signs=True)
    turns = sections["DIHEDRAL_PERIODICITY"]
    for value, line in zip(turns.values, turns.lines, strict=True):
        if _is_broken(value):
            what, limit = "is not a whole number", "OpenMM would cut off its decimals"
            found.add(file, line, what, f"{turns.name} {value}", limit, cut)
    atoms = counts["NATOM"]
    within("ATOM_TYPE_INDEX", 1, counts["NTYPES"])
    within("RESIDUE_POINTER", 1, atoms)
    within("EXCLUDED_ATOMS_LIST", 0, atoms)
    within("NONBONDED_PARM_INDEX", 1, max(counts["KINDS"], counts["NHPARM"]))
    for start, (each, kinds) in _terms.items():
        for end in ("_INC_HYDROGEN", "_WITHOUT_HYDROGEN"):
            section = sections[start + end]
            for place in range(each):
                within(start + end, 0, 3 * (atoms - 1), place, each + 1)
            within(start + end, 1, counts[kinds], each, each + 1)
            numbers, good = section.whole_numbers()
            atom = np.arange(len(numbers)) % (each + 1) < each
            for at in np.flatnonzero(atom & good & (numbers % 3 != 0)):
                limit, value = "three times the number of an atom", section.values[at]
                found.add(
                    file, section.lines[at], "names no atom", f"{start + end} {value}", limit, cut
                )
    numbers, good = sections["RESIDUE_POINTER"].whole_numbers()
    first = numbers[good]
    if len(first) and (first[0] != 1 or (np.diff(first) <= 0).any()):
        line = sections["RESIDUE_POINTER"].line
        found.add(file, line, "is out of order", "RESIDUE_POINTER", "1 and rising", cut)
    listed = int(sections["NUMBER_EXCLUDED_ATOMS"].whole_numbers()[0].sum())
    if listed != counts["NNB"]:
        line = sections["NUMBER_EXCLUDED_ATOMS"].line
        limit = f"{counts['NNB']:,} in EXCLUDED_ATOMS_LIST"
        found.add(file, line, f"counts {listed:,} atoms", "NUMBER_EXCLUDED_ATOMS", limit, cut)
