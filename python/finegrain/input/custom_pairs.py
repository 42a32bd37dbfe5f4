# SPDX-License-Identifier: BSD-3-Clause
"""Lennard-Jones forces that readers of OpenMM write as formulas: tables of pairs, other mixing.

A CustomNonbondedForce or CustomBondForce is understood if its formula is one of those below, with
spaces and the order of definitions left out of account; every other one is refused with its text.
Units: nm and kJ/mol in the forces, Hartree atomic units in what comes out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import product

import numpy as np

from finegrain.errors import Problem
from finegrain.input.mixing import Floats, Ints, LennardJonesTypes, most_types
from finegrain.input.refusals import refused
from finegrain.input.terms import TermTable
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

_Wells = tuple[Floats, Floats]  # sigma and epsilon
_Pairs = Callable[[Floats, Floats], Floats]


def formula_of(force: ET.Element) -> str:
    """Return the formula of a force without spaces, its definitions in alphabetic order."""
    parts = [part for part in re.sub(r"\s", "", force.get("energy", "")).split(";") if part]
    return ";".join(parts[:1] + sorted(parts[1:]))


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


def is_lennard_jones(force: ET.Element) -> bool:
    """Return whether a CustomNonbondedForce is a Lennard-Jones force that is understood."""
    formula = formula_of(force)
    return formula in _of_tables or formula in _of_particles or formula == _of_roots


def is_table(force: ET.Element) -> bool:
    """Return whether a CustomNonbondedForce has parameters of its own for each pair of types."""
    return formula_of(force) in _of_tables


def is_pair_of_lennard_jones(force: ET.Element) -> bool:
    """Return whether a CustomBondForce holds Lennard-Jones energies of single pairs."""
    formula = formula_of(force)
    return formula == _pair_of_powers or _pair_of_wells.fullmatch(formula) is not None


def types_of(force: ET.Element) -> tuple[LennardJonesTypes, list[Problem]]:
    """Return the table of pairs of a CustomNonbondedForce that `is_lennard_jones`."""
    formula, parameters = formula_of(force), _parameters(force, "Particle", "Particles")
    problems = [
        refused(f"CustomNonbondedForce with {part}", "make a System with one whole force")
        for part in ("InteractionGroups", "ComputedValues")
        if len(force.find(part) or ())
    ]
    if formula in _of_tables:
        tables, of_atom = _tables(force), parameters["type"].astype(np.int32)
        a, b = tables["acoef"], tables["bcoef"]
        wells, strange = _wells(b, a ** _of_tables[formula])
        problems += strange
        outside = len(of_atom) and not 0 <= of_atom.min() <= of_atom.max() < len(a)
        if outside or a.shape != b.shape or (a != a.T).any() or (b != b.T).any():
            hint = "give every type a row and a column; what holds for a, b must hold for b, a"
            problems.append(refused("CustomNonbondedForce with tables that do not fit", hint))
            return _nothing(len(of_atom)), problems
    else:
        names = ("C", "A") if formula == _of_roots else ("sigma", "epsilon")
        rows = np.stack([parameters[name] for name in names])
        kinds, inverse = np.unique(rows, axis=1, return_inverse=True)
        of_atom = inverse.reshape(-1).astype(np.int32)
        if kinds.shape[1] > most_types:
            hint = f"at most {most_types:,} kinds of atoms may mix by such a rule"
            return _nothing(len(of_atom)), [refused(f"{kinds.shape[1]:,} kinds of atoms", hint)]
        one, other = kinds[:, :, None], kinds[:, None, :]
        if formula == _of_roots:
            wells, strange = _wells(one[0] * other[0], one[1] * other[1])
            problems += strange
        else:
            wells = (_of_particles[formula](one[0], other[0]), _geometric(one[1], other[1]))
    sigma, epsilon = wells
    table = LennardJonesTypes(
        of_atom, sigma / bohr_in_nm, epsilon / hartree_in_kj_per_mol
    ).only_used()
    if len(table.sigma) > most_types:
        hint = f"at most {most_types:,} types are supported"
        problems.append(refused(f"{len(table.sigma):,} types of atoms", hint))
    return table, problems


def add_pairs(force: ET.Element, exceptions: TermTable) -> list[Problem]:
    """Give exceptions the Lennard-Jones energies of a CustomBondForce.

    Returns
    -------
    list of Problem
        For pairs that are no exceptions, or that have such an energy already.
    """
    parameters, bonds = _parameters(force, "Bond", "Bonds"), list(force.find("Bonds") or ())
    formula = formula_of(force)
    if formula == _pair_of_powers:
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


def exclusions_of(force: ET.Element) -> Ints:
    """Return the pairs that a CustomNonbondedForce leaves out: int32, shape (pairs, 2), sorted."""
    rows = [(int(x.attrib["p1"]), int(x.attrib["p2"])) for x in force.find("Exclusions") or ()]
    return sorted_pairs(np.array(rows, dtype=np.int32).reshape(-1, 2))


def sorted_pairs(pairs: Ints) -> Ints:
    """Return pairs with the lower atom first, in order, each once."""
    return np.unique(np.sort(pairs, axis=1), axis=0).reshape(-1, 2)


def _nothing(atoms: int) -> LennardJonesTypes:
    return LennardJonesTypes(np.zeros(atoms, np.int32), np.zeros((1, 1)), np.zeros((1, 1)))


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
        values = [float(value.attrib["v"]) for value in function.find("Values") or ()]
        size = int(function.attrib["xsize"]), int(function.attrib["ysize"])
        found[function.get("name", "")] = np.array(values).reshape(size, order="F")
    return found


def _parameters(force: ET.Element, kind: str, children: str) -> dict[str, Floats]:
    """Return the parameters of a force's particles or bonds, by name."""
    names = [child.get("name", "") for child in force.find(f"Per{kind}Parameters") or ()]
    members = list(force.find(children) or ())
    return {
        name: np.array([float(member.attrib[f"param{place}"]) for member in members])
        for place, name in enumerate(names, 1)
    }
