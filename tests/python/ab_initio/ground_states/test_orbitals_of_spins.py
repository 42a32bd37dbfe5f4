# SPDX-License-Identifier: BSD-3-Clause
"""Orbitals with spin that are kept: a start from another run, orbitals of each spin, cube files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ase.io.cube import read_cube
from engine_runs import engine_ground_state, engine_input
from reference_systems import oxygen_lda

import finegrain as fg
from finegrain.ab_initio.states.orbitals import Orbitals, orbital_name, orbital_number
from finegrain.errors import InputError

# At a low cutoff: the figures do not count here.
OXYGEN = replace(oxygen_lda(), cutoff=8.0, grid=(24, 24, 24))
TIGHT = ("[ground_state]", 'tolerance = "1e-8 hartree"', 'energy_tolerance = "1e-12 hartree"')


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of oxygen as a triplet."""
    folder = tmp_path_factory.mktemp("oxygen")
    engine_ground_state(OXYGEN, folder, *TIGHT, "[output]", "density = true")
    return folder / "run"


def test_a_run_with_spin_starts_from_the_orbitals_of_another(whole: Path, tmp_path: Path) -> None:
    first = fg.open_run(whole).ground_state()
    folders = {name: tmp_path / name for name in ("same", "moved", "fresh")}
    for folder in folders.values():
        folder.mkdir()
    start = f'start = "{whole}"'
    same = engine_ground_state(OXYGEN, folders["same"], *TIGHT, start)
    assert same.iterations <= 1  # the energy was known before the residual was small
    assert same.energy == pytest.approx(first.energy, abs=1e-10)
    assert same.absolute_magnetization == pytest.approx(first.absolute_magnetization, abs=1e-8)
    moved = replace(OXYGEN, positions=OXYGEN.positions + np.array([[0.0] * 3, [0.02, 0, 0]]))
    near = engine_ground_state(moved, folders["moved"], *TIGHT, start)
    far = engine_ground_state(moved, folders["fresh"], *TIGHT)
    assert near.energy == pytest.approx(far.energy, abs=1e-9)
    assert near.iterations < far.iterations


def test_orbitals_of_each_spin_have_its_energies_and_its_density(whole: Path) -> None:
    orbitals, found = Orbitals(whole), fg.open_run(whole).ground_state()
    assert (orbitals.spin, orbitals.up, len(orbitals)) == ("collinear", 7, 12)
    np.testing.assert_allclose(orbitals.energies, found.eigenvalues, atol=1e-12)
    squares = [orbitals.on_grid(number) ** 2 for number in range(12)]
    up, down = sum(squares[:7]), sum(squares[7:])
    # The engine rounds the density of a block to multiples of 2^-52.
    np.testing.assert_allclose(up + down, found.density(), atol=1e-13)
    np.testing.assert_allclose(up - down, found.spin_density(), atol=1e-13)


def test_an_orbital_has_the_name_of_its_spin(whole: Path, tmp_path: Path) -> None:
    orbitals = Orbitals(whole)
    assert orbital_number("homo-up", orbitals) == orbital_number("7-UP", orbitals) == 6
    assert orbital_number("homo-down", orbitals) == orbital_number("5-down", orbitals) == 11
    for number in range(12):
        assert orbital_number(orbital_name(orbitals, number), orbitals) == number
    for name in ("homo", "3", "8-up", "6-down", "0-up", "3-left", "-up", "up", "3-up-"):
        with pytest.raises(InputError, match="no such orbital") as caught:
            orbital_number(name, orbitals)
        assert "1-up to 7-up, homo-down, 1-down to 5-down" in str(caught.value)
    with pytest.raises(InputError, match="empty orbitals are not kept"):
        orbital_number("lumo-up", orbitals)
    target = fg.convert(whole, "cube", orbital="6-up")
    assert target.name == "orbital_6-up.cube"
    assert "orbital 6-up of 12" in target.read_text().splitlines()[0]
    with target.open() as file:
        cube = read_cube(file)
    np.testing.assert_allclose(cube["data"], orbitals.on_grid(5), rtol=1e-4, atol=1e-6)


def test_a_start_with_other_spins_is_refused(whole: Path, tmp_path: Path) -> None:
    start = ("[ground_state]", f'start = "{whole}"')
    for magnetization, limit in (
        (0, "6 orbitals of spin up and 6 of spin down, those of this run"),
        (None, "6 orbitals without spin, those of this run"),
    ):
        other = replace(OXYGEN, magnetization=magnetization)
        with pytest.raises(
            InputError, match="has 7 orbitals of spin up and 5 of spin down"
        ) as caught:
            fg.check(engine_input(other, tmp_path, *start))
        assert limit in str(caught.value)
