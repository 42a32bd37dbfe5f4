# SPDX-License-Identifier: BSD-3-Clause
"""What is computed: atoms in a cell, pseudopotentials, cut-off and functional."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from finegrain.pseudopotentials.description import Pseudopotential
from finegrain.pseudopotentials.transforms import (
    Transform,
    alpha,
    core_density,
    local,
    projectors,
    shells,
)
from plain_kohn_sham.basis import Basis
from plain_kohn_sham.isolated import correction
from plain_kohn_sham.local import field as sum_of_atoms


@dataclass(frozen=True, eq=False)
class System:
    """Atoms in a cell: closed shells, or electrons with collinear spin.

    Attributes
    ----------
    vectors : float64, shape (3, 3)
        The cell's vectors in rows, bohr.
    elements : tuple of str
    positions : float64, shape (atoms, 3)
        Bohr.
    pseudopotentials : mapping
        From element to `Pseudopotential`.
    functional : str
        A name in `plain_kohn_sham.libxc`.
    cutoff : float
        The cutoff of |G|^2/2 for the orbitals, hartree.
    grid : tuple of int
    pw_rules : bool
        See `plain_kohn_sham.exchange_correlation`.
    isolated : bool
        A molecule without periodic images (`plain_kohn_sham.isolated`); it has no stress.
    indices : Basis or None
        A basis whose indices are kept, for a strained cell.
    magnetization : int or None
        The number of up electrons less that of down electrons; None for closed shells.
    """

    vectors: np.ndarray
    elements: tuple[str, ...]
    positions: np.ndarray
    pseudopotentials: Mapping[str, Pseudopotential]
    functional: str
    cutoff: float
    grid: tuple[int, int, int]
    pw_rules: bool = False
    isolated: bool = False
    indices: Basis | None = None
    magnetization: int | None = None

    @cached_property
    def basis(self) -> Basis:
        """The plane waves."""
        if self.indices is not None:
            return self.indices.strained(self.vectors)
        return Basis.of(self.vectors, self.cutoff, self.grid)

    @cached_property
    def pseudos(self) -> list[Pseudopotential]:
        """The pseudopotential of each atom."""
        return [self.pseudopotentials[element] for element in self.elements]

    @cached_property
    def charges(self) -> np.ndarray:
        """The charge of each ion."""
        return np.array([pseudo.charge for pseudo in self.pseudos])

    @property
    def orbitals(self) -> tuple[int, ...]:
        """The number of orbitals with two electrons each, or of up and of down electrons."""
        electrons = int(self.charges.sum())
        if self.magnetization is None:
            if electrons % 2:
                raise ValueError(f"{electrons} electrons are no closed shells")
            return (electrons // 2,)
        unpaired = self.magnetization
        if not 0 <= unpaired <= electrons or (electrons - unpaired) % 2:
            raise ValueError(f"{electrons} electrons cannot have {unpaired} unpaired spins")
        return (electrons + unpaired) // 2, (electrons - unpaired) // 2

    @property
    def occupation(self) -> float:
        """The electrons in an orbital."""
        return 2.0 / len(self.orbitals)

    @property
    def rows(self) -> tuple[slice, ...]:
        """Return the orbitals of each spin among all: those of spin up come first."""
        ends = np.cumsum((0, *self.orbitals))
        return tuple(slice(a, b) for a, b in pairwise(ends))

    @cached_property
    def screening(self) -> np.ndarray:
        """What the Coulomb kernel has besides 4 pi/G^2, on the sphere of densities."""
        return correction(self.basis) if self.isolated else np.zeros(len(self.basis.density.index))

    @cached_property
    def local_tables(self) -> list[Transform | None]:
        """The local potential of each atom on the sphere of densities, without alpha at G = 0."""
        tables = self._tables(dict.fromkeys(self.pseudopotentials, local), no_zero=True)
        return [
            table and Transform(table.values - charge * self.screening, table.slopes)
            for table, charge in zip(tables, self.charges, strict=True)
        ]

    @cached_property
    def core_tables(self) -> list[Transform | None]:
        """The model core of each atom on the sphere of densities; None for atoms without."""
        have = {name for name, one in self.pseudopotentials.items() if one.core_corrected}
        return self._tables(dict.fromkeys(have, core_density), no_zero=False)

    def _tables(self, functions: Mapping, no_zero: bool) -> list[Transform | None]:
        lengths, shell = shells(self.basis.density.length)
        of = {}
        for name, function in functions.items():
            found = function(self.pseudopotentials[name], lengths)
            values, slopes = found.values[shell], found.slopes[shell]
            if no_zero:
                values[0] = 0.0
            of[name] = Transform(values, slopes)
        return [of.get(element) for element in self.elements]

    @cached_property
    def ionic(self) -> np.ndarray:
        """The local potential of all atoms, without its value at G = 0."""
        return sum_of_atoms(self.basis, self.positions, self.local_tables)

    @cached_property
    def core(self) -> np.ndarray:
        """The model cores of all atoms."""
        return sum_of_atoms(self.basis, self.positions, self.core_tables)

    @cached_property
    def projector_tables(self) -> dict[str, list[list[Transform]]]:
        """The projectors of each element, of each channel, on the sphere of orbitals."""
        lengths, shell = shells(self.basis.waves.length)
        return {
            name: [
                [
                    Transform(one.values[shell], one.slopes[shell])
                    for one in projectors(channel, pseudo.mesh, lengths)
                ]
                for channel in pseudo.channels
            ]
            for name, pseudo in self.pseudopotentials.items()
        }

    @cached_property
    def alpha_energy(self) -> float:
        """The energy of the local potential at G = 0: electrons/V sum_I alpha_I."""
        alphas = sum(alpha(pseudo) for pseudo in self.pseudos)
        return float(self.charges.sum() * alphas / self.basis.volume)

    def moved(self, by: np.ndarray) -> System:
        """Return the system with other positions, changed by `by` (bohr), shape (atoms, 3)."""
        result = replace(self, positions=self.positions + by)
        for name in ("basis", "screening", "local_tables", "core_tables", "projector_tables"):
            result.__dict__[name] = getattr(self, name)  # these do not depend on positions
        return result

    def strained(self, strain: np.ndarray) -> System:
        """Return the system with all vectors and positions multiplied by 1 + strain."""
        change = (np.eye(3) + strain).T
        vectors, positions = self.vectors @ change, self.positions @ change
        return replace(self, vectors=vectors, positions=positions, indices=self.basis)
