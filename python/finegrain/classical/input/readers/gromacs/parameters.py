# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of each term of a GROMACS molecule: its own, or those of its types."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from finegrain.classical.input.readers.gromacs import sections
from finegrain.classical.input.readers.gromacs.molecules import Molecule, Term, Topology
from finegrain.classical.input.readers.gromacs.types import table_of

_by_types = ("bonds", "angles", "dihedrals", "constraints")


@dataclass(frozen=True)
class Resolved:
    """A term with its numbers; a dihedral may have several rows of them."""

    term: Term
    rows: tuple[tuple[float, ...], ...]


def state_a(section: str, function: str) -> int:
    """Return how many parameters a term has; those behind them are of free energies."""
    return next(count for count in sections.terms[section].functions[function] if count)


def resolve(topology: Topology, molecule: Molecule) -> list[Resolved]:
    """Return a molecule's terms but sites and exclusions; what has no parameters is found."""
    bonded = topology.bonded_types(molecule)
    kinds = molecule.atoms
    resolved = []
    missing: dict[tuple[str, ...], Term] = {}  # the first of each kind
    for term in molecule.terms:
        if term.section in ("exclusions", "position_restraints", *sections.sites):
            continue
        rows: Sequence[Sequence[str | float]] = ()
        if term.section == "cmap":
            types = tuple(bonded[atom - 1] for atom in term.atoms)
            if types not in topology.cmap_types:
                missing.setdefault(("cmap", *types), term)
        elif term.section == "pairs":
            rows = [pair_parameters(topology, kinds, term)]
        elif term.numbers:
            rows = [term.numbers]
        elif term.section in _by_types:
            types = tuple(bonded[atom - 1] for atom in term.atoms)
            rows = topology.types.find(term.section, term.function, types)
            if not rows:
                key = (*table_of(term.section, term.function), *min(types, types[::-1]))
                missing.setdefault(key, term)
                continue
        count = 0 if term.section == "cmap" else state_a(term.section, term.function)
        numbers = tuple(tuple(float(number) for number in row[:count]) for row in rows)
        resolved.append(Resolved(term, numbers))
    for term in missing.values():
        _tell_missing(topology, molecule, term, bonded)
    return resolved


def _tell_missing(topology: Topology, molecule: Molecule, term: Term, bonded: list[str]) -> None:
    types = " ".join(bonded[atom - 1] for atom in term.atoms)
    topology.found.add(
        term.line.file,
        term.line.number,
        "has no parameters, here or in the force field",
        f"[ {term.section} ] {term.line.text}",
        f"molecule {molecule.name}, types {types}",
        "is the force field included that the topology was made with?",
    )


def pair_parameters(
    topology: Topology, kinds: Sequence[str], term: Term
) -> tuple[str | float, ...]:
    """Return the two numbers of a pair: its own, of [ pairtypes ], or generated.

    A generated pair has the Lennard-Jones parameters of its types, also those of
    [ nonbond_params ]. The factor of [ defaults ] scales epsilon, or both of C6 and C12.
    """
    types = tuple(kinds[atom - 1] for atom in term.atoms)
    if term.numbers:
        return term.numbers[:2]
    if types in topology.pair_types:
        return topology.pair_types[types][0][:2]
    factor = topology.fudge[0]
    first, second = lennard_jones(topology, types[0], types[1])
    return (first * factor if topology.rule == 1 else first), second * factor


def lennard_jones(topology: Topology, one: str, other: str) -> tuple[float, float]:
    """Return sigma and epsilon of a pair of types, or C6 and C12 with combination rule 1."""
    special = topology.special.get(tuple(sorted((one, other))))
    if special is not None:
        return float(special[0][0]), float(special[0][1])
    a, b = topology.atom_types[one], topology.atom_types[other]
    firsts, seconds = (float(a.first), float(b.first)), (float(a.second), float(b.second))
    first = sum(firsts) / 2 if topology.rule == 2 else math.sqrt(firsts[0] * firsts[1])
    return first, math.sqrt(seconds[0] * seconds[1])
