# SPDX-License-Identifier: BSD-3-Clause
"""What files of CHARMM ask for and a run does not do unless its input says so."""

from __future__ import annotations

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.charmm.parameters import Read

# Options of NONBONDED, the keys of an input that do the same, and what these are by default [Å].
_distances = {
    "CTOF": ("CTOFNB", "cutoff", 12.0),
    "CTON": ("CTONNB", "switch", 10.0),
}


def notes_of_charmm(given: Input, read: Read, *, has_box: bool) -> list[str]:
    """Return the notes; cutoffs and switches are those of pairs in a box."""
    notes = []
    if read.thole:
        notes.append(
            f"{read.thole} holds THOLE, parameters of polarisable atoms, which are not used: "
            "charges are fixed"
        )
    if not has_box:
        return notes
    if read.switched and not given.given("forces.switching"):
        notes.append(
            f"{read.switched} asks for a switched force (VFSWITCH), and the energy is switched: "
            'add switching = "force" to [forces] to do as CHARMM does'
        )
    for word, (name, key, usual) in _distances.items():
        file, asked = read.distances.get(word, ("", usual))
        if asked != usual and not given.given(f"forces.{key}"):
            notes.append(
                f"{file} asks for {name} {asked:g} Å, which is not used: {key} is {usual:g} Å by "
                f'default; to use it: {key} = "{asked:g} Å" in [forces]'
            )
    return notes
