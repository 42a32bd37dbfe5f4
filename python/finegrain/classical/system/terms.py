# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of bonded terms: tables of a job, their limits, and where OpenMM's System has them.

The engine has the same list (`engine/forces/terms/terms.hpp`); a test compares the two. A new kind
is one entry of `kinds`: reading, limits, the job file and the memory that is needed follow from it.
Units: Hartree atomic units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.system.cmap_maps import map_problems
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, bohr_in_nm, hartree_in_kj_per_mol


@dataclass(frozen=True)
class Column:
    """A parameter of a term.

    Attributes
    ----------
    name : str
        Its name in the job.
    low, high : float
        The least and the largest value, in engine units.
    what, unit, factor : str, str, float
        Its name and unit for the user, and the factor from engine units.
    attribute, scale, divisor : str, float, float
        Its attribute in the XML of a System; times scale, over divisor it is in engine units.
    whole : bool
        Whether it is a whole number.
    """

    name: str
    low: float
    high: float
    what: str
    unit: str
    factor: float
    attribute: str
    scale: float = 1.0
    divisor: float = 1.0
    whole: bool = False


@dataclass(frozen=True)
class Shared:
    """What the terms of a kind share, such as maps, in a table of its own.

    Attributes
    ----------
    arrays : dict of str to bool
        The names of the arrays, and whether they hold whole numbers.
    column : str
        The column of the terms that refers to it.
    problems : function of arrays and column
        Finds what cannot be used.
    """

    table: str
    arrays: Mapping[str, bool]
    column: str
    problems: Callable[[Mapping[str, NDArray[Any]], NDArray[Any]], list[Problem]]


@dataclass(frozen=True)
class Kind:
    """A kind of term with a number of atoms.

    `force` is OpenMM's force whose `children` are such terms; empty where they come otherwise. If
    that is a custom force, `energy` is its formula, without spaces. The parameters in it are the
    attributes of the columns. `binds` says whether its atoms are bonded to each other.
    """

    name: str
    table: str
    atoms: int
    columns: tuple[Column, ...]
    force: str = ""
    children: str = ""
    energy: str = ""
    shared: Shared | None = None
    binds: bool = False

    @property
    def child(self) -> str:
        """Return the element of one term."""
        return self.children.removesuffix("s")


@dataclass
class TermTable:
    """The terms of one kind.

    Attributes
    ----------
    atoms : int32, shape (terms, atoms of a term)
    columns : by name, each of shape (terms,)
    shared : by name, what the terms share; empty for most kinds
    """

    kind: Kind
    atoms: NDArray[np.int32] = field(init=False)
    columns: dict[str, NDArray[np.float64]] = field(init=False)
    shared: dict[str, NDArray[Any]] = field(init=False)

    def __post_init__(self) -> None:
        """Begin without terms."""
        self.atoms = np.zeros((0, self.kind.atoms), dtype=np.int32)
        self.columns = {
            column.name: np.zeros(0, dtype=np.int32 if column.whole else np.float64)
            for column in self.kind.columns
        }
        arrays = self.kind.shared.arrays if self.kind.shared else {}
        self.shared = {
            name: np.zeros(0, dtype=np.int32 if whole else np.float64)
            for name, whole in arrays.items()
        }

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(self.atoms)

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        """Return a column."""
        return self.columns[column]


_kj = hartree_in_kj_per_mol
_k_of_bond = Column(
    "stiffness", 0, 1e7, "force constant", "kJ/mol/Å^2", _kj / bohr_in_angstrom**2, "k",
    bohr_in_nm**2 / _kj,
)  # fmt: skip
_k_of_angle = Column("stiffness", 0, 1e7, "force constant", "kJ/mol", _kj, "k", 1, _kj)
_barrier = Column("stiffness", -1e7, 1e7, "barrier", "kJ/mol", _kj, "k", 1, _kj)

kinds = (
    Kind(
        "bond",
        "bonds",
        2,
        (
            Column("length", 0, 1e7, "length", "Å", bohr_in_angstrom, "d", 1, bohr_in_nm),
            _k_of_bond,
        ),
        "HarmonicBondForce",
        "Bonds",
        binds=True,
    ),
    Kind(
        "angle",
        "angles",
        3,
        (Column("angle", 0, 1e7, "angle", "rad", 1, "a"), _k_of_angle),
        "HarmonicAngleForce",
        "Angles",
    ),
    # OpenMM's reader of GROMACS's files writes functions 2 as these custom forces.
    Kind(
        "GROMOS bond",
        "gromos_bonds",
        2,
        (
            Column("length", 0, 1e7, "length", "Å", bohr_in_angstrom, "r0", 1, bohr_in_nm),
            Column(
                "stiffness",
                0,
                1e7,
                "force constant",
                "kJ/mol/Å^4",
                _kj / bohr_in_angstrom**4,
                "k",
                bohr_in_nm**4 / _kj,
            ),
        ),
        "CustomBondForce",
        "Bonds",
        "0.25*k*(r^2-r0^2)^2",
        binds=True,
    ),
    Kind(
        "GROMOS angle",
        "gromos_angles",
        3,
        (
            Column("angle", 0, 6.3, "angle", "rad", 1, "theta0"),
            Column("stiffness", 0, 1e7, "force constant", "kJ/mol", _kj, "k", 1, _kj),
        ),
        "CustomAngleForce",
        "Angles",
        "0.5*k*(cos(theta)-cos(theta0))^2",
    ),
    Kind(
        "torsion",
        "torsions",
        4,
        (
            Column("periodicity", 0, 64, "periodicity", "", 1, "periodicity", whole=True),
            Column("phase", -1e7, 1e7, "phase", "rad", 1, "phase"),
            _barrier,
        ),
        "PeriodicTorsionForce",
        "Torsions",
    ),
    Kind(
        "Ryckaert-Bellemans torsion",
        "ryckaert_bellemans",
        4,
        tuple(
            Column(f"c{n}", -1e7, 1e7, f"coefficient c{n}", "kJ/mol", _kj, f"c{n}", 1, _kj)
            for n in range(6)
        ),
        "RBTorsionForce",
        "Torsions",
    ),
    # It comes from a CustomTorsionForce: finegrain.classical.openmm.custom_torsions.
    Kind(
        "harmonic torsion",
        "harmonic_torsions",
        4,
        (
            Column("angle", -6.3, 6.3, "angle", "rad", 1, "theta0"),
            Column("stiffness", -1e7, 1e7, "force constant", "kJ/mol", _kj, "k", 1, _kj),
        ),
    ),
    # It comes from a CMAPTorsionForce: finegrain.classical.openmm.cmap_force.
    Kind(
        "CMAP term",
        "cmaps",
        5,
        (Column("map", 0, 1e7, "map", "", 1, "map", whole=True),),
        shared=Shared("cmap_maps", {"size": True, "energy": False}, "map", map_problems),
    ),
    Kind(
        "exception",
        "exceptions",
        2,
        (
            Column("charge_product", -1e7, 1e7, "charge product", "e^2", 1, "q"),
            Column("sigma", 0, 1e7, "sigma", "Å", bohr_in_angstrom, "sig", 1, bohr_in_nm),
            Column("epsilon", 0, 1e7, "epsilon", "kJ/mol", _kj, "eps", 1, _kj),
        ),
    ),
)


def no_terms() -> dict[str, TermTable]:
    """Return an empty table of each kind, by the name of the table."""
    return {kind.table: TermTable(kind) for kind in kinds}
