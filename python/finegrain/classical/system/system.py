# SPDX-License-Identifier: BSD-3-Clause
"""A molecular system in the form of the engine: arrays in Hartree atomic units."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.classical.system.mixing import LennardJones
from finegrain.classical.system.sites import VirtualSites
from finegrain.classical.system.terms import TermTable, no_terms

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def no_floats(*shape: int) -> Floats:
    """Return an empty table of numbers."""
    return np.zeros(shape, dtype=np.float64)


def no_ints(*shape: int) -> Ints:
    """Return an empty table of indices."""
    return np.zeros(shape, dtype=np.int32)


@dataclass
class Names:
    """Names of atoms and residues.

    Attributes
    ----------
    atom, element : list of str, one per atom
    residue : int32, shape (atoms,), index into the residues
    residue_name, residue_chain : list of str, one per residue
    residue_number : int32, shape (residues,)
    """

    atom: list[str]
    element: list[str]
    residue: Ints
    residue_name: list[str]
    residue_chain: list[str]
    residue_number: Ints

    def describe(self, atom: int) -> str:
        """Return a text such as "atom 17 (H1 of HOH 5)"; the user counts atoms from 1."""
        residue = int(self.residue[atom])
        of = f"{self.residue_name[residue]} {self.residue_number[residue]}"
        return f"atom {atom + 1} ({self.atom[atom]} of {of})"


@dataclass
class Restraints:
    """Harmonic position restraints, at most one on an atom.

    Attributes
    ----------
    atoms : int32, shape (restraints,), from 0
    constants : float64, shape (restraints, 3), of each axis, hartree/bohr^2
    reference : float64, shape (restraints, 3), bohr, in the starting box
    anchor : float64, shape (restraints, 3), bohr
        The part of the reference that is stretched with the box.
    follows : int32, shape (restraints,)
        1 where each copy of a repeated cell has an anchor of its own.
    """

    atoms: Ints = field(default_factory=lambda: no_ints(0))
    constants: Floats = field(default_factory=lambda: no_floats(0, 3))
    reference: Floats = field(default_factory=lambda: no_floats(0, 3))
    anchor: Floats = field(default_factory=lambda: no_floats(0, 3))
    follows: Ints = field(default_factory=lambda: no_ints(0))

    def __post_init__(self) -> None:
        """Take anchors that no copy moves, if nothing else is said."""
        if len(self.follows) != len(self.atoms):
            self.follows = no_ints(len(self.atoms))

    def __len__(self) -> int:
        """Return the number of restrained atoms."""
        return len(self.atoms)

    def joined(self, other: Restraints) -> Restraints:
        """Return these and the others."""
        return Restraints(
            np.concatenate([self.atoms, other.atoms]),
            np.concatenate([self.constants, other.constants]),
            np.concatenate([self.reference, other.reference]),
            np.concatenate([self.anchor, other.anchor]),
            np.concatenate([self.follows, other.follows]),
        )


@dataclass
class Nonbonded:
    """The settings of a System's own NonbondedForce, in engine units.

    `method` is OpenMM's name; zero means "not set", as in OpenMM.
    """

    method: str = "NoCutoff"
    cutoff: float = 0.0
    switch_distance: float = 0.0
    dielectric: float = 78.3
    ewald_tolerance: float = 5e-4
    ewald_coefficient: float = 0.0
    mesh: tuple[int, int, int] = (0, 0, 0)
    dispersion_correction: bool = True


@dataclass
class ClassicalSystem:
    """Atoms and the terms of their force field: of one copy, if a cell is repeated.

    Attributes
    ----------
    box : float64, shape (3,) or (3, 3), bohr, see `finegrain.base.cells`; None in vacuum
    position : float64, shape (atoms, 3), bohr
    velocity : float64, shape (atoms, 3), bohr per au time; None where the files hold none
    mass, charge : float64, shape (atoms,)
    lennard_jones : parameters of the atoms, and how they mix
    terms : bonded terms and exceptions, by the name of their table ("bonds")
    constraint_atoms, constraint_distance : int32, shape (constraints, 2); bohr
    sites : the virtual sites among the atoms
    restraints : of the input and of the files
    notes : what the user should know of how the force field was read
    repeat : how often the cell is there along each of its vectors
    """

    names: Names
    position: Floats
    mass: Floats
    charge: Floats
    lennard_jones: LennardJones
    box: Floats | None = None
    velocity: Floats | None = None
    terms: dict[str, TermTable] = field(default_factory=no_terms)
    constraint_atoms: Ints = field(default_factory=lambda: no_ints(0, 2))
    constraint_distance: Floats = field(default_factory=lambda: no_floats(0))
    removes_com_motion: bool = False
    sites: VirtualSites = field(default_factory=VirtualSites)
    restraints: Restraints = field(default_factory=Restraints)
    notes: list[str] = field(default_factory=list)
    nonbonded: Nonbonded = field(default_factory=Nonbonded)
    repeat: tuple[int, int, int] = (1, 1, 1)

    @property
    def atoms(self) -> int:
        """Number of atoms of one copy."""
        return len(self.mass)

    @property
    def copies(self) -> int:
        """Number of copies of the cell."""
        return math.prod(self.repeat)

    @property
    def all_atoms(self) -> int:
        """Number of atoms of all copies."""
        return self.copies * self.atoms

    @property
    def whole_box(self) -> Floats | None:
        """The box of all copies: as `box`."""
        return None if self.box is None else cells.repeated(self.box, self.repeat)

    @property
    def sigma(self) -> Floats:
        """Return sigma of a pair of equal atoms: float64, shape (atoms,), bohr."""
        return self.lennard_jones.sigma

    @property
    def epsilon(self) -> Floats:
        """Return epsilon of a pair of equal atoms: float64, shape (atoms,), hartree."""
        return self.lennard_jones.epsilon

    def bonds(self) -> tuple[Ints, Floats]:
        """Return the bonded pairs of atoms, with Urey-Bradley terms, and their lengths.

        `chemical_bonds` leaves out these terms.
        """
        tables = [table for table in self.terms.values() if table.kind.binds]
        return (
            np.concatenate([table.atoms for table in tables]),
            np.concatenate([table["length"] for table in tables]),
        )

    def free_bonds(self) -> tuple[Ints, Floats, Floats]:
        """Return pairs that springs hold and no constraint does, with lengths and stiffnesses.

        Urey-Bradley terms are among them. The stiffness k is that of k (r - b)² / 2 near the length
        b. For GROMOS the energy is k (r² - b²)² / 4, and the stiffness is 2 k b².
        """
        plain, gromos = self.terms["bonds"], self.terms["gromos_bonds"]
        pairs = np.concatenate([plain.atoms, gromos.atoms])
        length = np.concatenate([plain["length"], gromos["length"]])
        curvature = 2 * gromos["stiffness"] * gromos["length"] ** 2
        stiffness = np.concatenate([plain["stiffness"], curvature])
        free = ~self.is_constrained(pairs)
        return pairs[free], length[free], stiffness[free]

    def is_constrained(self, pairs: Ints) -> NDArray[np.bool_]:
        """Return which pairs of atoms, shape (n, 2) in any order, a constraint holds."""
        one, other = (
            np.sort(np.asarray(table, np.int64).reshape(-1, 2), axis=1)
            for table in (pairs, self.constraint_atoms)
        )
        return np.isin(one @ [self.atoms, 1], other @ [self.atoms, 1])

    @property
    def degrees_of_freedom(self) -> int:
        """Number of independent directions of motion, with that of the centre of mass."""
        return 3 * (self.atoms - len(self.sites)) - len(self.constraint_atoms)
