# SPDX-License-Identifier: BSD-3-Clause
"""Checks of a system's tables against the engine's limits: existing atoms, numbers in bounds.

The bounds are those of the engine (`engine/records/job/job_check.cpp`), reported with atoms and
units.
Units: Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from finegrain.classical.system.site_checks import site_problems
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints
from finegrain.classical.system.terms import Column
from finegrain.errors import Problem
from finegrain.units import (
    bohr_in_angstrom,
    electron_mass_in_dalton,
    hartree_in_kj_per_mol,
    speed_in_nm_per_ps,
)

_again = "make the topology again"


@dataclass(frozen=True)
class _Bound:
    """The least and the largest value of a column, in engine units, and its unit for the user."""

    what: str
    unit: str
    factor: float  # from engine units
    low: float
    high: float


_of_atoms = {
    "charge": _Bound("charge", "e", 1.0, -100.0, 100.0),
    "sigma": _Bound("sigma", "Å", bohr_in_angstrom, 0.0, 999.0),
    "epsilon": _Bound("epsilon", "kJ/mol", hartree_in_kj_per_mol, 0.0, 999.0),
}
_of_constraints = _Bound("length", "Å", bohr_in_angstrom, 1e-3, 1e7)
_largest_mass = 1e9
_farthest = 1e7
_fastest = 1e3


def table_problems(system: ClassicalSystem) -> list[Problem]:
    """Find tables that contradict each other; further checks of such a system are impossible."""
    problems: list[Problem] = []
    charges = len(system.charge)
    if charges != system.atoms:
        what = f"the NonbondedForce has {charges:,} particles, the System {system.atoms:,}"
        hint = "give each particle of the System one of the NonbondedForce"
        problems.append(Problem(what, hint=hint))
    for table in system.terms.values():
        problems += _strange_atoms(system, table.kind.name, table.atoms)
    problems += _strange_atoms(system, "constraint", system.constraint_atoms)
    problems += _strange_atoms(system, "restraint", system.restraints.atoms[:, None])
    return problems or site_problems(system)


def _strange_atoms(system: ClassicalSystem, name: str, atoms: Ints) -> list[Problem]:
    wrong = np.flatnonzero(((atoms < 0) | (atoms >= system.atoms)).any(axis=1))
    if len(wrong):
        value = f"{name} {wrong[0] + 1:,}, atoms {_numbers(atoms[wrong[0]])}"
        what = "names an atom that does not exist"
        return [Problem(what, value=value, limit=f"atoms 1 to {system.atoms:,}", hint=_again)]
    ordered = np.sort(atoms, axis=1)
    wrong = np.flatnonzero((np.diff(ordered, axis=1) == 0).any(axis=1))
    if len(wrong):
        value = f"{name} {wrong[0] + 1:,}, atoms {_numbers(atoms[wrong[0]])}"
        return [Problem("names an atom twice", value=value, hint=_again)]
    if name != "exception" or len(atoms) == 0:
        return []
    pairs, counts = np.unique(ordered, axis=0, return_counts=True)
    if counts.max() == 1:
        return []
    value = f"atoms {_numbers(pairs[int(counts.argmax())])}"
    return [Problem("have more than one exception", value=value, limit="one per pair", hint=_again)]


def _numbers(atoms: Ints) -> str:
    return ", ".join(f"{int(atom) + 1}" for atom in atoms)


def number_problems(system: ClassicalSystem) -> list[Problem]:
    """Find numbers that make dynamics impossible: not finite, or out of bounds."""
    problems = _strange_masses(system)
    everyone = np.arange(system.atoms, dtype=np.int32)[:, None]
    for field, bound in _of_atoms.items():
        problems += _out_of_bounds(system, bound, getattr(system, field), everyone)
    if (types := system.lennard_jones.types) is not None:
        pairs = np.stack(np.unravel_index(np.arange(types.sigma.size), types.sigma.shape), axis=1)
        first = np.array([np.flatnonzero(types.of_atom == t)[0] for t in range(len(types.sigma))])
        for field, values in (("sigma", types.sigma), ("epsilon", types.epsilon)):
            atoms = first[pairs].astype(np.int32)
            problems += _out_of_bounds(system, _of_atoms[field], values.ravel(), atoms, "pair of ")
    for table in system.terms.values():
        for column in table.kind.columns:
            whose = f"{table.kind.name} of "
            problems += _out_of_bounds(system, column, table[column.name], table.atoms, whose)
        if shared := table.kind.shared:
            problems += shared.problems(table.shared, table[shared.column])
    problems += _out_of_bounds(
        system,
        _of_constraints,
        system.constraint_distance,
        system.constraint_atoms,
        "constraint of ",
    )
    return problems


def _out_of_bounds(
    system: ClassicalSystem, bound: _Bound | Column, values: Floats, atoms: Ints, kind: str = ""
) -> list[Problem]:
    wrong = np.flatnonzero(~((values >= bound.low) & (values <= bound.high)))
    if len(wrong) == 0:
        return []
    first = int(wrong[0])
    whose = kind + ", ".join(system.names.describe(int(atom)) for atom in atoms[first])
    number = float(values[first])
    value = f"{whose}: {bound.what} {number * bound.factor:g} {bound.unit}".rstrip()
    if len(wrong) > 1:
        value += f", and {len(wrong) - 1:,} more"
    article = "an" if bound.what[0] in "aeiou" else "a"
    what = f"has no {bound.what}"
    if np.isfinite(number):
        what = f"has {article} {bound.what} out of range"
    limit = f"{bound.low * bound.factor:.4g} to {bound.high * bound.factor:.4g} {bound.unit}"
    if np.isnan(number):
        what += " (NaN)"
    return [Problem(what, value=value, limit=limit.rstrip(), hint=_again)]


def _strange_masses(system: ClassicalSystem) -> list[Problem]:
    is_atom = ~system.sites.mask(system.atoms)
    wrong = np.flatnonzero(is_atom & ~((system.mass > 0) & (system.mass <= _largest_mass)))
    if len(wrong) == 0:
        return []
    first = int(wrong[0])
    mass = system.mass[first]
    limit = "more than 0 Da"
    what = "has no mass" if mass == 0 else "has a negative mass"
    if np.isnan(mass):
        what = "has no mass (NaN)"
    elif mass > 0:
        what = "has too large a mass"
        limit = f"at most {_largest_mass * electron_mass_in_dalton:,.0f} Da"
    value = f"{system.names.describe(first)}: {mass * electron_mass_in_dalton:g} Da"
    if len(wrong) > 1:
        value += f", and {len(wrong) - 1:,} more"
    hint = "every atom needs a positive mass; fixed atoms are not supported"
    return [Problem(what, value=value, limit=limit, hint=hint)]


def position_problems(system: ClassicalSystem) -> list[Problem]:
    """Find positions and velocities that are not finite, or out of bounds."""
    name, problems = system.names.describe, []
    hint = "make the coordinates again; the run that wrote them blew up"

    def found(values: Floats, most: float, what: str, limit: str) -> None:
        wrong = np.flatnonzero(~(np.abs(values) < most).all(axis=1))
        if len(wrong) == 0:
            return
        first = int(wrong[0])
        lost = not np.isfinite(values[first]).all()
        value = name(first) + (f", and {len(wrong) - 1:,} more" if len(wrong) > 1 else "")
        complaint = f"has no {what} (NaN)" if lost else f"has a {what} beyond all bounds"
        problems.append(Problem(complaint, value=value, limit="" if lost else limit, hint=hint))

    far = f"within {_farthest * bohr_in_angstrom:.3g} Å"
    found(system.position, _farthest, "position", far)
    if system.velocity is not None:
        fast = f"below {_fastest * speed_in_nm_per_ps:.3g} nm/ps"
        found(system.velocity, _fastest, "velocity", fast)
    return problems
