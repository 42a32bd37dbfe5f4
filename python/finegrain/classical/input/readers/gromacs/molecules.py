# SPDX-License-Identifier: BSD-3-Clause
"""What a GROMACS topology holds: its molecule types, how many of each, and its force field."""

from __future__ import annotations

from dataclasses import dataclass, field

from finegrain.classical.input.readers.findings import Findings
from finegrain.classical.input.readers.gromacs.text import Line
from finegrain.classical.input.readers.gromacs.types import Numbers, TypeTables


@dataclass(frozen=True)
class AtomType:
    """A line of [ atomtypes ]; the words are numbers as they are in the file.

    Attributes
    ----------
    bonded : str
        The name in [ bondtypes ], [ angletypes ] and other tables of bonded terms.
    first, second : str
        sigma and epsilon, or C6 and C12.
    """

    name: str
    bonded: str
    number: str | None  # atomic
    mass: str
    charge: str
    particle: str
    first: str
    second: str


@dataclass(frozen=True)
class Term:
    """A line of a molecule that names atoms.

    Attributes
    ----------
    atoms : tuple of int
        Counted from 1.
    numbers : tuple of str
        The parameters of the line; none if they are those of the types.
    """

    section: str
    atoms: tuple[int, ...]
    function: str
    numbers: Numbers
    line: Line


@dataclass
class Molecule:
    """A molecule type.

    Attributes
    ----------
    rows : list of list of str
        The words of its atoms.
    terms : list of Term
        Bonds, angles and all other lines that name atoms.
    found : Findings
        Its problems; ignored if no molecule of the type is used.
    """

    name: str
    exclude: int  # pairs up to this number of bonds apart do not interact
    line: Line
    rows: list[list[str]] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    found: Findings = field(default_factory=Findings)

    @property
    def atoms(self) -> list[str]:
        """The types of its atoms."""
        return [row[1] for row in self.rows]

    @property
    def names(self) -> list[str]:
        """The names of its atoms."""
        return [row[4] for row in self.rows]

    def of(self, *sections: str) -> list[Term]:
        """Return the terms of some sections."""
        return [term for term in self.terms if term.section in sections]


@dataclass
class Topology:
    """All molecule types, the number of each, and the force field.

    Attributes
    ----------
    pair_types : dict of pair of types to (parameters, line)
        [ pairtypes ], in both orders.
    special : dict of pair of types to (parameters, line)
        [ nonbond_params ], by the types in alphabetical order.
    cmap_types : dict of five types to words of a table
    """

    found: Findings = field(default_factory=Findings)
    molecules: dict[str, Molecule] = field(default_factory=dict)
    counts: list[tuple[str, int, Line]] = field(default_factory=list)
    rule: int = 1  # the combination rule
    generates_pairs: bool = False
    fudge: tuple[float, float] = (1.0, 1.0)  # of Lennard-Jones and charges, in generated pairs
    atom_types: dict[str, AtomType] = field(default_factory=dict)
    types: TypeTables = field(default_factory=TypeTables)
    pair_types: dict[tuple[str, ...], tuple[Numbers, Line]] = field(default_factory=dict)
    special: dict[tuple[str, ...], tuple[Numbers, Line]] = field(default_factory=dict)
    cmap_types: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    @property
    def atoms(self) -> int:
        """Number of atoms of the whole system."""
        sizes = {name: len(self.molecules[name].rows) for name in self.molecules}
        return sum(count * sizes[name] for name, count, _ in self.counts)

    def used(self) -> list[Molecule]:
        """Return the molecule types that the system has, by name."""
        names = {name for name, count, _ in self.counts if count > 0}
        return [self.molecules[name] for name in sorted(names)]

    def bonded_types(self, molecule: Molecule) -> list[str]:
        """Return the names of a molecule's atoms in tables of bonded terms."""
        return [self.atom_types[name].bonded for name in molecule.atoms]
