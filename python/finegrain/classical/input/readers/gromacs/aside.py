# SPDX-License-Identifier: BSD-3-Clause
"""What GROMACS topologies hold and a run does not use: restraints left out, states B, rigid water.

References
----------
GROMACS Reference Manual, "Topology file" (columns of state B, and `-D` for restraints).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.gromacs.exclusions import excluded
from finegrain.classical.input.readers.gromacs.molecules import Term, Topology
from finegrain.classical.input.readers.gromacs.sections import terms

_mass_of_state_b = 10  # column of [ atoms ]; type and charge stand before it


def notes_of_topology(
    given: Input, topology: Topology, restrains: Mapping[str, str], file: str
) -> list[str]:
    """Return notes that name what is not used.

    Parameters
    ----------
    restrains : dict of str to str
        Words that are not defined and would take restraints in, with the places of their #ifdef.
    """
    return [
        *_restraints(given, restrains),
        *_state_b(topology, file),
        *_rigid_waters(given, topology),
        *_without_exclusions(topology),
    ]


def _without_exclusions(topology: Topology) -> list[str]:
    """Name molecules whose rigid waters interact with themselves."""
    found = []
    for molecule in topology.used():
        out = excluded(molecule)
        firsts = [term.atoms[0] for term in molecule.of("settles")]
        if any({(o, o + 1), (o, o + 2), (o + 1, o + 2)} - out for o in firsts):
            found.append(
                f"the atoms of a rigid water in {molecule.name} interact with each other, as in "
                "GROMACS: [ settles ] exclude no pairs; usual are [ exclusions ] of all three atoms"
            )
    return found


def _restraints(given: Input, restrains: Mapping[str, str]) -> list[str]:
    """Name restraints that are left out, unless the input says which it wants."""
    if not restrains or given.without_restraints or given.model.restraints:
        return []
    places = ", ".join(f"{word} ({place})" for word, place in restrains.items())
    words = ", ".join(f'"{word}"' for word in restrains)
    are = "is" if len(restrains) == 1 else "are"
    return [
        f"restraints of the topology are not used: {places} {are} not defined; to use them: "
        f"define = [{words}] in [system]"
    ]


def _state_b(topology: Topology, file: str) -> list[str]:
    """Name parameters of a second state, which only free-energy calculations use."""
    atoms = [m.name for m in topology.used() for row in m.rows if _changes(row)]
    changed = [term for m in topology.used() for term in m.terms if _has_another_state(term)]
    if not atoms and not changed:
        return []
    parts = [f"{len(atoms):,} atoms" if atoms else "", f"{len(changed):,} terms" if changed else ""]
    first = atoms[0] if atoms else _place(changed[0])
    return [
        f"{file} holds parameters of a state B for {' and '.join(filter(None, parts))}, the first "
        f"in {first}, which are not used: there are no free-energy calculations here, and the "
        "system is in state A"
    ]


def _place(term: Term) -> str:
    return f"{term.line.file}:{term.line.number}"


def _changes(row: Sequence[str]) -> bool:
    """Return whether an atom has another type, charge or mass in state B."""
    if len(row) <= 8:
        return False
    pairs = [(row[at], row[at - 3]) for at in (9, _mass_of_state_b) if len(row) > at]
    return row[8] != row[1] or any(float(b) != float(a) for b, a in pairs)


def _has_another_state(term: Term) -> bool:
    if term.section not in terms:
        return False
    counts = terms[term.section].functions.get(term.function, ())
    of_a = min((count for count in counts if count), default=0)
    behind = term.numbers[of_a:] if of_a else ()
    return any(float(b) != float(a) for b, a in zip(behind, term.numbers, strict=False))


def _rigid_waters(given: Input, topology: Topology) -> list[str]:
    """Name molecules that stay rigid although the input asks for flexible water."""
    if given.model.forces.rigid_water is not False:
        return []
    held = [molecule.name for molecule in topology.used() if molecule.of("settles")]
    if not held:
        return []
    return [
        f"rigid_water = false has no effect on {', '.join(held)}: the topology holds it by "
        "[ settles ], without bonds under #ifdef FLEXIBLE"
    ]
