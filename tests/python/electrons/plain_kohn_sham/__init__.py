# SPDX-License-Identifier: BSD-3-Clause
"""A plain Kohn-Sham program at the Gamma point: total energy, forces and stress of a ground state.

Norm-conserving pseudopotentials, closed shells or collinear spin, LDA or GGA, any cell. Hartree
atomic units.

    ground = ground_state(System(...))
    ground.total, ground.terms, ground.forces, ground.stress
"""

from plain_kohn_sham.minimise import GroundState, ground_state
from plain_kohn_sham.system import System

__all__ = ["GroundState", "System", "ground_state"]
