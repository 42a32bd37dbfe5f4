# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of CHARMM files, put together by CHARMM's rules.

Files count in the order in which they are given, and what comes later replaces what came before.
Terms of one dihedral stand one after the other. A dihedral that is given again elsewhere replaces
all of its terms. Wildcards count only where no row names all four types; for impropers there is an
order among them.

References
----------
CHARMM documentation, "io.doc" (the format of parameter files), "parmfile.doc", and "nbonds.doc"
(the keywords ARITH and GEOM).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.findings import Findings

Types = tuple[str, ...]
Place = tuple[str, int]  # a file and a line


def either_way(types: Sequence[str]) -> Types:
    """Return the types in the direction that comes first in the alphabet."""
    return min(tuple(types), tuple(types[::-1]))


@dataclass
class Dihedral:
    """The terms of a dihedral: force constant, multiplicity, phase."""

    terms: list[tuple[float, int, float]]
    section: int  # its number, over all files
    doubtful: tuple[Place, str] | None = None  # a row that programs read in different ways


@dataclass
class ForceField:
    """What all files of parameters say; see `fill`."""

    masses: dict[str, tuple[int, float, str]] = field(default_factory=dict)
    bonds: dict[Types, tuple[float, float]] = field(default_factory=dict)
    angles: dict[Types, tuple[float, ...]] = field(default_factory=dict)
    dihedrals: dict[Types, Dihedral] = field(default_factory=dict)
    impropers: dict[Types, tuple[float, float, float, Place]] = field(default_factory=dict)
    maps: dict[Types, tuple[int, list[float]]] = field(default_factory=dict)
    radii: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    pairs: list[tuple[str, str, tuple[float, ...]]] = field(default_factory=list)
    exclusions: int = 5  # NBXMOD
    factor_14: float = 1.0  # E14FAC
    sections: int = 0
    last_dihedral: Types = ()

    def begin_section(self) -> None:
        """Say that a new section begins."""
        self.sections += 1
        self.last_dihedral = ()

    def mass(self, words: Sequence[str]) -> None:
        """Take a MASS line."""
        element = words[4] if len(words) > 4 else ""
        self.masses[words[2]] = (int(words[1]), float(words[3]), element)

    def dihedral(self, types: Sequence[str], row: Sequence[str], place: Place) -> None:
        """Take a term of a dihedral."""
        key = either_way(types)
        term = (float(row[0]), int(float(row[1])), float(row[2]))
        known = self.dihedrals.get(key)
        follows, self.last_dihedral = key == self.last_dihedral, key
        if known is None or known.section != self.sections:
            self.dihedrals[key] = Dihedral([term], self.sections)
        elif term in known.terms:
            return
        elif not follows:
            hint = "the terms of a dihedral stand one after the other"
            known.doubtful = known.doubtful or (place, hint)
        elif any(term[1] == other[1] for other in known.terms):
            hint = "a dihedral has one term for each multiplicity; keep one of them"
            known.doubtful = known.doubtful or (place, hint)
        else:
            known.terms.append(term)


def dihedral_of(types: Sequence[str], rows: dict[Types, Any]) -> Types | None:
    """Return which row counts for a dihedral."""
    return _first(((*types,), ("X", types[1], types[2], "X")), rows)


def improper_of(types: Sequence[str], rows: dict[Types, Any]) -> Types | None:
    """Return which row counts for an improper: the first in CHARMM's order of wildcards."""
    a, b, c, d = types
    patterns = [(a, b, c, d), (a, "X", "X", d)]
    patterns += [("X", b, c, d), ("X", c, b, a), ("X", b, c, "X")]
    patterns += [("X", "X", c, d), ("X", "X", b, a)]
    return _first(patterns, rows)


def _first(patterns: Iterable[Types], rows: dict[Types, Any]) -> Types | None:
    keys = (either_way(pattern) for pattern in patterns)
    return next((key for key in keys if key in rows), None)


def fill(found: Findings, topology: Any, force_field: ForceField, numbers: dict[str, float]) -> Any:
    """Return OpenMM's set of parameters with all that a topology uses, wildcards resolved.

    Parameters
    ----------
    topology : openmm.app.CharmmPsfFile
    numbers : dict
        The mass of each type in the topology, which counts where no file has a MASS line.
    """
    from openmm import app
    from openmm.app.internal.charmm import topologyobjects as kinds

    made = app.CharmmParameterSet()
    made.nbxmod, made.e14fac = force_field.exclusions, force_field.factor_14
    for name, mass in numbers.items():
        number, heavy, element = force_field.masses.get(name, (-1, mass, ""))
        kind = kinds.AtomType(name, number, heavy, _atomic_number(element, heavy))
        made.atom_types_str[name] = kind
    _fill_radii(found, made.atom_types_str, force_field)
    for types, bond in force_field.bonds.items():
        made.bond_types[types] = kinds.BondType(*bond)
    for types, angle in force_field.angles.items():
        made.angle_types[types] = kinds.AngleType(*angle[:2])
        stretch = kinds.UreyBradleyType(*angle[2:]) if len(angle) > 2 else kinds.NoUreyBradley
        made.urey_bradley_types[types] = stretch
    for types in _quadruples(topology.dihedral_list):
        if (row := dihedral_of(types, force_field.dihedrals)) is not None:
            terms = force_field.dihedrals[row]
            if terms.doubtful is not None:
                (file, line), hint = terms.doubtful
                what = "is a doubtful term of a dihedral that the topology has"
                found.add(file, line, what, " ".join(row), hint=hint)
            made.dihedral_types[types] = [kinds.DihedralType(*term) for term in terms.terms]
    for types in _quadruples(topology.improper_list):
        if (row := improper_of(types, force_field.impropers)) is not None:
            constant, multiplicity, best, (file, line) = force_field.impropers[row]
            if multiplicity != 0:
                value = f"improper {' '.join(row)}, multiplicity {multiplicity:g}"
                hint = "periodic impropers are not read"
                found.add(file, line, "is not supported", value, "multiplicity 0", hint)
            made.improper_types[types] = kinds.ImproperType(constant, best)
    for types, (size, energies) in force_field.maps.items():
        made.cmap_types[types] = kinds.CmapType(size, energies)
    return made


def _quadruples(terms: Any) -> Iterator[Types]:
    every = {
        either_way([atom.attype for atom in (term.atom1, term.atom2, term.atom3, term.atom4)])
        for term in terms
    }
    yield from sorted(every)


def _atomic_number(symbol: str, mass: float) -> int:
    """Return the atomic number; 0 for a mass point without an element."""
    from openmm.app import element

    try:
        return int(element.get_by_symbol(symbol.capitalize()).atomic_number)
    except KeyError:
        nearest = element.Element.getByMass(mass)
    # A hydrogen may have taken mass from its neighbour, up to that of helium.
    return 1 if 0.9 < mass < 3.9 else (0 if nearest is None else int(nearest.atomic_number))


def _matches(pattern: str, name: str) -> bool:
    """Return whether a type is meant; ``*``, ``%``, ``#`` and ``+`` are CHARMM's wildcards."""
    if pattern == name:
        return True
    meaning = {"*": ".*", "%": ".", "#": r"\d*", "+": r"\d"}
    return bool(re.fullmatch("".join(meaning.get(sign, re.escape(sign)) for sign in pattern), name))


def _fill_radii(found: Findings, types: dict[str, Any], force_field: ForceField) -> None:
    def meant(pattern: str) -> list[str]:
        if pattern in types or not re.search(r"[*%#+]", pattern):
            return [pattern] if pattern in types else []
        return [name for name in types if _matches(pattern, name)]

    for pattern, row in force_field.radii:
        for name in meant(pattern):
            types[name].set_lj_params(row[0], row[1], *row[2:])
    for one, other, (depth, apart, *special) in force_field.pairs:
        near = [abs(special[0]), special[1]] if special else [None, None]
        for first in types if one == "X" else meant(one):
            for second in types if other == "X" else meant(other):
                entry = (apart, abs(depth), near[1], near[0])
                types[first].add_nbfix(second, *entry)
                types[second].add_nbfix(first, *entry)
    for name, kind in types.items():
        if kind.rmin is None:
            hint = "add the parameter or stream file that has it to parameters"
            what = "lacks the radius and depth of a type that the topology has"
            found.add("system.parameters", 0, what, f"type {name}", "a row of NONBONDED", hint)


@dataclass
class Mixing:
    """The rules that files of parameters ask for.

    Attributes
    ----------
    places : by whether the rule is geometric, the file and line of the first such NONBONDED
    """

    places: dict[bool, tuple[str, int]] = field(default_factory=dict)

    @property
    def geometric(self) -> bool:
        """Whether radii mix by their geometric mean."""
        return True in self.places

    def options(self, file: str, line: int, words: Sequence[str]) -> None:
        """Note the options of a NONBONDED; without any it says nothing of the rule."""
        if words:
            self.places.setdefault(any(word[:4] == "GEOM" for word in words), (file, line))

    def refuse_two_rules(self, given: Input) -> None:
        """Raise if one file asks for geometric mixing and another does not."""
        if len(self.places) < 2:
            return
        file, line = self.places[False]
        other, other_line = self.places[True]
        found = Findings()
        found.add(
            file,
            line,
            "is another mixing rule",
            "NONBONDED without GEOM",
            f"GEOM at {other}:{other_line}",
            "radii mix by one rule: take parameters of one force field",
        )
        found.raise_them(given)


def mix_geometrically(psf: Any, parameters: Any) -> None:
    """Mix radii by their geometric mean, as in OPLS-AA.

    OpenMM reads NBFIX, the parameters of single pairs of types. Each pair of types of a topology
    gets such an entry, except those that have one.
    """
    names = {atom.attype for atom in psf.atom_list}
    known = {**parameters.atom_types_str, **parameters.atom_types_int}
    types = {id(known[name]): known[name] for name in names if name in known}
    for one, other in combinations(types.values(), 2):
        if other.name in one.nbfix or one.rmin is None or other.rmin is None:
            continue  # OpenMM says which type has no parameters
        pair = (
            2 * math.sqrt(one.rmin * other.rmin),
            math.sqrt(one.epsilon * other.epsilon),
            2 * math.sqrt(one.rmin_14 * other.rmin_14),
            math.sqrt(one.epsilon_14 * other.epsilon_14),
        )
        one.add_nbfix(other.name, *pair)
        other.add_nbfix(one.name, *pair)
