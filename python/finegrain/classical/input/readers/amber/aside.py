# SPDX-License-Identifier: BSD-3-Clause
"""What AMBER topologies hold and a run does not use: polarisabilities, radii, copies, another box.

References
----------
AMBER file formats, "PARM parameter/topology file specification" (the numbers in POINTERS).
"""

from __future__ import annotations

from collections.abc import Mapping

from finegrain.classical.input.readers.amber.sections import Section
from finegrain.classical.input.readers.aside import StructureAside
from finegrain.classical.input.readers.plain_numbers import is_plain, is_whole

_box, _copies = 27, 31  # places of IFBOX and NCOPY in POINTERS
_polarisation = ("POLARIZABILITY", "DIPOLE_DAMP_FACTOR")


def notes_of_prmtop(
    file: str, sections: Mapping[str, Section], *, placed_box: bool, own_box: bool
) -> list[str]:
    """Return notes that name what is not used.

    Parameters
    ----------
    placed_box : bool
        Whether the coordinates have a box.
    own_box : bool
        Whether the input has one, which counts before all others.
    """
    notes = []
    has_box = _pointer(sections, _box) > 0
    if not own_box and placed_box and not has_box:
        notes.append(
            f"{file} has no box (IFBOX 0), and that of the coordinates is used: the system is "
            "periodic"
        )
    if not own_box and has_box and not placed_box:
        notes.append(
            f"the coordinates have no box, and that of {file} (BOX_DIMENSIONS) is used, in which "
            "the system was made"
        )
    if not (own_box or has_box or placed_box) and any(_numbers(sections, "RADII")):
        notes.append(
            f"{file} holds radii for an implicit solvent (RADII, SCREEN), which are not used: "
            "there is no such solvent here, and the molecule is in vacuum"
        )
    held = [name for name in _polarisation if any(_numbers(sections, name))]
    if held:
        notes.append(
            f"{file} holds {' and '.join(held)}, which are not used: charges are fixed, without "
            "induced dipoles"
        )
    if (copies := _pointer(sections, _copies)) > 1:
        notes.append(
            f"{file} asks for {copies:,} copies of the system (NCOPY), as path integrals have "
            "them; they are not used, the run has one"
        )
    return notes + _occupancies(file, sections)


def _occupancies(file: str, sections: Mapping[str, Section]) -> list[str]:
    """Return a note on atoms that are there in part, as of a PDB file."""
    if "ATOM_OCCUPANCY" not in sections:
        return []
    aside = StructureAside()
    names, shares = sections["ATOM_NAME"].values, sections["ATOM_OCCUPANCY"].values
    for name, share in zip(names, shares, strict=False):
        aside.atom(name, "", share, "")
    return aside.notes(file)


def _pointer(sections: Mapping[str, Section], place: int) -> int:
    values = sections["POINTERS"].values
    return int(values[place]) if place < len(values) and is_whole(values[place]) else 0


def _numbers(sections: Mapping[str, Section], name: str) -> list[float]:
    values = sections[name].values if name in sections else []
    return [float(value) for value in values if is_plain(value)]
