# SPDX-License-Identifier: BSD-3-Clause
"""How the Lennard-Jones parameters of two atoms mix: by a rule, or as a table of types says.

Units: Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

most_types = 1000  # the engine's limit


@dataclass
class LennardJonesTypes:
    """The Lennard-Jones parameters of every pair of types.

    Attributes
    ----------
    of_atom : int32, shape (atoms,), the type of each atom
    sigma, epsilon : float64, shape (types, types), symmetric, bohr and hartree
    """

    of_atom: Ints
    sigma: Floats
    epsilon: Floats

    def only_used(self) -> LennardJonesTypes:
        """Return the same without types that no atom has."""
        used, of_atom = np.unique(self.of_atom, return_inverse=True)
        square = np.ix_(used, used)
        return LennardJonesTypes(of_atom.astype(np.int32), self.sigma[square], self.epsilon[square])

    def follow_the_rule(self) -> bool:
        """Return whether Lorentz's and Berthelot's rules give the same table, to rounding."""
        sigma, epsilon = np.diag(self.sigma), np.diag(self.epsilon)
        depths = np.sqrt(epsilon[:, None] * epsilon[None, :])
        if not np.allclose(depths, self.epsilon, rtol=1e-12, atol=0):
            return False
        counts = self.epsilon > 0
        mixed = 0.5 * (sigma[:, None] + sigma[None, :])
        return bool(np.allclose(mixed[counts], self.sigma[counts], rtol=1e-12, atol=0))


@dataclass
class LennardJones:
    """The Lennard-Jones parameters of all atoms.

    Attributes
    ----------
    sigma, epsilon : float64, shape (atoms,), bohr and hartree
        The parameters of a pair of equal atoms.
    types : LennardJonesTypes or None
        None: two atoms mix by the rules of Lorentz and Berthelot.
    """

    sigma: Floats
    epsilon: Floats
    types: LennardJonesTypes | None = None

    def of_pairs(self, one: Any, other: Any) -> tuple[Floats, Floats]:
        """Return sigma and epsilon of pairs of atoms, given by two arrays of indices."""
        if self.types is not None:
            pair = self.types.of_atom[one], self.types.of_atom[other]
            return self.types.sigma[pair], self.types.epsilon[pair]
        sigma = 0.5 * (self.sigma[one] + self.sigma[other])
        return sigma, np.sqrt(self.epsilon[one] * self.epsilon[other])

    def kinds(self) -> Floats:
        """Return columns that are equal for atoms which mix alike: shape (columns, atoms)."""
        if self.types is not None:
            return self.types.of_atom[None, :].astype(np.float64)
        return np.stack([self.sigma, self.epsilon])

    def largest(self) -> float:
        """Return the largest sigma of a pair that has an energy; 0 if there is none."""
        if self.types is not None:
            return float(self.types.sigma[self.types.epsilon > 0].max(initial=0.0))
        return float(self.sigma[self.epsilon > 0].max(initial=0.0))
