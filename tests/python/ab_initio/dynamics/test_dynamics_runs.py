# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics by the engine: what a run writes of orbitals and ions, from an input to other formats.

Eight silicon atoms with a low cutoff. Where they rest, the search for the ground state ends early,
so that the orbitals swing about it.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from ase import units as ase_units
from ase.io import read
from moving_silicon import silicon, write_silicon

import finegrain as fg
from finegrain import units

STEPS = 12


def write_input(folder: Path, *more: str, kind: str = "car-parrinello") -> Path:
    """Write an input of orbitals that move among ions at rest, with more lines of [dynamics]."""
    return write_silicon(
        folder,
        silicon(),
        "1e-3 hartree",
        "[dynamics]",
        f'kind = "{kind}"',
        'timestep = "0.1 fs"',
        f"steps = {STEPS}",
        *more,
    )


@pytest.fixture(scope="module")
def constrained(tmp_path_factory: pytest.TempPathFactory) -> fg.DynamicsRun:
    """A run with orbitals that constraints hold."""
    folder = tmp_path_factory.mktemp("constrained")
    run = fg.run(write_input(folder, 'ions = "rest"'), folder / "run", pes=1)
    assert isinstance(run, fg.DynamicsRun)
    return run


def test_a_run_writes_a_row_for_each_step(constrained: fg.DynamicsRun) -> None:
    table = constrained.energies()
    assert table["step"].tolist() == list(range(STEPS + 1))
    assert table["time (ps)"] == pytest.approx(1e-4 * np.arange(STEPS + 1), rel=1e-8)
    kinetic = table["fictitious kinetic energy (hartree)"]
    assert kinetic[0] == 0  # from rest
    potential, conserved = (
        table[f"{word} energy (hartree)"] for word in ("potential", "conserved")
    )
    assert conserved == pytest.approx(potential + kinetic, abs=1e-12)
    # The energy swings between both, and the sum stays.
    assert kinetic.max() > 20 * np.abs(conserved - conserved[0]).max()
    assert (table["ion kinetic energy (hartree)"] == 0).all()
    assert (table["temperature (K)"] == 0).all()
    # The terms add up.
    names = ("kinetic", "hartree", "local", "alpha", "nonlocal", "exchange-correlation", "ewald")
    total = sum(table[f"{name} (hartree)"] for name in names)
    assert total == pytest.approx(potential, abs=1e-10)


def test_a_run_tells_its_end_and_its_log_the_settings(constrained: fg.DynamicsRun) -> None:
    result = constrained.result
    assert result["finished"]
    assert result["steps"] == STEPS
    table = constrained.energies()
    assert result["total_energy"] == table["potential energy (hartree)"][-1]
    assert result["conserved_energy"] == table["conserved energy (hartree)"][-1]
    assert result["fictitious_kinetic"] == table["fictitious kinetic energy (hartree)"][-1]
    # Least squares over the rows, of eight atoms.
    slope = np.polyfit(table["time (ps)"], table["conserved energy (hartree)"], 1)[0]
    expected = slope * units.hartree_in_kj_per_mol / 8
    assert constrained.energy_drift == pytest.approx(expected, rel=1e-4)
    assert result["ns_per_day"] == pytest.approx(1e-7 * 86400 / result["seconds_per_step"])
    log = constrained.log()
    for words in ("car-parrinello", "0.1 fs", "400 electron masses", "longest time step"):
        assert words in log
    assert f"step {STEPS}: energy" in log
    with constrained.trajectory() as frames:
        assert len(frames) == 0
    rows = dict(constrained.summary())
    assert rows["steps"] == f"{STEPS} (0.0012 ps)"
    assert constrained.ground_state().energy == result["total_energy"]


def test_free_orbitals_not_threads_change_bits(constrained: fg.DynamicsRun, tmp_path: Path) -> None:
    source = write_input(tmp_path, 'ions = "rest"')
    two = fg.run(source, tmp_path / "two", pes=2)
    assert two.state_digest == constrained.state_digest
    assert (two.path / "energies.csv").read_bytes() == (
        constrained.path / "energies.csv"
    ).read_bytes()
    other = write_input(tmp_path, 'ions = "rest"', 'orthonormality = "free"', "reset_above = 1e-6")
    free = fg.run(other, tmp_path / "free", pes=1)
    assert free.state_digest != constrained.state_digest
    table = free.energies()
    assert table["made orthonormal"].max() == 1
    assert "orbitals made orthonormal" in free.log()
    # Both ways move the same orbitals, to the order of the time step.
    kinetic = "fictitious kinetic energy (hartree)"
    assert table[kinetic] == pytest.approx(constrained.energies()[kinetic], rel=0.05, abs=1e-6)


def test_pictures_are_drawn(constrained: fg.DynamicsRun) -> None:
    from finegrain.ab_initio.results.of_run import finish

    finish(constrained.directory, constrained.job)
    assert constrained.directory.picture.read_bytes().startswith(b"\x89PNG")


def test_one_evaluation_has_no_dynamics(constrained: fg.DynamicsRun, tmp_path: Path) -> None:
    source = write_input(tmp_path, 'ions = "rest"')
    found = fg.energy(source, pes=1)
    first = constrained.energies()["potential energy (hartree)"][0]
    assert found.energies["total"] == pytest.approx(first, abs=1e-9)


def test_rows_may_be_fewer(tmp_path: Path) -> None:
    text = write_input(tmp_path, 'ions = "rest"').read_text()
    source = tmp_path / "few.toml"
    source.write_text(text + "[output]\nenergy_interval = 5\n")
    run = fg.run(source, tmp_path / "few", pes=1)
    assert run.energies()["step"].tolist() == [0, 5, 10]
    assert run.result["steps"] == STEPS
    assert json.loads((run.path / "result.json").read_text())["finished"]


@pytest.mark.parametrize("kind", ["car-parrinello", "born-oppenheimer"])
def test_ions_that_move_are_in_the_table_and_in_the_frames(tmp_path: Path, kind: str) -> None:
    text = write_input(tmp_path, 'temperature = "300 K"', kind=kind).read_text()
    source = tmp_path / "moving.toml"
    source.write_text(
        text.replace('"1e-3 hartree"', '"1e-6 hartree"') + "[output]\ntrajectory_interval = 1\n"
    )
    run = fg.run(source, tmp_path / "run", pes=1)
    assert isinstance(run, fg.DynamicsRun)
    table = run.energies()
    assert table["temperature (K)"][0] == pytest.approx(300, rel=1e-9)
    conserved = table["conserved energy (hartree)"]
    kinetic = table["ion kinetic energy (hartree)"]
    # Far below the energy that goes from the motion of the ions into the potential.
    assert np.abs(conserved - conserved[0]).max() < 0.02 * np.ptp(kinetic)
    frames = read(fg.convert(run, "xyz", unwrap=True), index=":")
    assert [atoms.info["step"] for atoms in frames] == [*range(STEPS + 1)]
    start = read(tmp_path / "si.xyz")
    assert frames[0].get_positions() == pytest.approx(start.get_positions(), abs=1e-5)
    for row, atoms in enumerate(frames):
        energy = table["potential energy (hartree)"][row] * units.hartree_in_ev
        assert atoms.get_potential_energy() == pytest.approx(energy, rel=1e-9)
        in_ev = kinetic[row] * units.hartree_in_ev
        assert atoms.get_kinetic_energy() == pytest.approx(in_ev, rel=1e-5)
    # The work of the forces is the change of the kinetic energy, by the trapezoidal rule.
    power = np.array([float((a.get_forces() * a.get_velocities()).sum()) for a in frames])
    work = (power[1:] + power[:-1]).sum() / 2 * 0.1 * ase_units.fs
    gained = frames[-1].get_kinetic_energy() - frames[0].get_kinetic_energy()
    assert work == pytest.approx(gained, rel=0.01)
    # The last state is in ground_state.h5, with its positions.
    last = run.ground_state()
    assert last.energy == pytest.approx(table["potential energy (hartree)"][-1], abs=1e-9)
    moved = last.positions * units.bohr_in_angstrom
    assert moved == pytest.approx(frames[-1].get_positions(), abs=1e-5)


@pytest.mark.parametrize("kind", ["car-parrinello", "born-oppenheimer"])
def test_a_stopped_run_is_resumed_to_the_same_bits(tmp_path: Path, kind: str) -> None:
    source = write_input(tmp_path, 'temperature = "300 K"', kind=kind)
    whole = fg.run(source, tmp_path / "whole", pes=1)
    assert not fg.run(source, tmp_path / "parts", pes=2, stop_after=5).finished
    parts = fg.resume(tmp_path / "parts", pes=1)
    assert parts.state_digest == whole.state_digest
    # The time of a step is that of the steps of the last part, not of the seconds before.
    steps = parts.result["steps"] - 5
    assert 0 < parts.result["seconds_per_step"] * steps <= parts.result["seconds"]
    assert (tmp_path / "parts/energies.csv").read_text() == (
        tmp_path / "whole/energies.csv"
    ).read_text()
