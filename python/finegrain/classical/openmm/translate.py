# SPDX-License-Identifier: BSD-3-Clause
"""From an OpenMM System to arrays in engine units; unsupported forces are refused by name.

The System is read from its XML form, whose units are fixed (nm, ps, dalton, kJ/mol, radian).
Reading it is ten times as fast as asking the objects.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from finegrain.base.garbage import without_search
from finegrain.classical.openmm import custom_pairs
from finegrain.classical.openmm.cmap_force import add_cmaps
from finegrain.classical.openmm.custom_external import add_restraints
from finegrain.classical.openmm.custom_terms import add_custom_terms, forces_with_formula
from finegrain.classical.openmm.custom_torsions import add_harmonic_torsions
from finegrain.classical.openmm.site_elements import read_sites
from finegrain.classical.system.mixing import LennardJones
from finegrain.classical.system.refusals import refuse_force, refused
from finegrain.classical.system.system import (
    ClassicalSystem,
    Floats,
    Ints,
    Names,
    Nonbonded,
)
from finegrain.classical.system.terms import Column, TermTable, kinds
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm, electron_mass_in_dalton, hartree_in_kj_per_mol

_tables = {kind.force: kind.table for kind in kinds if kind.force and not kind.energy}
_read_apart = {
    "CMAPTorsionForce": add_cmaps,
    "CustomTorsionForce": add_harmonic_torsions,
    "CustomExternalForce": add_restraints,
    **dict.fromkeys(forces_with_formula, add_custom_terms),
}
_methods = ("NoCutoff", "CutoffNonPeriodic", "CutoffPeriodic", "Ewald", "PME", "LJPME")


def translate(
    system_xml: str, names: Names, position: Floats, box: Floats | None
) -> tuple[ClassicalSystem, list[Problem]]:
    """Read a serialised System.

    Parameters
    ----------
    system_xml : str
        The result of `openmm.XmlSerializer.serialize`.
    names : Names
        Names of the same atoms.
    position : float64, shape (atoms, 3), bohr
    box : float64, shape (3,) or (3, 3), bohr, or None in vacuum

    Returns
    -------
    ClassicalSystem
        In engine units.
    list of Problem
        What the engine does not support, by name; the caller fills in `where`.
    """
    with without_search():  # tens of thousands of small objects
        root = ET.fromstring(system_xml)
    sites, problems = read_sites(root.find("Particles"), names)
    mass = _column(root.find("Particles"), "mass") / electron_mass_in_dalton
    empty = np.zeros(len(mass))
    system = ClassicalSystem(names, position, mass, empty, LennardJones(empty, empty), box)
    system.sites = sites
    constraints = root.find("Constraints")
    system.constraint_atoms = _indices(constraints, ("p1", "p2"))
    system.constraint_distance = _column(constraints, "d") / bohr_in_nm
    forces = list(root.find("Forces") or ())
    problems += _refuse_duplicates(forces)
    tables, pairs = [], []  # Lennard-Jones forces beside the NonbondedForce
    for force in forces:
        match kind := force.get("type", ""):
            case _ if kind in _tables:
                _add_terms(system.terms[_tables[kind]], force)
            case "NonbondedForce":
                problems += _set_nonbonded(system, force)
            case "CustomNonbondedForce" if custom_pairs.is_lennard_jones(force):
                tables.append(force)
            case "CustomBondForce" if custom_pairs.is_pair_of_lennard_jones(force):
                pairs.append(force)
            case "CMMotionRemover":
                system.removes_com_motion = True
            case _ if _has_no_terms(force):
                pass  # readers add such forces for terms that a force field might have had
            case _ if kind in _read_apart:
                problems += _read_apart[kind](system, force)
            case _:
                problems.append(refuse_force(kind, force.get("name", kind), force.get("energy")))
    if "NonbondedForce" in (force.get("type") for force in forces):
        for force in tables:
            problems += _set_table(system, force)
        for force in pairs:
            problems += custom_pairs.add_pairs(force, system.terms["exceptions"])
    return system, problems


def _set_table(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    """Take the Lennard-Jones parameters from a CustomNonbondedForce, in place of the other's."""
    types, problems = custom_pairs.types_of(force)
    if problems:
        return problems
    if system.lennard_jones.types is not None or system.epsilon.any():
        hint = "set the depths (epsilon) of the NonbondedForce to zero, or take the other out"
        return [refused("Lennard-Jones energies from two forces", hint)]
    if len(types.of_atom) != system.atoms:
        what = f"CustomNonbondedForce with {len(types.of_atom):,} particles"
        return [refused(what, f"the System has {system.atoms:,}; make it again")]
    same = np.array_equal(
        custom_pairs.exclusions_of(force),
        custom_pairs.sorted_pairs(system.terms["exceptions"].atoms),
    )
    if not same:
        hint = "give it an exclusion for each exception of the NonbondedForce, and no others"
        problems.append(refused("CustomNonbondedForce with exclusions of its own", hint))
    own, method = system.nonbonded, int(force.get("method", "0"))
    cutoff = float(force.get("cutoff", "0")) / bohr_in_nm if method else 0.0
    periodic = own.method not in ("NoCutoff", "CutoffNonPeriodic")
    alike = method == (2 if periodic else 1 if own.method == "CutoffNonPeriodic" else 0)
    if not alike or (method and abs(cutoff - own.cutoff) > 1e-9 * cutoff):
        hint = "give both forces one method and one cutoff"
        problems.append(refused("a cutoff of Lennard-Jones other than that of the charges", hint))
    own.switch_distance = 0.0
    if method and force.get("useSwitchingFunction", "0") == "1":
        own.switch_distance = float(force.get("switchingDistance", "0")) / bohr_in_nm
    own.dispersion_correction = force.get("useLongRangeCorrection", "0") == "1"
    like = np.diag(types.sigma)[types.of_atom], np.diag(types.epsilon)[types.of_atom]
    system.lennard_jones = LennardJones(*like, None if types.follow_the_rule() else types)
    return problems


def _has_no_terms(force: ET.Element) -> bool:
    lists = [force.find(kind.children) for kind in kinds if kind.children]
    found = [terms for terms in lists if terms is not None]
    return bool(found) and not any(len(terms) for terms in found)


def _column(parent: ET.Element | None, name: str) -> Floats:
    if parent is None:
        return np.zeros(0)
    return np.array([child.attrib[name] for child in parent], dtype=np.float64)


def _indices(parent: ET.Element | None, columns: Sequence[str]) -> Ints:
    if parent is None:
        return np.zeros((0, len(columns)), dtype=np.int32)
    rows = [int(child.attrib[name]) for name in columns for child in parent]
    return np.array(rows, dtype=np.int32).reshape(len(columns), -1).T.copy()


def _add_terms(table: TermTable, force: ET.Element) -> None:
    """Append the terms of a force; a System may have several of one kind."""
    kind, found = table.kind, force.find(table.kind.children)
    names = [f"p{number + 1}" for number in range(kind.atoms)]
    table.atoms = np.concatenate([table.atoms, _indices(found, names)])
    for column in kind.columns:
        values = np.concatenate([table[column.name], _parameter(found, column)])
        table.columns[column.name] = values


def _parameter(found: ET.Element | None, column: Column) -> Any:
    if column.whole:
        return _indices(found, (column.attribute,))[:, 0]
    return _column(found, column.attribute) * column.scale / column.divisor


def _set_nonbonded(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    problems: list[Problem] = []
    method = _methods[int(force.get("method", "0"))]
    if method == "LJPME":
        hint = 'use electrostatics = "pme" with dispersion_correction = true'
        problems.append(refused("NonbondedForce with LJPME", hint))
    for offsets in ("ParticleOffsets", "ExceptionOffsets"):
        if len(force.find(offsets) or ()):
            hint = "fix the parameters, so that the System has no offsets of parameters"
            problems.append(refused(f"NonbondedForce with {offsets}", hint))
    if force.get("includeDirectSpace", "1") == "0":
        hint = "make a System with one whole NonbondedForce"
        problems.append(refused("NonbondedForce without direct space", hint))
    particles, exceptions = force.find("Particles"), force.find("Exceptions")
    system.charge = _column(particles, "q")
    system.lennard_jones = LennardJones(
        _column(particles, "sig") / bohr_in_nm,
        _column(particles, "eps") / hartree_in_kj_per_mol,
    )
    pairs = system.terms["exceptions"]
    pairs.atoms = _indices(exceptions, ("p1", "p2"))
    for column in pairs.kind.columns:
        pairs.columns[column.name] = (
            _column(exceptions, column.attribute) * column.scale / column.divisor
        )
    # With zero depth the radius has no effect; zero then clearly means "left out".
    pairs["sigma"][pairs["epsilon"] == 0] = 0.0
    switched = force.get("useSwitchingFunction", "0") == "1" and method != "NoCutoff"
    system.nonbonded = Nonbonded(
        method=method,
        cutoff=float(force.get("cutoff", "0")) / bohr_in_nm,
        switch_distance=float(force.get("switchingDistance", "0")) / bohr_in_nm if switched else 0,
        dielectric=float(force.get("rfDielectric", "78.3")),
        ewald_tolerance=float(force.get("ewaldTolerance", "5e-4")),
        ewald_coefficient=float(force.get("alpha", "0")) * bohr_in_nm,
        mesh=(int(force.get("nx", "0")), int(force.get("ny", "0")), int(force.get("nz", "0"))),
        dispersion_correction=force.get("dispersionCorrection", "1") == "1",
    )
    return problems


def _refuse_duplicates(forces: Sequence[ET.Element]) -> list[Problem]:
    counts = Counter(force.get("type", "") for force in forces)
    problems = []
    if counts["NonbondedForce"] > 1:
        hint = "make a System with one NonbondedForce"
        problems.append(refused(f"{counts['NonbondedForce']} NonbondedForces in one System", hint))
    if counts["NonbondedForce"] == 0:
        hint = "add one, with zero charges or depths where there is no such interaction"
        problems.append(refused("a System without a NonbondedForce", hint))
    return problems
