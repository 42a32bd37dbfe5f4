# SPDX-License-Identifier: BSD-3-Clause
"""A run that starts from the results of an earlier one: a checkpoint, or a trajectory frame."""

import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from engine_jobs import make_job, state_of

import finegrain as fg
from finegrain.units import bohr_in_nm

FORCES = {"cutoff": "7 Å", "switch": "off", "rebuild_interval": 12}
CHECKPOINT = "stage-1/checkpoint.h5"
TRAJECTORY = "stage-1/trajectory.h5"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> fg.Run:
    """Run a box of water for 60 steps, with velocities in its frames and checkpoints throughout."""
    folder = tmp_path_factory.mktemp("stages")
    output = {
        "energy_interval": 20,
        "trajectory_interval": 20,
        "velocities": True,
        "checkpoint_interval": "0.000001 s",
    }
    job = make_job(folder, "water", FORCES, {"steps": 60}, output=output)
    return fg.run(job, folder / "stage-1", pes=2)


def second(first: fg.Run, dynamics: str = "", **system: Any) -> Path:
    """Write the input of a second stage and return it."""
    lines = ["[system]", 'kind = "classical"']
    for key, value in ({"topology": "water.xml"} | system).items():
        lines.append(f"{key} = {value}" if isinstance(value, int) else f'{key} = "{value}"')
    lines += ["[forces]", 'cutoff = "7 Å"', 'switch = "off"']
    lines += ["[dynamics]", 'timestep = "2 fs"', "steps = 20", dynamics]
    lines += ["[output]", "energy_interval = 20"]
    path = Path(first.path.parent / "second.toml")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def refusal(input_file: Path) -> str:
    with pytest.raises(fg.InputError) as caught:
        fg.load(input_file, input_file.with_suffix(".job.h5"))
    assert len(caught.value.problems) == 1
    return str(caught.value)


def test_a_checkpoint_brings_positions_velocities_and_box(first: fg.Run, tmp_path: Path) -> None:
    run = fg.run(second(first, coordinates=CHECKPOINT), tmp_path / "run", pes=1)
    before, after = first.energies(), run.energies()
    # Forces in single precision: potential energies are good to some 1e-6.
    for name in ("potential energy (kJ/mol)", "kinetic energy (kJ/mol)", "temperature (K)"):
        assert after[name][0] == pytest.approx(before[name][-1], rel=1e-5)
    np.testing.assert_array_equal(run.job.box, first.job.box)
    assert run.job.names == first.job.names
    ours = run.job.positions - state_of(first.path / "checkpoint.h5")["position"] * bohr_in_nm
    whole_boxes = ours / run.job.box
    np.testing.assert_allclose(whole_boxes, np.round(whole_boxes), atol=1e-12)


@pytest.mark.parametrize("frame", [1, -2])
def test_a_frame_brings_its_whole_state(first: fg.Run, tmp_path: Path, frame: int) -> None:
    run = fg.run(second(first, coordinates=TRAJECTORY, frame=frame), tmp_path / "run", pes=1)
    before, after = first.energies(), run.energies()
    for name in ("potential energy (kJ/mol)", "kinetic energy (kJ/mol)"):
        assert after[name][0] == pytest.approx(before[name][frame], rel=1e-5)
    with first.trajectory() as trajectory:
        at = frame % len(trajectory)
        velocities = trajectory.velocities(slice(at, at + 1))[0]
        np.testing.assert_allclose(run.job.velocities, velocities, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(run.job.box, trajectory[frame].box, rtol=1e-15)


def test_without_a_frame_the_last_is_taken(first: fg.Run, tmp_path: Path) -> None:
    job = fg.load(second(first, coordinates=TRAJECTORY), tmp_path / "job.h5")
    with first.trajectory() as trajectory:
        last = trajectory.velocities(slice(3, 4))[0]
    np.testing.assert_allclose(job.velocities, last, rtol=1e-6, atol=1e-12)


def test_frames_without_velocities_are_refused_with_a_way_out(first: fg.Run) -> None:
    bare = first.path / "bare.h5"
    shutil.copyfile(first.path / "trajectory.h5", bare)
    with h5py.File(bare, "r+") as file:
        del file["particles/all/velocity"]
    text = refusal(second(first, 'velocities = "from-file"', coordinates="stage-1/bare.h5"))
    assert "hold no velocities" in text
    assert "checkpoint.h5" in text


def test_velocities_half_a_step_late_are_refused_with_a_hint(first: fg.Run, tmp_path: Path) -> None:
    """A checkpoint from the middle of a run with Verlet's scheme."""
    middle = first.path / "checkpoint_previous.h5"
    with h5py.File(middle) as file:
        assert file.attrs["velocity_stage"] == "half"
    name = f"stage-1/{middle.name}"
    text = refusal(second(first, coordinates=name))
    assert "half a step" in text
    assert "finegrain resume" in text
    # Its positions are complete.
    drawn = second(first, 'temperature = "300 K"', coordinates=name)
    fg.load(drawn, tmp_path / "job.h5")


def test_a_frame_that_is_not_there_is_refused(first: fg.Run) -> None:
    assert "0 to 3" in refusal(second(first, coordinates=TRAJECTORY, frame=4))
    assert "no frames" in refusal(second(first, coordinates=CHECKPOINT, frame=0))
    bad = second(first, 'velocities = "zero"', coordinates="water.gro", frame=0)
    with pytest.raises(fg.InputError, match="no use without a trajectory"):
        fg.load(bad, bad.with_suffix(".job.h5"))


def test_a_damaged_checkpoint_is_refused_with_the_one_before(first: fg.Run, tmp_path: Path) -> None:
    folder = first.path.parent / "damaged"
    folder.mkdir()
    contents = bytearray((first.path / "checkpoint.h5").read_bytes())
    contents[len(contents) // 2] ^= 1
    (folder / "checkpoint.h5").write_bytes(contents)
    shutil.copyfile(first.path / "checkpoint_previous.h5", folder / "checkpoint_previous.h5")
    text = refusal(second(first, coordinates="damaged/checkpoint.h5"))
    assert "damaged" in text
    assert "checkpoint_previous.h5" in text


def test_a_job_and_a_checkpoint_without_its_job_are_refused(first: fg.Run) -> None:
    assert "is a job" in refusal(second(first, coordinates="stage-1/job.h5"))
    alone = first.path.parent / "alone"
    alone.mkdir()
    shutil.copyfile(first.path / "checkpoint.h5", alone / "checkpoint.h5")
    assert "job.h5" in refusal(second(first, coordinates="alone/checkpoint.h5"))


@pytest.mark.parametrize("result", [CHECKPOINT, TRAJECTORY])
def test_atoms_in_another_order_are_refused(first: fg.Run, result: str) -> None:
    """The same waters, hydrogens first."""
    import openmm

    folder = first.path.parent
    system = openmm.XmlSerializer.deserialize((folder / "water.xml").read_text())
    masses = [system.getParticleMass(i) for i in range(system.getNumParticles())]
    for i, mass in enumerate(masses):
        system.setParticleMass(i - i % 3 + (i + 1) % 3, mass)
    (folder / "turned.xml").write_text(openmm.XmlSerializer.serialize(system))
    text = refusal(second(first, topology="turned.xml", coordinates=result))
    assert "other atoms" in text
    assert "Da" in text


def test_another_number_of_atoms_is_refused(first: fg.Run) -> None:
    path = second(first, topology="openmmtools:AlanineDipeptideVacuum", coordinates=CHECKPOINT)
    with pytest.raises(fg.InputError, match="but the topology has 22"):
        fg.load(path, path.with_suffix(".job.h5"))
