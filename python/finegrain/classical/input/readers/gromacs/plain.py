# SPDX-License-Identifier: BSD-3-Clause
"""A GROMACS topology in the words that OpenMM's reader is given: nothing is left to look up.

Each term has its own numbers and types have plain names. So OpenMM's rules for types, which are not
those of `gmx grompp`, decide nothing. Only CMAP tables stay tables.
"""

from __future__ import annotations

from finegrain.classical.input.readers.gromacs.constant_terms import without_constant_terms
from finegrain.classical.input.readers.gromacs.molecules import Topology
from finegrain.classical.input.readers.gromacs.parameters import Resolved


def lines_for_openmm(
    topology: Topology, resolved: dict[str, list[Resolved]], constraints: str
) -> list[str]:
    """Return the lines of the topology.

    Parameters
    ----------
    resolved : dict of str to list
        The terms of each molecule type that is used.
    constraints : str
        The bonds that will be held: "none", "h-bonds" or "all-bonds".
    """
    used = sorted({kind for molecule in topology.used() for kind in molecule.atoms})
    name = {kind: f"t{place}" for place, kind in enumerate(used)}
    bonded = sorted({topology.atom_types[kind].bonded for kind in used})
    bonded_name = {kind: f"b{place}" for place, kind in enumerate(bonded)}
    factors = " ".join(repr(factor) for factor in topology.fudge)
    lines = ["[ defaults ]", f"1 {topology.rule} yes {factors}", "[ atomtypes ]"]
    for kind in used:
        row = topology.atom_types[kind]
        number = [row.number] if row.number is not None else []
        mass, charge = repr(float(row.mass)), repr(float(row.charge))
        words = [name[kind], bonded_name[row.bonded], *number, mass, charge, "A"]
        lines.append(" ".join([*words, row.first, row.second]))
    lines.append("[ nonbond_params ]")
    for pair, (numbers, _) in topology.special.items():
        if all(kind in name for kind in pair):
            lines.append(" ".join([*(name[kind] for kind in pair), "1", *numbers]))
    lines.append("[ cmaptypes ]")
    for types, table in topology.cmap_types.items():
        if all(kind in bonded_name for kind in types):
            lines.append(" ".join([*(bonded_name[kind] for kind in types), *table[5:]]))
    for molecule in topology.used():
        lines += [
            *("[ moleculetype ]", f"{molecule.name} 3", "[ atoms ]"),
            *(" ".join([row[0], name[row[1]], *row[2:8]]) for row in molecule.rows),
        ]
        lines += _terms(without_constant_terms(molecule, resolved, constraints))
    lines.append("[ molecules ]")
    lines += [f"{kind} {count}" for kind, count, _ in topology.counts if count]
    return lines


def _terms(resolved: list[Resolved]) -> list[str]:
    lines, section = [], ""
    for kept in resolved:
        term = kept.term
        if term.section != section:
            section = term.section
            lines.append(f"[ {section} ]")
        head = " ".join([*map(str, term.atoms), term.function])
        if section == "cmap":
            lines.append(head)
        for row in kept.rows:
            numbers = [repr(number) for number in row]
            lines.append(" ".join([head, *numbers]))
    return lines
