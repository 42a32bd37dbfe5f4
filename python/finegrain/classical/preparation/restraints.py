# SPDX-License-Identifier: BSD-3-Clause
"""Position restraints: those of the input and of the topology, with their references.

What the box does to a reference is that of GROMACS's refcoord_scaling; the engine has the formulas
(`engine/forces/restraints/position_restraint.hpp`).
Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.base import cells
from finegrain.classical.input.load import Input, of_topology
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.sections.restraints import RestraintSection
from finegrain.classical.input.source import Coordinates, Source
from finegrain.classical.system.selections import SelectionError, select
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints, Restraints
from finegrain.errors import InputError, Problem
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

_stiffest = 1e3  # hartree/bohr^2, the engine's bound
_files_of_restraints = "give the coordinates of the same atoms in the same order"
_far = 5.0 / (10 * bohr_in_nm)  # 5 Å: the restraints would tear atoms out of their molecules


def set_restraints(given: Input, source: Source, system: ClassicalSystem) -> list[Problem]:
    """Give the system the restraints that input and topology ask for; return what is wrong.

    `system.restraints` holds those of the topology that have references of their own.
    """
    if given.without_restraints:
        system.restraints = Restraints()
        return []
    problems: list[Problem] = []
    of_files = _of_topology(source, system)
    found = Restraints()
    for number, wanted in enumerate(given.model.restraints):
        key = f"restraints.{number}"
        try:
            if wanted.atoms == [of_topology]:
                group, of_files = _moved_topology(given, key, wanted, of_files, system), None
            else:
                group = _group(given, key, wanted, system)
        except InputError as error:
            problems += error.problems
            continue
        found = found.joined(group)
    if of_files is not None:
        found = of_files.joined(found)
    system.restraints = found
    return problems + _impossible(given, system)


def _of_topology(source: Source, system: ClassicalSystem) -> Restraints | None:
    """Return the restraints of the topology; they stay where the atoms start if it does not say."""
    if source.restrained is None:
        return system.restraints if len(system.restraints) else None
    atoms, constants = source.restrained
    constants = constants * bohr_in_nm**2 / hartree_in_kj_per_mol
    reference = system.position[atoms]
    return Restraints(atoms, constants, reference.copy(), np.zeros_like(reference))


def _group(given: Input, key: str, wanted: RestraintSection, system: ClassicalSystem) -> Restraints:
    try:
        atoms = select(system, wanted.atoms)
    except SelectionError as error:
        place = given.source.place(f"{key}.atoms")
        value = f'{key}.atoms = "{error.value}"'
        raise InputError([Problem(error.what, place, value, error.limit, error.hint)]) from None
    constants = [constant.value for constant in wanted.force_constant or ()]
    if len(constants) not in (1, 3):  # reported with the keys
        return Restraints()
    each = np.broadcast_to(np.array(constants), (len(atoms), 3)).copy()
    return _placed(given, key, wanted, Restraints(atoms, each), system)


def _moved_topology(
    given: Input,
    key: str,
    wanted: RestraintSection,
    of_files: Restraints | None,
    system: ClassicalSystem,
) -> Restraints:
    """Return the restraints of the topology with the reference and the scaling of the input."""
    if of_files is None:
        hint = 'name atoms, such as "protein heavy atoms"'
        if given.model.system.topology.endswith(".top"):
            hint = 'define what switches them on, such as [system] define = ["POSRES"]'
        what = "the topology restrains no atoms"
        if sum(other.atoms == [of_topology] for other in given.model.restraints) > 1:
            what, hint = "is given twice", "keep one such table"
        raise InputError([given.source.problem(f"{key}.atoms", what, hint=hint)])
    return _placed(given, key, wanted, of_files, system)


def _placed(
    given: Input,
    key: str,
    wanted: RestraintSection,
    group: Restraints,
    system: ClassicalSystem,
) -> Restraints:
    """Return the group with its references, and with the part of them that follows the box."""
    atoms, reference = group.atoms, group.reference
    if wanted.reference is not None:
        reference = _read_reference(given, f"{key}.reference", wanted.reference, atoms, system)
    elif not len(reference):
        reference = system.position[atoms].copy()
    scaling, anchor = wanted.reference_scaling, np.zeros_like(reference)
    if scaling != "none" and system.box is None:
        what, hint = "has no use without a box, which could change", "take it out"
        raise InputError([given.source.problem(f"{key}.reference_scaling", what, hint=hint)])
    if scaling == "all":
        anchor = reference.copy()
    elif scaling == "com":
        mass = system.mass[atoms]
        anchor[:] = np.average(reference, axis=0, weights=mass) if mass.any() else 0.0
    follows = np.full(len(atoms), int(scaling != "none"), np.int32)
    return Restraints(atoms, group.constants, reference, anchor, follows)


def _read_reference(
    given: Input, key: str, name: str, atoms: Ints, system: ClassicalSystem
) -> Floats:
    path = given.path_of(name)
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "no such file"
        hint = "names are relative to the input file"
        raise InputError([given.source.problem(key, what, hint=hint)])
    found = read_coordinates(given, path, key)
    if len(found.position) != system.atoms:
        what = f"holds {len(found.position):,} atoms, but the system has {system.atoms:,}"
        raise InputError([given.source.problem(key, what, hint=_files_of_restraints)])
    if problem := _other_names(given, key, found, atoms, system):
        raise InputError([problem])
    reference = np.asarray(found.position[atoms] / bohr_in_nm)
    if not np.isfinite(reference).all():
        wrong = int(atoms[np.flatnonzero(~np.isfinite(reference).all(axis=1))[0]])
        limit = f"{system.names.describe(wrong)} has no finite position"
        hint = "make the file again; the run that wrote it blew up"
        what = "holds positions that are no numbers (NaN)"
        raise InputError([given.source.problem(key, what, limit=limit, hint=hint)])
    return reference


def _other_names(
    given: Input, key: str, found: Coordinates, atoms: Ints, system: ClassicalSystem
) -> Problem | None:
    """Compare the names of the restrained atoms, where both files have names."""
    named = [*found.atom_names]
    if found.topology is not None:
        named = [atom.name for atom in found.topology.atoms()]
    elif found.names is not None:
        named = found.names.atom
    own = system.names.atom
    if len(named) != len(own) or set(own) == {"X"} or set(named) == {"X"}:
        return None
    other = [int(atom) for atom in atoms if named[atom] != own[atom]]
    if not other:
        return None
    limit = f"{system.names.describe(other[0])} is {named[other[0]]} there"
    limit += f"; {len(other) - 1:,} more differ" if len(other) > 1 else ""
    what = "names other atoms than the topology"
    return given.source.problem(key, what, limit=limit, hint=_files_of_restraints)


def _impossible(given: Input, system: ClassicalSystem) -> list[Problem]:
    """Find atoms that are restrained twice, virtual sites, and constants out of bounds."""
    restraints = system.restraints
    asked = "restraints.0" if given.model.restraints else "system.topology"
    place = given.source.place(asked)
    problems = []
    several, counts = np.unique(restraints.atoms, return_counts=True)
    if (counts > 1).any():
        twice = several[counts > 1]
        value = system.names.describe(int(twice[0]))
        value += f", and {len(twice) - 1:,} more" if len(twice) > 1 else ""
        hint = "name each atom in one table; "
        hint += 'atoms = "topology" stands for those that the topology restrains'
        problems.append(Problem("is restrained twice", place, value, hint=hint))
    if held := sorted(set(restraints.atoms.tolist()) & set(system.sites.site.tolist())):
        value = system.names.describe(held[0])
        hint = "restrain the atoms that it depends on"
        problems.append(Problem("is a virtual site, which has no mass", place, value, hint=hint))
    wrong = ~((restraints.constants >= 0) & (restraints.constants <= _stiffest)).all(axis=1)
    if wrong.any():
        factor = hartree_in_kj_per_mol / bohr_in_nm**2
        first = int(np.flatnonzero(wrong)[0])
        constants = ", ".join(f"{k * factor:g}" for k in restraints.constants[first])
        value = f"{system.names.describe(int(restraints.atoms[first]))}: {constants} kJ/mol/nm^2"
        limit = f"0 to {_stiffest * factor:.2g} kJ/mol/nm^2"
        problems.append(Problem("a force constant out of range", place, value, limit))
    return problems


def note_of_restraints(system: ClassicalSystem) -> list[str]:
    """Return a note if restrained atoms start far from their references."""
    restraints = system.restraints
    if not len(restraints):
        return []
    apart = system.position[restraints.atoms] - restraints.reference
    if system.box is not None:
        apart -= cells.nearest_shift(apart, system.box)
    apart[restraints.constants == 0] = 0
    distance = np.linalg.norm(apart, axis=1)
    if distance.max() <= _far:
        return []
    worst = int(np.argmax(distance))
    name = system.names.describe(int(restraints.atoms[worst]))
    return [
        f"{np.count_nonzero(distance > _far):,} restrained atoms start more than 5 Å from their "
        f"references, {name} {10 * bohr_in_nm * distance[worst]:.1f} Å: is the reference placed "
        "and turned like the system?"
    ]
