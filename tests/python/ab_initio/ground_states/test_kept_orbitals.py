# SPDX-License-Identifier: BSD-3-Clause
"""Orbitals that are kept: the same bits after a stop, a start from another run, cube files."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import SILICON
from ase.build import bulk
from ase.io import write
from ase.io.cube import read_cube

import finegrain as fg
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.ab_initio.states.orbitals import Orbitals, orbital_number
from finegrain.errors import InputError


def write_input(
    folder: Path, name: str = "si", start: str = "", *more: str, shift: float = 0.0
) -> Path:
    """Write an input of eight silicon atoms, which have been moved a little."""
    atoms = bulk("Si", cubic=True)
    atoms.rattle(0.02, seed=1)
    atoms.positions[0, 0] += shift
    write(folder / f"{name}.xyz", atoms)
    (folder / "GTH").write_text(SILICON)
    lines = [
        "[system]",
        'kind = "ab-initio"',
        f'structure = "{name}.xyz"',
        "[electrons]",
        'cutoff = "12 Ry"',
        'functional = "LDA"',
        'pseudopotentials = { Si = "GTH" }',
        "[objects]",
        "state_grain = 5",
        "wave_parts = 3",
        "[ground_state]",
        f'start = "{start}"' if start else "",
        *more,
    ]
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody has stopped."""
    folder = tmp_path_factory.mktemp("kept")
    fg.run(write_input(folder), folder / "whole", pes=1)
    return folder / "whole"


@pytest.mark.parametrize("iteration", [0, 1, 7])
def test_a_stopped_search_goes_on_bit_for_bit(whole: Path, tmp_path: Path, iteration: int) -> None:
    stopped = fg.run(write_input(tmp_path), tmp_path / "run", pes=1, stop_after=iteration)
    assert not stopped.finished
    assert f"Saved at iteration {iteration}" in stopped.outcome()
    again = fg.resume(tmp_path / "run", pes=2, map="hashed")
    assert again.finished
    assert again.state_digest == fg.open_run(whole).state_digest
    assert not (tmp_path / "run/checkpoint_previous.h5").exists()
    before, after = fg.open_run(whole).ground_state(), again.ground_state()
    np.testing.assert_array_equal(before.history[:, :2], after.history[:, :2])


@pytest.mark.parametrize("minimiser", ["conjugate-gradient", "steepest-descent"])
def test_other_minimisers_go_on_with_the_same_bits(tmp_path: Path, minimiser: str) -> None:
    source = write_input(tmp_path, "si", "", f'minimiser = "{minimiser}"', "iterations = 9")
    with pytest.raises(fg.NumericsError, match="did not converge"):
        fg.run(source, tmp_path / "straight", pes=1)
    fg.run(source, tmp_path / "run", pes=1, stop_after=4)
    with pytest.raises(fg.NumericsError, match="did not converge"):
        fg.resume(tmp_path / "run", pes=1)
    straight, again = (GroundState(tmp_path / name) for name in ("straight", "run"))
    assert len(again.history) == 10
    assert again.state_digest == straight.state_digest


def test_a_search_at_its_last_iteration_can_have_more(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(fg.NumericsError, match="did not converge") as caught:
        fg.run(write_input(tmp_path), tmp_path / "run", pes=1, steps=3)
    assert f"finegrain resume {tmp_path / 'run'} --steps 6" in caught.value.hint
    again = fg.resume(tmp_path / "run", pes=1, steps=200)
    assert again.state_digest == fg.open_run(whole).state_digest


def test_a_killed_run_goes_on_with_the_same_bits(whole: Path, tmp_path: Path) -> None:
    write_input(tmp_path)
    source = tmp_path / "si.toml"
    source.write_text(source.read_text() + '[output]\ncheckpoint_interval = "0.2 s"\n')
    command = [sys.executable, "-m", "finegrain", "run", str(source), "--out", "run", "--pes", "1"]
    chance = random.Random(5)
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    checkpoint = tmp_path / "run/checkpoint.h5"
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.01)  # only to be kind to the machine
    time.sleep(0.2 * chance.random())  # any moment will do
    process.send_signal(signal.SIGKILL)
    process.wait()
    run = fg.open_run(tmp_path / "run")
    if not run.directory.result.exists():
        run = fg.resume(tmp_path / "run", pes=1)
    assert run.state_digest == fg.open_run(whole).state_digest


def test_a_run_starts_from_the_orbitals_of_another(whole: Path, tmp_path: Path) -> None:
    same = fg.run(write_input(tmp_path, "same", str(whole)), tmp_path / "same", pes=1)
    assert same.ground_state().iterations == 0
    assert same.ground_state().energy == pytest.approx(
        fg.open_run(whole).ground_state().energy, abs=1e-10
    )
    fresh = fg.run(write_input(tmp_path, "fresh", shift=0.01), tmp_path / "fresh", pes=1)
    moved = write_input(tmp_path, "moved", str(whole), shift=0.01)
    near = fg.run(moved, tmp_path / "moved", pes=1)
    assert near.ground_state().energy == pytest.approx(fresh.ground_state().energy, abs=1e-9)
    assert near.ground_state().iterations < fresh.ground_state().iterations


def test_a_start_may_have_another_cutoff_and_another_division(whole: Path, tmp_path: Path) -> None:
    source = write_input(tmp_path, "other", str(whole))
    text = source.read_text().replace("12 Ry", "13 Ry").replace("wave_parts = 3", "wave_parts = 2")
    source.write_text(text.replace("state_grain = 5", "state_grain = 4"))
    near = fg.run(source, tmp_path / "near", pes=1).ground_state()
    source.write_text(source.read_text().replace(f'start = "{whole}"', 'start = "random"'))
    far = fg.run(source, tmp_path / "far", pes=1).ground_state()
    assert near.energy == pytest.approx(far.energy, abs=1e-9)
    assert near.iterations < far.iterations


def test_orbitals_are_orthonormal_and_have_the_energies_of_the_run(whole: Path) -> None:
    orbitals = Orbitals(whole)
    c = orbitals.coefficients()
    weight = np.where((orbitals.waves == 0).all(axis=1), 1.0, 2.0)
    overlap = ((c.conj() * weight) @ c.T).real
    np.testing.assert_allclose(overlap, np.eye(len(orbitals)), atol=1e-12)
    np.testing.assert_allclose(c[3], orbitals.coefficients_of(3), atol=1e-15)
    found = fg.open_run(whole).ground_state()
    np.testing.assert_allclose(orbitals.energies, found.eigenvalues, atol=1e-12)


def test_squares_of_orbitals_are_the_density(tmp_path: Path) -> None:
    source = write_input(tmp_path)
    source.write_text(source.read_text() + "[output]\ndensity = true\n")
    run = fg.run(source, tmp_path / "run", pes=1)
    orbitals = Orbitals(run.path)
    fields = [orbitals.on_grid(number) for number in range(len(orbitals))]
    point = orbitals.volume / fields[0].size
    for field in fields:
        assert (field**2).sum() * point == pytest.approx(1.0, abs=1e-12)
    density = run.ground_state().density()
    # The engine rounds the density of a block to multiples of 2^-52.
    np.testing.assert_allclose(2 * sum(field**2 for field in fields), density, atol=1e-13)


def test_cube_files_of_orbitals(whole: Path, tmp_path: Path) -> None:
    target = fg.convert(whole, "cube", tmp_path / "homo.cube", orbital="homo")
    with target.open() as file:
        cube = read_cube(file)
    expected = Orbitals(whole).on_grid(15)
    np.testing.assert_allclose(cube["data"], expected, rtol=1e-4, atol=1e-6)  # six digits
    assert "orbital 16 of 16" in target.read_text().splitlines()[0]
    assert fg.convert(whole, "cube", orbital=2).name == "orbital_2.cube"


def test_orbitals_that_are_not_there_are_refused(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empty orbitals are not kept"):
        fg.convert(whole, "cube", tmp_path / "lumo.cube", orbital="lumo")
    with pytest.raises(InputError, match="only be written as a cube"):
        fg.convert(whole, "xyz", tmp_path / "x.xyz", orbital=1)
    orbitals = Orbitals(whole)
    for name in ("0", "17", "-1", "best", "²", "3-up", "homo-down"):
        with pytest.raises(InputError, match="no such orbital"):
            orbital_number(name, orbitals)
    assert orbital_number("16", orbitals) == orbital_number("HOMO", orbitals) == 15


def test_a_damaged_checkpoint_is_refused_with_the_one_before(tmp_path: Path) -> None:
    run = fg.run(write_input(tmp_path), tmp_path / "run", pes=1, stop_after=3)
    checkpoint = run.directory.checkpoint
    shutil.copy(checkpoint, checkpoint.with_name("checkpoint_previous.h5"))
    with checkpoint.open("r+b") as file:
        file.seek(3000)
        file.write(b"damage")
    with pytest.raises(InputError, match=r"damaged: its SHA-256.*the one before it is whole"):
        fg.resume(run.path, pes=1)
    with pytest.raises(InputError, match="damaged"):
        Orbitals(run.path)


def test_a_checkpoint_of_another_job_is_refused(whole: Path, tmp_path: Path) -> None:
    run = fg.run(write_input(tmp_path, shift=0.01), tmp_path / "run", pes=1, stop_after=2)
    shutil.copy(whole / "checkpoint.h5", run.directory.checkpoint)
    with pytest.raises(InputError, match="written by another job"):
        fg.resume(run.path, pes=1)


def test_a_start_that_cannot_be_used_is_a_problem_of_the_input(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither atomic nor random"):
        fg.run(write_input(tmp_path, "si", "nowhere"), tmp_path / "run")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="no such file of orbitals"):
        fg.run(write_input(tmp_path, "si", str(empty)), tmp_path / "run")
    other = tmp_path / "other"
    shutil.copytree(whole, other)
    with h5py.File(other / "checkpoint.h5", "r+") as file:  # without a seal from here on
        file.attrs["format"] = "another"
    with pytest.raises(InputError, match=r"holds no orbitals|is damaged"):
        fg.run(write_input(tmp_path, "si", str(other)), tmp_path / "run")


def test_orbitals_need_not_be_kept(tmp_path: Path) -> None:
    source = write_input(tmp_path)
    source.write_text(source.read_text() + "[output]\norbitals = false\n")
    run = fg.run(source, tmp_path / "run", pes=1, stop_after=2)
    assert not run.directory.checkpoint.exists()
    assert "not to keep orbitals" in run.outcome()
