# SPDX-License-Identifier: BSD-3-Clause
"""Results of a dynamics: tables, frames, summary, picture, and files of other programs."""

import json
from collections.abc import Callable
from pathlib import Path

import made_dynamics as made
import numpy as np
import pytest
from ab_initio_systems import INPUT, with_lines
from ase.io import read
from made_results import ENERGY
from typer.testing import Result

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.results.dynamics_run import dynamics_words

pytestmark = pytest.mark.pictures

Command = Callable[..., Result]

CP = with_lines(
    INPUT,
    "dynamics",
    'kind = "car-parrinello"',
    'timestep = "0.1 fs"',
    f"steps = {made.STEPS}",
    'temperature = "300 K"',
)
_in_ev_per_angstrom = units.hartree_in_ev / units.bohr_in_angstrom / units.force_in_kj_per_mol_nm


@pytest.fixture
def run(folder: Path) -> Path:
    """The folder of a run with results."""
    (folder / "water.toml").write_text(CP)
    return made.write_run(folder / "run", folder / "water.toml")


def test_a_run_of_a_dynamics_has_energies_frames_and_its_last_state(run: Path) -> None:
    found = fg.open_run(run)
    assert isinstance(found, fg.DynamicsRun)
    table = found.energies()
    assert tuple(table) == made.HEADINGS
    assert table["conserved energy (hartree)"][4] == made.row(4)[5]
    with found.trajectory() as frames:
        assert len(frames) == 3
        assert frames.forces()[1] == pytest.approx(made.forces(2), rel=1e-6)
        assert frames.positions(unwrap=True)[2] == pytest.approx(made.positions(4), abs=1e-6)
    assert found.ground_state().energy == ENERGY
    assert found.energy_drift == 2.5
    assert found.job.dynamics["kind"] == "car-parrinello"


def test_the_summary_names_means_drift_and_speed(run: Path) -> None:
    rows = dict(fg.open_run(run).summary())
    assert rows["steps"] == "4 (0.0004 ps)"
    assert rows["formula"] == "O H2"
    assert rows["speed"] == "17.3 ps/day, 0.5 s/step"  # 0.1 fs x 86 400 / 0.5
    assert rows["temperature"] == "303.0 K, mean of the later half"  # of steps 2, 3, 4
    assert rows["fictitious kinetic energy"] == "6.000e-04 hartree, mean of the later half"
    assert rows["conserved energy"] == "changes by 4.80e-03 hartree at most"
    assert rows["conserved energy drift"] == "2.50e+00 kJ/mol/ps/atom"
    assert rows["frames"] == "3 in trajectory.h5"
    assert rows["ground state of the start"].startswith("found in 3 iterations")


def test_a_run_without_a_result_is_summarised_as_far_as_it_got(run: Path) -> None:
    (run / "result.json").unlink()
    rows = dict(fg.open_run(run).summary())
    assert "ended without a result" in rows["state"]
    assert rows["frames"] == "3 in trajectory.h5"
    assert "temperature" in rows
    (run / "energies.csv").unlink()
    assert "temperature" not in dict(fg.open_run(run).summary())


def test_show_draws_energies_and_prints_json(run: Path, accepted: Command) -> None:
    answer = accepted("show", str(run))
    for name in ("energies", "observables"):
        assert (run / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "kJ/mol/ps/atom" in answer.output
    figures = json.loads(accepted("show", str(run), "--json").output)
    assert figures["energy_drift"] == 2.5
    assert figures["energy_drift_unit"] == "kJ/mol/ps/atom"
    assert figures["ground_state"]["converged"]


def test_extended_xyz_brings_frames_with_energies_forces_and_velocities(run: Path) -> None:
    target = fg.convert(run, "xyz", unwrap=True)
    assert target == run / "trajectory.xyz"
    frames = read(target, index=":")
    assert [atoms.info["step"] for atoms in frames] == [0, 2, 4]
    for atoms, step in zip(frames, (0, 2, 4), strict=True):
        energy = made.row(step)[2] * units.hartree_in_ev
        assert atoms.get_potential_energy() == pytest.approx(energy, rel=1e-9)
        assert atoms.get_forces() == pytest.approx(
            made.forces(step) * _in_ev_per_angstrom, abs=2e-7
        )
        assert atoms.get_positions() == pytest.approx(10 * made.positions(step), abs=1e-6)
        assert atoms.pbc.all()
    # What the file says of velocities is read back as an input's start.
    again = with_lines(CP.replace('temperature = "300 K"\n', ""), "system", "frame = 1")
    source = run.parent / "again.toml"
    (run.parent / "water.xyz").write_bytes(target.read_bytes())
    source.write_text(with_lines(again, "system", 'masses = { H = "2.014 Da" }'))
    job = fg.load(source, out=run.parent / "again.h5")
    speeds = job.velocities * units.speed_in_nm_per_ps
    assert speeds == pytest.approx(made.velocities(2), rel=1e-6)


def test_a_frame_between_rows_of_energies_has_forces_only(run: Path) -> None:
    lines = (run / "energies.csv").read_text().splitlines(keepends=True)
    (run / "energies.csv").write_text("".join(lines[:2]))
    atoms = read(fg.convert(run, "xyz", frame=1))
    assert atoms.get_forces() == pytest.approx(made.forces(2) * _in_ev_per_angstrom, abs=2e-7)
    assert "energy" not in atoms.calc.results


@pytest.mark.parametrize("to", ["xtc", "dcd"])
def test_binary_formats_hold_the_positions(run: Path, to: str) -> None:
    formats = pytest.importorskip("mdtraj.formats")
    target = fg.convert(run, to)
    kind = {"xtc": formats.XTCTrajectoryFile, "dcd": formats.DCDTrajectoryFile}[to]
    with kind(str(target)) as file:
        places = file.read()[0]
    with fg.open_run(run).trajectory() as frames:
        inside = frames.positions()
    scale = 0.1 if to == "dcd" else 1.0
    assert scale * places == pytest.approx(inside, abs=1e-3)


def test_a_cell_of_any_vectors_is_for_xyz_alone(run: Path) -> None:
    vectors = 0.5 * np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0.0]])
    made.write_trajectory(run / "trajectory.h5", [0, 2, 4], vectors)
    atoms = read(fg.convert(run, "xyz", unwrap=True), index=2)
    assert atoms.cell.array == pytest.approx(10 * vectors, abs=1e-6)
    assert atoms.get_positions() == pytest.approx(10 * made.positions(4), abs=1e-5)
    with pytest.raises(fg.InputError, match="not along x"):
        fg.convert(run, "dcd")


def test_what_is_not_there_is_refused(run: Path, folder: Path) -> None:
    with pytest.raises(fg.InputError, match="no such frame"):
        fg.convert(run, "xyz", frame=3)
    with pytest.raises(fg.InputError, match="name is of another format"):
        fg.convert(run, "xyz", out=folder / "frames.xtc")
    with pytest.raises(fg.InputError, match="no density"):
        fg.convert(run, "cube")
    with pytest.raises(fg.InputError, match="not a format"):
        fg.convert(run, "gro")
    (run / "trajectory.h5").unlink()
    with pytest.raises(fg.InputError, match="no such file"):
        fg.convert(run, "xyz")


def test_a_ground_state_has_no_trajectory(run: Path, folder: Path) -> None:
    (folder / "ground.toml").write_text(INPUT)
    import made_results

    ground = made_results.write_run(folder / "ground", folder / "ground.toml")
    with pytest.raises(fg.InputError, match="has no trajectory"):
        fg.convert(ground, "xtc")
    assert not isinstance(fg.open_run(ground), fg.DynamicsRun)


def test_the_live_line_tells_of_the_search_and_then_of_steps(run: Path) -> None:
    words = dynamics_words(fg.AbInitioJob(run))
    search = {"step": 0, "steps": 100, "evaluations": 3, "total_energy": -17.0, "residual": 1e-3}
    expected = "ground state of the start: iteration 2   E -17.000000 hartree   residual 1.0e-03"
    assert words(search, 0.0).startswith(expected)
    step = {
        "step": 50,
        "steps": 100,
        "evaluations": 0,
        "total_energy": -17.2,
        "residual": None,
        "fictitious_kinetic": 0.002,
        "temperature": 301.4,
        "energy_drift": 0.01,
    }
    line = words(step, 0.5)
    assert line.startswith("step 50/100  50%  17.3 ps/day")
    assert "E -17.200000 hartree   fictitious 2.00e-03 hartree   T 301 K" in line
    assert line.endswith("drift 1.0e-02 kJ/mol/ps/atom")
    assert "residual" not in line


def test_cite_names_the_scheme_and_the_baths(run: Path, folder: Path, command: Command) -> None:
    bibtex = command("cite", run).stdout
    assert "@article{car1985," in bibtex
    assert "martyna1992" not in bibtex
    (folder / "nose.toml").write_text(
        with_lines(CP, "dynamics", 'thermostat = "nose-hoover"', 'orthonormality = "free"')
    )
    other = made.write_run(folder / "nose", folder / "nose.toml")
    bibtex = command("cite", other).stdout
    assert "martyna1992" in bibtex
    assert "hutter1995" in bibtex
    text = CP.replace("car-parrinello", "born-oppenheimer")
    (folder / "ground.toml").write_text(
        with_lines(text, "dynamics", 'thermostat = "velocity-rescaling"')
    )
    bibtex = command("cite", made.write_run(folder / "ground", folder / "ground.toml")).stdout
    assert "kolafa2004" in bibtex
    assert "bussi2007" in bibtex
    assert "car1985" not in bibtex


def test_check_tells_of_the_time_of_steps(folder: Path, command: Command) -> None:
    (folder / "water.toml").write_text(CP)
    (folder / "ground.toml").write_text(CP.replace("car-parrinello", "born-oppenheimer"))
    answer = command("check", folder / "water.toml").stdout
    assert "car-parrinello, 4 steps of 0.1 fs (4.134 au), 0.4 fs" in answer
    assert "400 electron masses, more above 3 Ry; constrained to 1e-09" in answer
    assert "s each, as one iteration; all of them 0 s" in answer
    answer = command("check", folder / "ground.toml").stdout
    assert "predicted from 4 steps" in answer
    assert "as some 8 iterations" in answer
    answer = json.loads(command("check", folder / "water.toml", "--json").stdout)
    assert answer["dynamics"]["fictitious_mass"] == 400


def test_more_steps_may_be_asked_for(run: Path) -> None:
    job = fg.AbInitioJob(run)
    assert job.is_done({"finished": True, "steps": 4})
    job.set_steps(8)
    again = fg.AbInitioJob(run)
    assert again.steps == 8
    assert again.ground_state["iterations"] == 200
    assert not again.is_done({"finished": True, "steps": 4})
    assert f"finegrain resume {run} --steps 16" in again.goes_on_with(run)
