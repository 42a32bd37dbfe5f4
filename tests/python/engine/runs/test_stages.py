# SPDX-License-Identifier: BSD-3-Clause
"""A run in stages: each starts where the one before ended, and stops and resumes with its bits."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import openmm
import pytest
from engine_jobs import WATER_BOX, openmm_system
from mdtraj.formats import XTCTrajectoryFile
from tilted_systems import rhombic_dodecahedron, water_files

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.classical.staged_run import clear_stages
from finegrain.files.seal import seal
from finegrain.runs.checkpoints import read_checkpoint
from finegrain.units import bohr_in_nm

TEXT = f"""\
[system]
kind = "classical"
topology = "water.xml"
coordinates = "{WATER_BOX}"

[forces]
cutoff = "7 Å"
switch = "off"
mesh = [36, 36, 36]
spline_order = 4
ewald_coefficient = "0.4 1/Å"

[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = 60
temperature = "300 K"

[output]
energy_interval = 20
trajectory_interval = 20

[[restraints]]
atoms = "1-300"
force_constant = "1000 kJ/mol/nm^2"

[[stages]]
name = "minimise"
[stages.minimise]
steps = 20
[stages.dynamics]
steps = 0

[[stages]]
name = "heat"
[stages.dynamics]
temperature = ["100 K", "300 K"]

[[stages]]
name = "equilibrate"
[[stages.restraints]]
atoms = "name O"
force_constant = "100 kJ/mol/nm^2"

[[stages]]
name = "produce"
restraints = "none"
[stages.dynamics]
ensemble = "nve"
steps = 80
"""
FOLDERS = ["1-minimise", "2-heat", "3-equilibrate", "4-produce"]


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stages")
    xml = openmm.XmlSerializer.serialize(openmm_system("water"))
    (folder / "water.xml").write_text(xml, encoding="utf-8")
    (folder / "in.toml").write_text(TEXT, encoding="utf-8")
    return folder / "in.toml"


@pytest.fixture(scope="module")
def whole(water: Path) -> fg.StagedRun:
    run = fg.run(water, water.parent / "whole", pes=2)
    assert isinstance(run, fg.StagedRun)
    return run


def test_every_stage_starts_where_the_one_before_ended(whole: fg.StagedRun) -> None:
    assert whole.finished
    assert [run.path.name for run in whole.stages] == FOLDERS
    assert [run.result["steps"] for run in whole.stages] == [0, 60, 60, 80]
    for place in range(1, 4):
        before, run = whole.stages[place - 1], whole.stages[place]
        state = read_checkpoint(before.path / "checkpoint.h5")
        np.testing.assert_allclose(run.job.positions, state.unwrapped(), rtol=1e-14)
        if place > 1:  # the minimisation hands no velocities on
            np.testing.assert_allclose(run.job.velocities, state.velocities, rtol=1e-14)
            energy = "kinetic energy (kJ/mol)"
            first, last = run.energies()[energy][0], before.energies()[energy][-1]
            # Under Langevin dynamics velocities are half a kick behind positions, and their part
            # along constraints is taken off at the start.
            assert first == pytest.approx(last, rel=0.05)
    assert whole.stages[1].job.dynamics["velocities"] == "drawn"
    assert whole.stages[2].job.dynamics["velocities"] == "given"


def test_the_bath_is_warmed_and_restraints_are_those_of_each_stage(whole: fg.StagedRun) -> None:
    assert [run.job.restraints for run in whole.stages] == [300, 300, 501, 0]
    heat = whole.stages[1].job.dynamics
    assert heat["ramp_steps"] == 60
    assert heat["final_temperature"] == pytest.approx(3 * heat["temperature"])
    assert "100 K to 300 K over 60 steps" in whole.stages[1].log()
    assert "restraint (kJ/mol)" in whole.stages[2].energies()
    assert "restraint (kJ/mol)" not in whole.stages[3].energies()
    # References are where the atoms were before any stage.
    with h5py.File(whole.stages[2].path / "job.h5") as file:
        second = file["restraints/reference"][...]
    with h5py.File(whole.stages[0].path / "job.h5") as file:
        np.testing.assert_array_equal(second[0], file["restraints/reference"][0])


def test_a_try_runs_all_stages_with_a_share_of_their_steps(water: Path, tmp_path: Path) -> None:
    with pytest.warns(fg.InputNote, match=r"every stage makes 0\.1 of its steps"):
        run = fg.run(water, tmp_path / "try", pes=1, scale=0.1)
    assert run.finished
    assert [stage.result["steps"] for stage in run.stages] == [0, 6, 6, 8]
    assert len(run.stages[3].energies()["step"]) == 5  # every two steps, and the start


@pytest.mark.parametrize("scale", [0, -1, 1.5, "much", float("nan")])
def test_a_share_that_is_none_is_refused(water: Path, tmp_path: Path, scale: object) -> None:
    with pytest.raises(fg.InputError, match="no share of the steps"):
        fg.run(water, tmp_path / "try", scale=scale)  # type: ignore[arg-type]
    assert not (tmp_path / "try").exists()


def test_a_run_without_stages_takes_steps_instead(water: Path, tmp_path: Path) -> None:
    plain = water.with_name("plain.toml")
    plain.write_text(TEXT[: TEXT.index("[[stages]]")], encoding="utf-8")
    with pytest.raises(fg.InputError, match="is for an input with stages") as caught:
        fg.run(plain, tmp_path / "plain", scale=0.1)
    assert caught.value.problems[0].hint == "--steps N sets the steps of this one"


@pytest.mark.parametrize("stop", [30, 60, 150])
def test_a_stop_changes_no_bit(water: Path, whole: fg.StagedRun, tmp_path: Path, stop: int) -> None:
    run = fg.run(water, tmp_path / "run", pes=1, stop_after=stop)
    assert not run.finished
    begun = [stage.path.name for stage in run.stages]
    assert begun == FOLDERS[: 2 + (stop > 60) + (stop > 120)]
    kept = {stage.path: (stage.path / "result.json").stat().st_mtime_ns for stage in run.stages}
    again = fg.resume(run, pes=2)
    assert again.finished
    assert again.state_digest == whole.state_digest
    for stage in again.stages[: len(begun) - 1]:  # finished stages are not run again
        assert (stage.path / "result.json").stat().st_mtime_ns == kept[stage.path]
    for one, other in zip(again.stages, whole.stages, strict=True):
        assert one.result["state_digest"] == other.result["state_digest"]


def test_a_resume_needs_no_input_files(water: Path, whole: fg.StagedRun, tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(TEXT)
    (tmp_path / "water.xml").write_bytes((water.parent / "water.xml").read_bytes())
    run = fg.run(tmp_path / "in.toml", tmp_path / "run", pes=2, stop_after=30)
    (tmp_path / "water.xml").unlink()
    (tmp_path / "in.toml").unlink()
    assert fg.resume(run, pes=2).state_digest == whole.state_digest


def test_the_frames_of_all_stages_are_one_trajectory(whole: fg.StagedRun, tmp_path: Path) -> None:
    path = fg.convert(whole, "xtc", tmp_path / "x.xtc", unwrap=True)
    with XTCTrajectoryFile(str(path)) as file:
        place, times, steps, _ = file.read()
    assert steps.tolist() == list(range(0, 201, 20))  # each state once
    np.testing.assert_allclose(times, 0.002 * steps, rtol=1e-6)
    found = 0
    for before, stage in zip((0, 0, 60, 120), whole.stages, strict=True):
        with stage.trajectory() as trajectory:
            for frame in trajectory:
                at = steps.tolist().index(before + frame.step)
                # molecules of the joined file are whole, their first atoms are where they went
                mine, theirs = place[at][::3], frame.unwrapped()[::3]
                np.testing.assert_allclose(mine, theirs, atol=2e-3)
                found += 1
    assert found == 11 + 3  # the first frame of a later stage is the last one before it
    assert fg.convert(whole, "gro").parent == whole.path
    assert (
        fg.convert(whole, "gro", tmp_path / "x.gro")
        .read_text()
        .splitlines()[0]
        .endswith("t= 0.400000 step= 200")
    )


def test_the_joined_trajectory_goes_with_the_run(whole: fg.StagedRun, tmp_path: Path) -> None:
    copy = shutil.copytree(whole.path, tmp_path / "copy")
    joined = fg.convert(copy, "xyz", frame=-1)
    assert joined.parent == copy
    clear_stages(copy)
    assert not joined.exists()


def test_what_is_complete_or_there_is_refused(water: Path, whole: fg.StagedRun) -> None:
    with pytest.raises(fg.InputError, match="all stages are complete"):
        fg.resume(whole)
    with pytest.raises(fg.InputError, match="holds a run in stages"):
        fg.run(water, whole.path)
    with pytest.raises(fg.InputError, match="is a run of several stages") as caught:
        fg.Run(whole.path)
    assert str(whole.path / "4-produce") in caught.value.hint
    assert fg.open_run(whole.path).state_digest == whole.state_digest
    for call in (
        lambda: fg.run(water, whole.path / "no", steps=5),
        lambda: fg.resume(whole, steps=5),
    ):
        with pytest.raises(fg.InputError, match="no number of steps of its own"):
            call()
    for call in (lambda: fg.load(water), lambda: fg.energy(water)):
        with pytest.raises(fg.InputError, match="has stages"):
            call()


def test_a_stage_changed_later_is_refused(water: Path, tmp_path: Path, whole: fg.StagedRun) -> None:
    run = fg.run(water, tmp_path / "run", pes=2, stop_after=150)
    fg.resume(run.path / "2-heat", steps=80, pes=2)
    with pytest.raises(fg.InputError, match="no longer ends in") as caught:
        fg.resume(run)
    assert "3-equilibrate" in caught.value.where
    assert whole.finished


def test_an_overwritten_run_leaves_no_stages(water: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    fg.run(water, out, pes=2, stop_after=30)
    (out / "2-heat" / "mine.txt").write_text("a note")
    short = TEXT.partition("[[stages]]")[0].replace("steps = 60", "steps = 20")
    (water.parent / "plain.toml").write_text(short)
    with pytest.raises(fg.InputError, match="holds a run in stages"):
        fg.run(water.parent / "plain.toml", out)
    fg.run(water.parent / "plain.toml", out, overwrite=True, pes=2)
    assert not (out / "stages.json").exists()
    assert not (out / "1-minimise").exists()
    assert [file.name for file in (out / "2-heat").iterdir()] == ["mine.txt"]


def test_a_plain_run_in_the_folder_of_a_stage_is_not_lost(water: Path, tmp_path: Path) -> None:
    short = TEXT.partition("[[stages]]")[0].replace("steps = 60", "steps = 20")
    (water.parent / "plain.toml").write_text(short)
    out = tmp_path / "run"
    plain = fg.run(water.parent / "plain.toml", out / "2-heat", pes=2)
    with pytest.raises(fg.InputError, match="holds the results of an earlier run"):
        fg.run(water, out)
    assert plain.finished


def command(*words: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "finegrain", *map(str, words)]
    return subprocess.run(line, check=False, capture_output=True, text=True)


def test_the_commands_show_all_stages(water: Path, whole: fg.StagedRun, tmp_path: Path) -> None:
    shown = command("show", whole.path)
    assert shown.returncode == 0, shown.stderr
    assert [line.split()[0] for line in shown.stdout.splitlines()[2:]] == FOLDERS
    assert shown.stdout.count("finished") == 4
    temperatures = [row[4] for row in whole.table()[2:]]
    assert all(50 < float(kelvin) < 500 for kelvin in temperatures)
    assert all(kelvin in shown.stdout for kelvin in temperatures)
    out = tmp_path / "run"
    stopped = command("run", water, "--out", out, "--pes", "2", "--stop-after", "70", "--json")
    assert stopped.returncode == 75, stopped.stderr
    answer = json.loads(stopped.stdout)
    states = [stage["state"] for stage in answer["stages"]]
    assert states == ["finished", "finished", "stopped", "waits"]
    assert answer["finished"] is False
    done = command("resume", out, "--pes", "2", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["state_digest"] == whole.state_digest
    assert answer["stages"][3]["steps"] == 80
    checked = command("check", water)
    assert checked.returncode == 0, checked.stderr
    assert "100 K to 300 K" in checked.stdout
    assert "restraints: none" in checked.stdout


def test_a_box_that_has_changed_goes_to_the_next_stage(water: Path, tmp_path: Path) -> None:
    """References follow it as far as they should, and patches do not get too thin."""
    text = TEXT.replace("stages.restraints", "stages.forgotten").partition("[[stages.forgotten]]")
    text = text[0] + text[2].partition("[[stages]]")[1] + text[2].partition("[[stages]]")[2]
    scaled = 'atoms = "1-300"\nreference_scaling = "com"'
    path = water.parent / "scaled.toml"
    path.write_text(text.replace('atoms = "1-300"', scaled))
    staged = fg.run(path, tmp_path / "run", pes=2, stop_after=60)
    assert isinstance(staged, fg.StagedRun)
    before, folder = staged.folders[1:3]
    with h5py.File(folder.job) as file:
        old = {
            name: file[name][...] for name in ("box", "restraints/reference", "restraints/anchor")
        }
        width, grid = file["settings"].attrs["patch_width"], file["settings"].attrs["patch_grid"]
    share = 0.9 * grid[0] * width / old["box"][0]  # now a patch is too thin
    with h5py.File(before.checkpoint, "r+") as file:
        for name in ("box", "position"):
            file[name][...] *= share
    seal(before.checkpoint)
    for _ in range(2):  # the second time changes nothing
        staged.give_state(2)
        with h5py.File(folder.job) as file:
            np.testing.assert_allclose(file["box"][...], share * old["box"], rtol=1e-14)
            anchor = file["restraints/anchor"][...]
            np.testing.assert_allclose(anchor, share * old["restraints/anchor"], rtol=1e-12)
            offset = old["restraints/reference"] - old["restraints/anchor"]
            np.testing.assert_allclose(
                file["restraints/reference"][...], anchor + offset, rtol=1e-12, atol=1e-12
            )
            assert (file["settings"].attrs["patch_grid"] == grid - 1).all()
    state = read_checkpoint(before.checkpoint)
    np.testing.assert_allclose(Job(folder.job).positions, state.unwrapped(), rtol=1e-14)


def test_a_tilted_box_goes_to_the_next_stage(tmp_path: Path) -> None:
    files = water_files(tmp_path / "water", rhombic_dodecahedron(2.7), rigid=True)
    lines = [f"{key} = {json.dumps(value)}" for key, value in files.items()]
    head = "\n".join(["[system]", 'kind = "classical"', *lines, "", ""])
    text = head + TEXT.partition("\n\n")[2].partition("[[stages]]")[0]
    text = text.replace('atoms = "1-300"', 'atoms = "1-90"\nreference_scaling = "com"')
    text = text.replace('ensemble = "nvt"', 'ensemble = "npt"').replace(
        "[36, 36, 36]", "[28, 28, 28]"
    )
    text += '[[stages]]\nname = "one"\n[[stages]]\nname = "two"\n[stages.dynamics]\nsteps = 20\n'
    (tmp_path / "in.toml").write_text(text, encoding="utf-8")
    staged = fg.run(tmp_path / "in.toml", tmp_path / "run", pes=2, stop_after=60)
    assert isinstance(staged, fg.StagedRun)
    before, folder = staged.folders
    with h5py.File(folder.job) as file:
        names = ("box", "restraints/reference", "restraints/anchor")
        old = {name: file[name][...] for name in names}
    state = read_checkpoint(before.checkpoint)
    share = state.box[0, 0] / bohr_in_nm / old["box"][0]
    assert share != 1
    for _ in range(2):  # the second time changes nothing
        staged.give_state(1)
        with h5py.File(folder.job) as file:
            # The barostat scales all vectors alike.
            np.testing.assert_allclose(file["box"][...], share * old["box"], rtol=1e-12, atol=1e-12)
            anchor = file["restraints/anchor"][...]
            np.testing.assert_allclose(anchor, share * old["restraints/anchor"], rtol=1e-12)
            offset = old["restraints/reference"] - old["restraints/anchor"]
            np.testing.assert_allclose(
                file["restraints/reference"][...], anchor + offset, rtol=1e-12, atol=1e-11
            )
    assert fg.resume(staged.path, pes=2).finished
