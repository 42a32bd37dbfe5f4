# SPDX-License-Identifier: BSD-3-Clause
"""AMBER prmtop files."""

from __future__ import annotations

import re
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
_pointers = (
    "NATOM NTYPES NBONH NBONA NTHETH NTHETA NPHIH NPHIA NHPARM NPARM NNB NRES NBONA_ NTHETA_ "
    "NPHIA_ NUMBND NUMANG NPTRA"
).split()
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
    box = found.box if found.box is not None else box_in_nm(prmtop.topology.getPeriodicBoxVectors())
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
    key = "system.topology"
    again = "the file is cut short or damaged; copy or make it again"
    with reading(given, key, path, "AMBER topology"):
        text = path.read_text()
    if "%FLAG POINTERS" not in text:
        limit = f"{path.name} has no section POINTERS"
        raise fail(given, key, "is not a whole AMBER topology", limit=limit, hint=again)
    counts: dict[str, int] = {}
    line = 1
    for section in text.split("%FLAG ")[1:]:
        line += text.count("\n", 0, text.find("%FLAG ")) if line == 1 else 0
        start, line = line, line + section.count("\n")
        head, _, body = section.partition("\n")
        name, found = head.strip(), _format.search(body)
        if found is None:
            if name not in _lengths:
                continue
            limit = f"{path.name}:{start}, section {name} has no format"
            raise fail(given, key, "is not a whole AMBER topology", limit=limit, hint=again)
        width = int(found.group(1))
        rows = [r for r in body.split("\n") if r and not r.startswith("%")]
        if name == "POINTERS":
            values = " ".join(rows).split()
            counts = {
                pointer: int(value)
                for pointer, value in zip(_pointers, values, strict=False)
                if value.isdigit()
            }
        elif name in _lengths:
            factor, _, pointer = _lengths[name].rpartition(" ")
            wanted = counts.get(pointer, 0) * int(factor or 1)
            held = sum(-(-len(row.rstrip()) // width) for row in rows)
            if name == "ATOM_NAME" or name == "RESIDUE_LABEL":
                held = max(held, wanted) if held >= wanted - 20 else held  # trailing blank names
            if held < wanted:
                limit = f"{path.name}:{start}, section {name} holds {held:,} of {wanted:,} values"
                raise fail(given, key, "is not a whole AMBER topology", limit=limit, hint=again)
    absent = [name for name in _lengths if f"%FLAG {name} " not in text and f"%FLAG {name}\n" not in text]
    if absent:
        limit = f"{path.name} has no section {absent[0]}"
        raise fail(given, key, "is not a whole AMBER topology", limit=limit, hint=again)
