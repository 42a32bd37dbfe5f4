# SPDX-License-Identifier: BSD-3-Clause
"""One crystal in several choices of its lattice vectors: the same energy, forces and stress.

Meshes follow the vectors, so that their errors differ, at 14 Ry by 1e-7 hartree for eight atoms of
silicon. Splines have those of docs/explanation/splines.md besides, on a grid of twice the waves.
"""

from pathlib import Path

import numpy as np
import pytest
from moving_silicon import silicon, write_silicon

import finegrain as fg

# Rows of whole numbers: sums of the vectors a, b and c. All have the same volume.
CHOICES = {
    "a, a + b, c - b": [[1, 0, 0], [1, 1, 0], [0, -1, 1]],
    "b, c, a": [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    "a, 2 a + b, b + c - a": [[1, 0, 0], [2, 1, 0], [-1, 1, 1]],
}
USUAL = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
# The limits of energies (hartree), forces (hartree/bohr) and stress (hartree/bohr³).
LIMITS = {"exact": (5e-7, 1e-5, 1e-8), "splines": (2e-6, 1e-5, 1e-8)}


def evaluated(folder: Path, choice: list[list[int]], method: str) -> fg.Energies:
    atoms = silicon()
    atoms.set_cell(np.array(choice) @ atoms.cell.array, scale_atoms=False)
    path = write_silicon(folder, atoms, "1e-10 hartree")
    lines = f'nonlocal_part = "{method}"\nlocal_part = "{method}"\n'
    lines += "spline_grid = 2\n" if method == "splines" else ""
    text = path.read_text().replace('cutoff = "6 Ry"\n', f'cutoff = "14 Ry"\n{lines}')
    path.write_text(text)
    return fg.energy(path, pes=1)


@pytest.mark.parametrize("method", LIMITS)
@pytest.mark.filterwarnings("ignore::finegrain.errors.InputNote")  # the cell is small
def test_energy_forces_and_stress_are_the_same(method: str, tmp_path: Path) -> None:
    usual = evaluated(tmp_path / "usual", USUAL, method)
    assert np.abs(usual.forces).max() > 0.01
    energy, forces, stress = LIMITS[method]
    for name, choice in CHOICES.items():
        other = evaluated(tmp_path / name, choice, method)
        assert other.total == pytest.approx(usual.total, abs=energy), name
        np.testing.assert_allclose(other.forces, usual.forces, rtol=0, atol=forces)
        np.testing.assert_allclose(other.stress, usual.stress, rtol=0, atol=stress)
