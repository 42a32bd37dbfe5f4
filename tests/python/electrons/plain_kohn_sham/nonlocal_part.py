# SPDX-License-Identifier: BSD-3-Clause
"""The nonlocal energy sum_s f sum_I sum_lm sum_ij Z_i D_ij Z_j and its derivatives.

Z_i = V^(-1/2) sum_G i^l q_i(|G|) Y_lm(G) exp(i G R) c(G), which is real: the sum over the half
sphere of w Re(...).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plain_kohn_sham.basis import Basis
from plain_kohn_sham.harmonics import solid_harmonics
from plain_kohn_sham.system import System


@dataclass(frozen=True, eq=False)
class Projections:
    """All projectors of all atoms.

    Attributes
    ----------
    b : complex, shape (projectors, n)
        w(G) V^(-1/2) i^l q Y exp(i G R): Z is the real part of b c.
    b_strained : complex, shape (3, 3, projectors, n)
        The derivative of b by strain, with V constant; None if it was not asked for.
    coupling : float64, shape (projectors, projectors)
        D for all atoms.
    atom : int, shape (projectors,)
    """

    b: np.ndarray
    b_strained: np.ndarray | None
    coupling: np.ndarray
    atom: np.ndarray

    @staticmethod
    def of(system: System, strain: bool = False) -> Projections:
        """Make the projectors of all atoms; their strain derivatives if asked for."""
        basis, waves = system.basis, system.basis.waves
        safe = np.where(waves.length == 0, 1.0, waves.length)
        phases = waves.phases(system.positions).conj() * waves.weight / np.sqrt(basis.volume)
        b, strained, atoms, blocks = [], [], [], []
        for atom, (element, pseudo) in enumerate(zip(system.elements, system.pseudos, strict=True)):
            tables_of_channels = system.projector_tables[element]
            for channel, tables in zip(pseudo.channels, tables_of_channels, strict=True):
                l = channel.l  # noqa: E741
                solid, solid_slope = solid_harmonics(l, waves.g)
                for m in range(2 * l + 1):
                    for table in tables:
                        q = table.values
                        # q |G|^(-l) times the solid harmonic; at G = 0 only l = 0 is left.
                        radial = q / safe**l if l else q
                        angular = solid[m] if l else np.full(len(q), solid[0, 0])
                        value = np.where((waves.length == 0) & (l > 0), 0.0, radial * angular)
                        b.append(1j**l * phases[atom] * value)
                        if strain:
                            radial_slope = table.slopes / safe**l - l * q / safe ** (l + 1)
                            gradient = (radial_slope * angular / safe)[:, None] * waves.g + radial[
                                :, None
                            ] * solid_slope[m]
                            gradient[waves.length == 0] = 0
                            change = -np.einsum("ga,gb->abg", waves.g, gradient)
                            strained.append(1j**l * phases[atom] * change)
                        atoms.append(atom)
                    blocks.append(channel.coupling)
        size, n = len(b), len(waves.index)
        coupling, at = np.zeros((size, size)), 0
        for block in blocks:
            coupling[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        return Projections(
            np.array(b).reshape(size, n),
            np.array(strained).reshape(size, 3, 3, n).transpose(1, 2, 0, 3) if strain else None,
            coupling,
            np.array(atoms, int),
        )

    def of_orbitals(self, c: np.ndarray) -> np.ndarray:
        """Return Z, shape (projectors, orbitals)."""
        return (self.b @ c.T).real

    def energy(self, c: np.ndarray, f: float) -> float:
        """Return the energy of orbitals of occupation f."""
        z = self.of_orbitals(c)
        return f * float(np.sum(z * (self.coupling @ z)))

    def apply(self, basis: Basis, c: np.ndarray) -> np.ndarray:
        """Return V_nl psi for each orbital, shape (orbitals, n)."""
        z = self.of_orbitals(c)
        return (self.coupling @ z).T @ (self.b.conj() / basis.waves.weight)

    def forces(self, basis: Basis, c: np.ndarray, f: float, atoms: int) -> np.ndarray:
        """Return the forces on the atoms, shape (atoms, 3)."""
        dz = self.coupling @ self.of_orbitals(c)
        result = np.zeros((atoms, 3))
        for axis in range(3):
            slope = ((1j * basis.waves.g[:, axis] * self.b) @ c.T).real
            np.add.at(result[:, axis], self.atom, -2 * f * np.sum(dz * slope, axis=1))
        return result

    def by_strain(self, c: np.ndarray, f: float) -> np.ndarray:
        """Return dE/d(strain); V^(-1/2) in both Z gives minus the energy on the diagonal."""
        assert self.b_strained is not None
        dz = self.coupling @ self.of_orbitals(c)
        result = -np.eye(3) * self.energy(c, f)
        for a in range(3):
            for b in range(3):
                slope = (self.b_strained[a, b] @ c.T).real
                result[a, b] += 2 * f * np.sum(dz * slope)
        return result
