# SPDX-License-Identifier: BSD-3-Clause
"""Car-Parrinello steps that cp.x has made, too: systems, masses, time steps."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from ase.data import atomic_masses, atomic_numbers
from installed import upf
from plain_kohn_sham import System
from reference_systems import water_blyp

MASS = 400.0  # fictitious, electron masses


@dataclass(frozen=True)
class Case:
    """Steps from rest.

    Attributes
    ----------
    timestep : float
        Atomic units.
    mass_cutoff : float
        Ry; waves above it are heavier. One beyond the cutoff of the waves: all have the same mass.
    damped : int
        Damped steps of cp.x to the ground state.
    """

    name: str
    system: Callable[[], System]
    timestep: float
    steps: int
    mass_cutoff: float
    damped: int

    def masses(self) -> dict[str, float]:
        """Return the mass of each element, Da."""
        return {
            element: float(atomic_masses[atomic_numbers[element]])
            for element in self.system().pseudopotentials
        }


def silicon_crystal() -> System:
    """Eight silicon atoms, displaced by up to 0.2 bohr."""
    fcc = np.array([[0, 0, 0], [0, 2, 2], [2, 0, 2], [2, 2, 0]])
    ideal = 10.2 / 4 * np.concatenate([fcc, fcc + 1])
    displaced = ideal + np.random.Generator(np.random.Philox(key=1)).uniform(-0.2, 0.2, (8, 3))
    return System(
        10.2 * np.eye(3), ("Si",) * 8, displaced, {"Si": upf("Si.pz-vbc.UPF")}, "PZ", 6.0, (24,) * 3
    )


def stretched_water() -> System:
    """Water whose bonds are too long and of different lengths.

    With the functional of local densities: cp.x leaves the gradient's part out in other places than
    pw.x.
    """
    positions = np.array([[0.1, -0.2, 0.3], [1.65, 1.05, 0.4], [-1.35, 1.05, 0.1]])
    return replace(water_blyp(), positions=positions, functional="PZ", pw_rules=False)


CASES = (
    Case("H2O, mass cutoff 3 Ry", stretched_water, 4.0, 30, 3.0, 800),
    Case("H2O, one mass", stretched_water, 4.0, 30, 1000.0, 800),
    Case("Si8, mass cutoff 3 Ry", silicon_crystal, 5.0, 20, 3.0, 3000),
    Case("Si8, one mass", silicon_crystal, 5.0, 20, 1000.0, 3000),
)
