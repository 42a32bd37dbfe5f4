# SPDX-License-Identifier: BSD-3-Clause
"""Lennard-Jones forces that readers of OpenMM write as formulas: tables of pairs, other mixing.

A CustomNonbondedForce or CustomBondForce is understood if its formula is one of those below. Spaces
and the order of definitions do not matter. Every other formula is refused with its text.
Units: nm and kJ/mol in the forces, Hartree atomic units in what comes out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Container
from itertools import product

import numpy as np

from finegrain.classical.openmm.custom_forces import parameters_of, parts_of
from finegrain.classical.system.mixing import Floats, Ints, LennardJonesTypes, most_types
from finegrain.classical.system.refusals import refused
from finegrain.classical.system.terms import TermTable
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

_Wells = tuple[Floats, Floats]  # sigma and epsilon
_Pairs = Callable[[Floats, Floats], Floats]


# Formulas with two tables, a and b: r^-12 has the coefficient a, or its square, and r^-6 has b.
_of_tables: dict[str, int] = {
    "acoef(type1,type2)/r^12-bcoef(type1,type2)/r^6": 1,
    "(a/r6)^2-b/r6;a=acoef(type1,type2);b=bcoef(type1,type2);r6=r^6": 2,
}


def _geometric(one: Floats, other: Floats) -> Floats:
    return np.sqrt(one * other)


def _arithmetic(one: Floats, other: Floats) -> Floats:
    return 0.5 * (one + other)


_rules = {
    "sqrt({0}1*{0}2)": _geometric,
    "0.5*({0}1+{0}2)": _arithmetic,
    "({0}1+{0}2)/2": _arithmetic,
}
# Formulas with sigma and epsilon of each particle, and how two sigmas mix.
_of_particles: dict[str, _Pairs] = {}
for _four, _twelve, (_rule, _mix) in product(("4", "4.0"), ("", "12"), _rules.items()):
    _s, _e = f"sigma{_twelve}", f"epsilon{_twelve}"
    _well = f"{_four}*{_e}*(({_s}/r)^12-({_s}/r)^6)"
    _of_particles[f"{_well};{_e}=sqrt(epsilon1*epsilon2);{_s}={_rule.format('sigma')}"] = _mix

# The formula with the roots of both coefficients of each particle.
_of_roots = "A1*A2/r^12-C1*C2/r^6"

_pair_of_powers = "-C/r^6+A/r^12"
_number = r"([0-9.]+(?:e[-+]?[0-9]+)?)"
_pair_of_wells = re.compile(_number + re.escape("*epsilon*((sigma/r)^12-(sigma/r)^6)"))


def _formula(force: ET.Element) -> str:
    return ";".join(parts_of(force))


def is_lennard_jones(force: ET.Element) -> bool:
    """Return whether a CustomNonbondedForce is a Lennard-Jones force that is understood."""
    formula = _formula(force)
    return formula in _of_tables or formula in _of_particles or formula == _of_roots


def is_table(force: ET.Element) -> bool:
    """Return whether a CustomNonbondedForce has parameters of its own for each pair of types."""
    return _formula(force) in _of_tables


def is_pair_of_lennard_jones(force: ET.Element) -> bool:
    """Return whether a CustomBondForce holds Lennard-Jones energies of single pairs."""
    formula = _formula(force)
    return formula == _pair_of_powers or _pair_of_wells.fullmatch(formula) is not None


def types_of(force: ET.Element) -> tuple[LennardJonesTypes, list[Problem]]:
    """Return the table of pairs of a CustomNonbondedForce that `is_lennard_jones`."""
    hint = "make a System with one whole force"
    problems = [
        refused(f"CustomNonbondedForce with {part}", hint)
        for part in ("InteractionGroups", "ComputedValues")
        if len(force.find(part) or ())
    ]
    parameters = parameters_of(force, "Particle", "Particles")
    of_tables = is_table(force)
    names = ("type",) if of_tables else _names_of(_formula(force))
    problems += _lacking(force, names, parameters)
    if of_tables:
        problems += _lacking(force, ("acoef", "bcoef"), tables := _tables(force))
    if problems:
        return _nothing(), problems
    if of_tables:
        of_atom, six, twelve = _by_tables(force, tables, parameters["type"])
        wells, problems = _wells(six, twelve)
        if not _goes_together(of_atom, six, twelve):
            hint = "give every type a row and a column; what holds for a, b must hold for b, a"
            return _nothing(), [refused("CustomNonbondedForce with tables that do not fit", hint)]
    else:
        of_atom, wells, problems = _by_atoms(force, [parameters[name] for name in names])
    sigma, epsilon = wells
    table = LennardJonesTypes(of_atom, sigma / bohr_in_nm, epsilon / hartree_in_kj_per_mol)
    if len((table := table.only_used()).sigma) > most_types:
        hint = f"at most {most_types:,} types are supported"
        problems.append(refused(f"{len(table.sigma):,} types of atoms", hint))
    return table, problems


def _by_tables(
    force: ET.Element, tables: dict[str, Floats], types: Floats
) -> tuple[Ints, Floats, Floats]:
    """Return the type of each atom, and the coefficients of pairs of types."""
    of_atom = np.where(types == np.round(types), types, -1).astype(np.int32)
    return of_atom, tables["bcoef"], tables["acoef"] ** _of_tables[_formula(force)]


def _goes_together(of_atom: Ints, six: Floats, twelve: Floats) -> bool:
    if six.shape != twelve.shape or (six != six.T).any() or (twelve != twelve.T).any():
        return False
    return len(of_atom) == 0 or bool(0 <= of_atom.min() <= of_atom.max() < len(six))


def _by_atoms(force: ET.Element, columns: list[Floats]) -> tuple[Ints, _Wells, list[Problem]]:
    """Return the type of each atom, and sigma and epsilon of pairs of types, by a mixing rule."""
    kinds, inverse = np.unique(np.stack(columns), axis=1, return_inverse=True)
    if kinds.shape[1] > most_types:
        hint = f"at most {most_types:,} kinds of atoms may mix by such a rule"
        nothing = np.zeros((1, 1))
        return np.zeros(0, np.int32), (nothing, nothing), [refused("too many kinds of atoms", hint)]
    of_atom = inverse.reshape(-1).astype(np.int32)
    (one, depth), (other, other_depth) = kinds[:, :, None], kinds[:, None, :]
    formula = _formula(force)
    if formula == _of_roots:
        return of_atom, *_wells(one * other, depth * other_depth)
    return of_atom, (_of_particles[formula](one, other), _geometric(depth, other_depth)), []


def _lacking(force: ET.Element, names: tuple[str, ...], found: Container[str]) -> list[Problem]:
    hint = "give it all that its formula names"
    kind = force.get("type", "")
    return [refused(f"{kind} without {name}", hint) for name in names if name not in found]


def add_pairs(force: ET.Element, exceptions: TermTable) -> list[Problem]:
    """Give exceptions the Lennard-Jones energies of a CustomBondForce.

    Returns
    -------
    list of Problem
        For pairs that are no exceptions, or that have such an energy already.
    """
    parameters, bonds = parameters_of(force, "Bond", "Bonds"), list(force.find("Bonds") or ())
    formula = _formula(force)
    powers = formula == _pair_of_powers
    if lacking := _lacking(force, ("C", "A") if powers else ("sigma", "epsilon"), parameters):
        return lacking
    if powers:
        (sigma, epsilon), problems = _wells(parameters["C"], parameters["A"])
    else:
        found = _pair_of_wells.fullmatch(formula)
        assert found
        sigma, epsilon = parameters["sigma"], parameters["epsilon"] * float(found[1]) / 4
        problems = []
    place = {(min(pair), max(pair)): row for row, pair in enumerate(exceptions.atoms.tolist())}
    for row, bond in enumerate(bonds):
        one, other = sorted((int(bond.attrib["p1"]), int(bond.attrib["p2"])))
        at = place.get((one, other))
        if at is None or exceptions["epsilon"][at] != 0:
            what = f"CustomBondForce with a Lennard-Jones energy of atoms {one + 1}, {other + 1}"
            hint = "they need an exception of the NonbondedForce, without an energy of this kind"
            return [*problems, refused(what, hint)]
        if epsilon[row] != 0:
            exceptions["sigma"][at] = sigma[row] / bohr_in_nm
            exceptions["epsilon"][at] = epsilon[row] / hartree_in_kj_per_mol
    return problems


def _names_of(formula: str) -> tuple[str, str]:
    return ("C", "A") if formula == _of_roots else ("sigma", "epsilon")


def exclusions_of(force: ET.Element) -> Ints:
    """Return the pairs that a CustomNonbondedForce leaves out: int32, shape (pairs, 2), sorted."""
    rows = [(int(x.attrib["p1"]), int(x.attrib["p2"])) for x in force.find("Exclusions") or ()]
    return sorted_pairs(np.array(rows, dtype=np.int32).reshape(-1, 2))


def sorted_pairs(pairs: Ints) -> Ints:
    """Return pairs with the lower atom first, in order, each once."""
    return np.unique(np.sort(pairs, axis=1), axis=0).reshape(-1, 2)


def _nothing() -> LennardJonesTypes:
    return LennardJonesTypes(np.zeros(0, np.int32), np.zeros((1, 1)), np.zeros((1, 1)))


def _wells(six: Floats, twelve: Floats) -> tuple[_Wells, list[Problem]]:
    """Return sigma and epsilon that give these coefficients of -r^-6 and r^-12."""
    both = (six > 0) & (twelve > 0)
    problems = []
    if (~both & ((six != 0) | (twelve != 0))).any():
        hint = "each pair needs both parts of Lennard-Jones, or none"
        problems.append(refused("a pair of atoms with repulsion or attraction alone", hint))
    safe, ratio = np.where(both, six, 1.0), np.where(both, twelve, 0.0)
    sigma = (ratio / safe) ** (1 / 6)
    epsilon = np.where(both, safe**2 / np.where(both, 4 * twelve, 1.0), 0.0)
    return (sigma, epsilon), problems


def _tables(force: ET.Element) -> dict[str, Floats]:
    found = {}
    for function in force.find("Functions") or ():
        if function.get("type") != "Discrete2DFunction":
            continue
        values = [float(value.attrib["v"]) for value in function.find("Values") or ()]
        size = int(function.attrib["xsize"]), int(function.attrib["ysize"])
        found[function.get("name", "")] = np.array(values).reshape(size, order="F")
    return found
