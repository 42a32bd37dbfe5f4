# SPDX-License-Identifier: BSD-3-Clause
"""Dispersion where the ions move to: a program beside the run finds it.

Eight silicon atoms at a low cutoff, with a pseudopotential of another functional, which does not
matter here: what counts is the sum of both energies, and that it is the same everywhere.
"""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import h5py
import numpy as np
import pytest
from moving_dispersion import METHOD, calculator, with_dispersion
from moving_silicon import SCHEMES, silicon, write_input, write_silicon
from process_runs import needs_any

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.dispersion import companion
from finegrain.ab_initio.dispersion.model import Found, Method, make_model
from finegrain.ab_initio.preparation.job import make_job
from finegrain.ab_initio.states.evaluation import energies
from finegrain.engine.engine import load_engine

TERM = "dispersion (hartree)"


@contextmanager
def started(method: Method) -> Iterator[tuple[socket.socket, subprocess.Popen[bytes]]]:
    """Start the program with one end of a socket, as the engine does."""
    here, there = socket.socketpair()
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(companion.command_of(method), stdin=there, env=one_thread) as process:
        there.close()
        try:
            yield here, process
        finally:
            here.close()


def test_the_program_answers_as_the_library_and_ends_with_its_engine() -> None:
    atoms = silicon()
    elements = np.array(atoms.numbers, np.int32)
    vectors = atoms.cell.array / 0.529177
    with started(METHOD) as (channel, process):
        assert companion.read_frame(channel) == companion.Frame(companion.READY, 0, b"")
        companion.write_frame(channel, companion.Frame(companion.ELEMENTS, 0, elements.tobytes()))
        for number in (1, 2):
            position = atoms.positions / 0.529177 + 0.1 * number
            position[0] += 0.2 * number
            data = np.concatenate((vectors, position)).tobytes()
            companion.write_frame(channel, companion.Frame(companion.GEOMETRY, number, data))
            answer = companion.read_frame(channel)
            assert (answer.kind, answer.number) == (companion.ANSWERED, number)
            found = np.frombuffer(answer.data, np.float64)
            expected = make_model(METHOD, elements)(position, vectors)
            # The library's sums over threads may differ here in their last bits.
            assert found[0] == pytest.approx(expected.energy, rel=1e-13)
            assert found[1:-9].reshape(-1, 3) == pytest.approx(expected.forces, abs=1e-15)
            assert found[-9:].reshape(3, 3) == pytest.approx(expected.strain, abs=1e-14)
        channel.close()
        assert process.wait(timeout=60) == 0


def test_what_the_library_refuses_reaches_the_engine() -> None:
    def make(_method: Method, _elements: np.ndarray) -> companion.Model:
        def refuse(_position: np.ndarray, _vectors: np.ndarray) -> Found:
            raise RuntimeError("no parameters")

        return refuse

    here, there = socket.socketpair()
    with here, there:
        companion.write_frame(here, companion.Frame(companion.ELEMENTS, 0, bytes(4)))
        data = np.concatenate((20 * np.eye(3), np.zeros((1, 3)))).tobytes()
        companion.write_frame(here, companion.Frame(companion.GEOMETRY, 1, data))
        here.shutdown(socket.SHUT_WR)
        companion.serve(there, METHOD, make)
        assert companion.read_frame(here).kind == companion.READY
        expected = companion.Frame(companion.REFUSED, 1, b"no parameters")
        assert companion.read_frame(here) == expected


def test_forces_elsewhere_are_derivatives_of_the_energy(tmp_path: Path) -> None:
    source = with_dispersion(write_input(tmp_path, "born-oppenheimer", 1))
    source.write_text(source.read_text().replace("1e-4 hartree", "1e-8 hartree"))
    job = tmp_path / "job.h5"
    make_job(source, job)
    with h5py.File(job) as file:
        position, vectors = file["ions/position"][...], file["cell/vectors"][...]
        stored = float(file["dispersion"].attrs["energy"])
    evaluator = load_engine().Evaluator(str(job), pes=1)
    crystal = SimpleNamespace(boundary="periodic", cell=vectors, removes_net_force=False)

    def at(place: np.ndarray) -> fg.Energies:
        return energies(evaluator.energy(place), crystal)

    # At the positions of the job the number is that of the job.
    assert at(position).energies["dispersion"] == pytest.approx(stored, rel=1e-14)
    position[0] += (0.3, 0.1, -0.2)
    here = at(position)
    part = make_model(METHOD, np.full(8, 14, np.int32))(position, vectors)
    assert here.energies["dispersion"] == pytest.approx(part.energy, rel=1e-12)
    assert abs(part.energy - stored) > 1e-5
    step, move = 0.02, np.zeros_like(position)
    move[0, 0] = 1.0
    near, far = (
        at(position + k * step * move).total - at(position - k * step * move).total for k in (1, 2)
    )
    slope = (8 * near - far) / (12 * step)
    # Energies are found to 1e-9 or so; without the dispersion the force would miss by `part`.
    assert here.forces[0, 0] == pytest.approx(-slope, abs=2e-6)
    assert abs(part.forces[0, 0]) > 2e-5


def test_the_calculator_of_ase_has_that_of_each_geometry(tmp_path: Path) -> None:
    write_silicon(tmp_path, silicon(), "1e-6 hartree")

    tight = {"tolerance": "1e-8 hartree", "energy_tolerance": "1e-13 hartree"}
    atoms = silicon()
    atoms.calc = calculator(tmp_path, ground_state=tight, pes=2)
    bohr = units.bohr_in_angstrom
    model = make_model(METHOD, np.array(atoms.numbers, np.int32))
    terms = []
    for move in ((0.0, 0.0, 0.0), (0.3, 0.1, -0.2), (-0.4, 0.0, 0.1)):
        atoms.positions[0] += move
        alone = atoms.copy()
        # A job of this geometry, in which its dispersion is stored.
        alone.calc = calculator(tmp_path, ground_state=tight, pes=2)
        kept, new = atoms.get_forces(), alone.get_forces()
        part = model(atoms.positions / bohr, atoms.cell.array / bohr)
        for one in (atoms, alone):
            terms.append(one.calc.evaluation.energies["dispersion"])
            assert terms[-1] == pytest.approx(part.energy, rel=1e-12)
        assert atoms.get_potential_energy() == pytest.approx(alone.get_potential_energy(), abs=1e-9)
        # Forces are of first order in the residual.
        assert kept == pytest.approx(new, abs=2e-5)
        assert atoms.get_stress() == pytest.approx(alone.get_stress(), abs=1e-6)
        alone.calc.close()
    # What must not be that of the first geometry.
    assert np.abs(part.forces).max() * units.hartree_in_ev / bohr > 5e-4
    assert np.abs(part.strain).max() / alone.get_volume() * units.hartree_in_ev > 1e-4
    assert abs(terms[0] - terms[2]) > 1e-5
    assert abs(terms[2] - terms[4]) > 1e-5


@needs_any
@pytest.mark.parametrize("scheme", SCHEMES)
def test_any_threads_and_processes_have_the_same_bits(
    jobs: dict[str, Path], alone: dict[str, fg.Run], tmp_path: Path, scheme: str
) -> None:
    rows = (alone[scheme].path / "energies.csv").read_bytes()
    term = alone[scheme].energies()[TERM]
    assert np.ptp(term) > 1e-8
    assert len(set(term)) == len(term)
    for ranks, pes in ((1, 3), (2, 2)):
        run = fg.run(jobs[scheme], tmp_path / f"{ranks}", ranks=ranks, pes=pes)
        assert run.state_digest == alone[scheme].state_digest
        assert (run.path / "energies.csv").read_bytes() == rows


@needs_any
@pytest.mark.parametrize("scheme", ["free", "born-oppenheimer"])
def test_a_stopped_run_goes_on_to_the_same_bits(
    jobs: dict[str, Path], alone: dict[str, fg.Run], tmp_path: Path, scheme: str
) -> None:
    fg.run(jobs[scheme], tmp_path / "run", ranks=2, pes=1, stop_after=2)
    again = fg.resume(tmp_path / "run", pes=2)
    assert again.state_digest == alone[scheme].state_digest
    there = alone[scheme].path / "energies.csv"
    assert (again.path / "energies.csv").read_bytes() == there.read_bytes()


def test_the_first_row_is_that_of_the_job(jobs: dict[str, Path], alone: dict[str, fg.Run]) -> None:
    for scheme, job in jobs.items():
        with h5py.File(job) as file:
            assert alone[scheme].energies()[TERM][0] == pytest.approx(
                float(file["dispersion"].attrs["energy"]), abs=1e-12
            )


def test_the_energy_is_conserved_in_a_cell_that_moves(tmp_path: Path) -> None:
    source = write_silicon(
        tmp_path,
        silicon(0.96, 0.03),
        "1e-6 hartree",
        "[dynamics]",
        'kind = "born-oppenheimer"',
        'timestep = "0.5 fs"',
        "steps = 30",
        'velocities = "zero"',
        'cell = "full"',
        'cell_mass = "20 Da"',
    )
    run = fg.run(with_dispersion(source), tmp_path / "run", pes=1)
    table = run.energies()
    conserved, term = table["conserved energy (hartree)"], table[TERM]
    # Without its forces and its stress the sum would follow the term.
    assert np.ptp(term) > 2e-4
    assert np.ptp(conserved) < 0.02 * np.ptp(term)
