# SPDX-License-Identifier: BSD-3-Clause
"""One crystal in several choices of its lattice vectors: the same energy, forces and stress."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from moving_silicon import silicon, write_silicon

import finegrain as fg

# Rows of whole numbers: sums of the vectors a, b and c. All have the same volume.
CHOICES = {
    "a, a + b, c - b": [[1, 0, 0], [1, 1, 0], [0, -1, 1]],
    "b, c, a": [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    "a, b + 2 a, c + b - a": [[1, 0, 0], [2, 1, 0], [-1, 1, 1]],
}


def evaluated(folder: Path, choice: list[list[int]], *lines: str) -> fg.Energies:
    atoms = silicon()
    atoms.set_cell(np.array(choice) @ atoms.cell.array, scale_atoms=False)
    return fg.energy(write_silicon(folder, atoms, "1e-9 hartree", *lines), pes=1)


@pytest.mark.parametrize("projectors", ["exact", "splines"])
@pytest.mark.parametrize("choice", CHOICES)
def test_energy_forces_and_stress_are_the_same(
    choice: str, projectors: str, tmp_path: Path
) -> None:
    usual = evaluated(tmp_path / "a, b, c", np.eye(3, dtype=int).tolist(), )
    other = evaluated(tmp_path / "other", CHOICES[choice])
    print(other.energy - usual.energy, abs(other.forces - usual.forces).max())
    print(usual.stress, other.stress)
