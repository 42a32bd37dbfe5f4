# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics that go wrong: what is said before, while it happens and at the end; what is kept."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ase import Atoms, units as ase_units
from ase.io import write
from moving_silicon import SCHEMES, job_of, write_input
from process_runs import needs_any

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.preparation.job import make_job
from finegrain.files.seal import is_whole
from finegrain.runs.checkpoints import step_of_checkpoint

# Hartwigsen, Goedecker and Hutter, Phys. Rev. B 58, 3641 (1998), as CP2K prints it.
HYDROGEN = """\
H GTH-PADE-q1
    1
     0.20000000    2    -4.18023680     0.72507482
    0
"""
# Lets all waves swing alike from a low energy on, so that the orbital energies count.
LIGHT_WAVES = 'fictitious_mass_cutoff = "0.5 Ry"'


def rows(out: Path) -> list[int]:
    """Return the steps in the table of energies."""
    with (out / "energies.csv").open() as file:
        return [int(row[0]) for row in list(csv.reader(file))[1:]]


def unstable_job(folder: Path, *more: str) -> Path:
    """Make a job of free orbitals whose time step is too long."""
    source = with_timestep(write_input(folder, "free", 400, LIGHT_WAVES, *more), "1.18 fs")
    job = folder / "job.h5"
    make_job(source, job)
    return job


def with_timestep(source: Path, timestep: str) -> Path:
    """Change the time step of an input."""
    source.write_text(source.read_text().replace('"0.1 fs"', f'"{timestep}"'))
    return source


@pytest.mark.parametrize("scheme", SCHEMES)
def test_without_a_ground_state_no_step_is_made(tmp_path: Path, scheme: str) -> None:
    source = write_input(tmp_path, scheme, 4)
    source.write_text(source.read_text().replace("[objects]", "iterations = 2\n[objects]"))
    with pytest.raises(fg.NumericsError, match="did not converge") as caught:
        fg.run(source, tmp_path / "run", pes=1)
    assert "after 2 iterations" in str(caught.value)
    assert f'iterations = 4, with start = "{tmp_path / "run"}"' in caught.value.hint
    assert rows(tmp_path / "run") == []
    shown = dict(fg.open_run(tmp_path / "run").summary())
    assert shown["ground state of the start"].startswith("NOT converged in 2 iterations")
    assert "resume" not in shown["continue with"]  # it would end in the same way
    assert "more [ground_state] iterations and start" in shown["continue with"]


def test_a_start_beside_the_ground_state_is_said(tmp_path: Path) -> None:
    source = write_input(tmp_path, "constrained", 2, tolerance="2e-3 hartree")
    run = fg.run(source, tmp_path / "run", pes=1)
    (warning,) = run.result["warnings"]
    assert "the orbitals begin beside their ground state" in warning
    assert warning in " ".join((run.path / "run.log").read_text().split())
    assert "beside their ground state" in dict(run.summary())["warning"]


def test_the_log_says_what_the_orbital_energies_allow(tmp_path: Path) -> None:
    run = fg.run(write_input(tmp_path, "constrained", 1), tmp_path / "run", pes=1)
    log = run.log()
    assert "longest time step: about" in log
    assert not run.result["warnings"]


def test_a_step_that_the_orbital_energies_rule_out_is_refused(tmp_path: Path) -> None:
    source = with_timestep(write_input(tmp_path, "constrained", 4, LIGHT_WAVES), "1.3 fs")
    with pytest.raises(fg.NumericsError) as caught:
        fg.run(source, tmp_path / "run", pes=1)
    text = str(caught.value)
    assert "the time step is too long for the fastest orbitals" in text
    assert "1.3 fs" in text
    assert "as the orbital energies give it" in text
    assert rows(tmp_path / "run") == []


@needs_any
def test_an_unstable_run_names_the_step_and_keeps_its_checkpoint(tmp_path: Path) -> None:
    job = unstable_job(tmp_path)
    with pytest.raises(fg.NumericsError) as caught:
        fg.run(job, tmp_path / "alone", pes=1)
    text = str(caught.value)
    assert "of the dynamics" in text
    alone = tmp_path / "alone"
    last = rows(alone)[-1]
    assert f"step {last} of the dynamics" in text or f"step {last + 1} of the dynamics" in text
    log = " ".join((alone / "run.log").read_text().split())
    assert f"step {last}" in log
    assert "the conserved energy has changed by" in log
    # A run that continues from before ends in the same way at the same step, also on processes;
    # what it began from is still there.
    parts = tmp_path / "parts"
    stop = last // 2
    assert not fg.run(job, parts, pes=2, stop_after=stop).finished
    before = (parts / "checkpoint.h5").read_bytes()
    for shape in ({"pes": 1}, {"pes": 1, "ranks": 2}):
        with pytest.raises(fg.NumericsError) as again:
            fg.resume(parts, **shape)
        assert str(again.value) == text
        assert (parts / "energies.csv").read_bytes() == (alone / "energies.csv").read_bytes()
        assert (parts / "checkpoint.h5").read_bytes() == before
    assert step_of_checkpoint(parts / "checkpoint.h5") == stop


def test_the_last_checkpoint_of_a_run_that_went_wrong_is_of_before(tmp_path: Path) -> None:
    """The checkpoint is of a step before the last one: it leads to the same end."""
    job = unstable_job(tmp_path, "[output]", 'checkpoint_interval = "0.02 s"')
    assert not fg.run(job, tmp_path / "run", pes=1, stop_after=2).finished  # so there is one
    with pytest.raises(fg.NumericsError) as first:
        fg.resume(tmp_path / "run", pes=1)
    checkpoint = tmp_path / "run/checkpoint.h5"
    assert is_whole(checkpoint)
    assert 2 <= step_of_checkpoint(checkpoint) < rows(tmp_path / "run")[-1]
    with pytest.raises(fg.NumericsError) as again:
        fg.resume(tmp_path / "run", pes=1)
    assert str(again.value) == str(first.value)


def test_the_command_names_trouble_in_its_line_of_progress(tmp_path: Path) -> None:
    source = unstable_job(tmp_path)
    words = [sys.executable, "-m", "finegrain", "run", str(source), "--out", "run", "--pes", "1"]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 3
    assert done.stderr.count("numerical error") == 1
    assert "of the dynamics" in done.stderr


def test_a_mass_that_mixes_with_the_ions_is_warned_of_and_shows(tmp_path: Path) -> None:
    """Orbitals as heavy as protons: they take most of the ions' motion."""
    job = job_of(tmp_path, "constrained", 80, "fictitious_mass = 60000")
    seen: list[str] = []
    run = fg.run(
        job, tmp_path / "run", pes=1, on_progress=lambda at: seen.append(str(at["trouble"]))
    )
    before, hot, *_ = run.result["warnings"]
    assert (
        "with this fictitious mass the slowest orbitals are faster than the fastest ions" in before
    )
    assert "orbitals are hot" in hot
    table = run.energies()
    found = re.match(r"step (\d+): ", hot)
    assert found is not None
    step = int(found.group(1))
    mean = table["fictitious kinetic energy (hartree)"][step - 49 : step + 1].mean()
    assert f"{mean:.3g} hartree, that of the ions" in hot
    assert any("orbitals are hot" in one for one in seen)


def test_an_ion_that_flies_off_is_named(tmp_path: Path) -> None:
    """Two hydrogens are shot at each other: the run ends, and says which one at which step."""
    atoms = Atoms("H2", [(3.5, 4, 4), (4.5, 4, 4)], cell=[8, 8, 8], pbc=True)
    speed = 0.03 * ase_units.Bohr / (units.time_in_fs * ase_units.fs)  # bohr/au
    atoms.set_velocities([(speed, 0, 0), (-speed, 0, 0)])
    write(tmp_path / "h2.xyz", atoms, format="extxyz")
    (tmp_path / "GTH").write_text(HYDROGEN)
    lines = [
        "[system]",
        'kind = "ab-initio"',
        'structure = "h2.xyz"',
        "[electrons]",
        'cutoff = "8 Ry"',
        'functional = "LDA"',
        'pseudopotentials = { H = "GTH" }',
        "allow_low_cutoff = true",
        "[dynamics]",
        'kind = "born-oppenheimer"',
        'timestep = "0.5 fs"',  # 20.7 au
        "steps = 5",
        'velocities = "from-file"',
    ]
    (tmp_path / "h2.toml").write_text("\n".join(lines) + "\n")
    with pytest.raises(fg.NumericsError) as caught:
        fg.run(tmp_path / "h2.toml", tmp_path / "run", pes=1)
    text = str(caught.value)
    assert "an ion moves too far in one step" in text
    assert "step 1 of the dynamics, ion " in text
    assert "(H)" in text
    assert rows(tmp_path / "run") == [0]
