# SPDX-License-Identifier: BSD-3-Clause
"""AMBER prmtop files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from finegrain.input.load import Input
from finegrain.input.readers.coordinates import read_coordinates
from finegrain.input.readers.source import (
    Source,
    box_in_nm,
    chosen_constraints,
    fail,
    names_of,
    need_coordinates,
    reading,
    serialise,
)

# Values a section must hold, from the counts in POINTERS (AMBER file formats, prmtop).
_lengths: dict[str, str] = {
    "ATOM_NAME": "NATOM",
    "CHARGE": "NATOM",
    "MASS": "NATOM",
    "ATOM_TYPE_INDEX": "NATOM",
    "NUMBER_EXCLUDED_ATOMS": "NATOM",
    "RESIDUE_LABEL": "NRES",
    "RESIDUE_POINTER": "NRES",
    "BOND_FORCE_CONSTANT": "NUMBND",
    "ANGLE_FORCE_CONSTANT": "NUMANG",
    "DIHEDRAL_FORCE_CONSTANT": "NPTRA",
    "BONDS_INC_HYDROGEN": "3 NBONH",
    "BONDS_WITHOUT_HYDROGEN": "3 NBONA",
    "ANGLES_INC_HYDROGEN": "4 NTHETH",
    "ANGLES_WITHOUT_HYDROGEN": "4 NTHETA",
    "DIHEDRALS_INC_HYDROGEN": "5 NPHIH",
    "DIHEDRALS_WITHOUT_HYDROGEN": "5 NPHIA",
    "EXCLUDED_ATOMS_LIST": "NNB",
}
_optional = dict.fromkeys(("JOIN_ARRAY", "IROTAT", "RADII", "SCREEN"), "NATOM")
_pointers = (
    *("NATOM", "NTYPES", "NBONH", "MBONA", "NTHETH", "MTHETA", "NPHIH", "MPHIA", "NHPARM"),
    *("NPARM", "NNB", "NRES", "NBONA", "NTHETA", "NPHIA", "NUMBND", "NUMANG", "NPTRA"),
)
_format = re.compile(r"%FORMAT\(\s*\d*[aIE](\d+)", re.IGNORECASE)


def read_amber(given: Input) -> Source:
    """Read topology and coordinates; the System is made with the input's constraints."""
    from openmm import app

    path = given.path_of(given.model.system.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "JAC.inpcrd"')
    _check_whole(given, path)
    with reading(given, "system.topology", path, "AMBER topology"):
        prmtop = app.AmberPrmtopFile(str(path))
        constraints, rigid = chosen_constraints(given)
        system = prmtop.createSystem(
            nonbondedMethod=app.NoCutoff, constraints=constraints, rigidWater=rigid
        )
    found = read_coordinates(given, coordinates)
    box = box_in_nm(prmtop.topology.getPeriodicBoxVectors())
    if found.box is not None and not (box is None and coordinates.suffix == ".xml"):
        box = found.box  # but a State has a box even where the topology has none
    return Source(
        "amber",
        False,
        serialise(system),
        names_of(prmtop.topology),
        found.position,
        found.velocity,
        box,
    )


def _check_whole(given: Input, path: Path) -> None:
    """Compare the length of each section with POINTERS; a reader may not notice a cut."""
    with reading(given, "system.topology", path, "AMBER topology"):
        sections = _sections(path.read_text().splitlines())
    fault = _first_fault(sections)
    if fault:
        hint = "the file is cut short or damaged; copy or make it again"
        what, limit = "is not a whole AMBER topology", f"{path.name}{fault}"
        raise fail(given, "system.topology", what, limit=limit, hint=hint)


@dataclass
class _Section:
    line: int  # of its %FLAG, from 1
    width: int = 0  # of a value, in characters
    rows: list[str] = field(default_factory=list)


def _sections(lines: list[str]) -> dict[str, _Section]:
    sections: dict[str, _Section] = {}
    current = _Section(0)
    for number, line in enumerate(lines, start=1):
        if line.startswith("%FLAG"):
            current = sections.setdefault(line[5:].strip(), _Section(number))
        elif line.startswith("%FORMAT"):
            found = _format.search(line)
            current.width = int(found.group(1)) if found else 0
        elif line and not line.startswith("%"):
            current.rows.append(line)
    return sections


def _first_fault(sections: dict[str, _Section]) -> str:
    """Return where the file is not whole, to be put behind its name; nothing if it is."""
    if "POINTERS" not in sections:
        return " has no section POINTERS"
    counts = dict(zip(_pointers, " ".join(sections["POINTERS"].rows).split(), strict=False))
    for name, count in (_lengths | _optional).items():
        if name not in sections and name in _optional:
            continue
        if name not in sections:
            return f" has no section {name}"
        section = sections[name]
        if section.width == 0:
            return f":{section.line}, section {name} has no format"
        factor, _, pointer = count.rpartition(" ")
        wanted = int(counts.get(pointer, "0")) * int(factor or 1)
        held = sum(-(-len(row) // section.width) for row in section.rows)
        if held < wanted:
            return f":{section.line}, section {name} holds {held:,} of {wanted:,} values"
    return ""
