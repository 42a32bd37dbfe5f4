# SPDX-License-Identifier: BSD-3-Clause
"""show, convert, cite, doctor, and the readers behind them."""

import json
import sys
from pathlib import Path

import h5py
import mdtraj
import numpy as np
import pytest
from stand_ins import ATOMS, BOX_BOHR, write_energies, write_job, write_trajectory

import finegrain as fg
from finegrain.errors import EXIT_RESOURCE
from finegrain.files.seal import seal

BOX_NM = BOX_BOHR * 0.0529177210903


@pytest.fixture
def run(engine, job, accepted):
    """Make a run with eleven frames."""
    accepted("run", job.name, "--pes", "2")
    return Path("runs/four")


@pytest.fixture
def opened(monkeypatch):
    """Return the files that are opened as HDF5 from here on."""
    files = []
    plain = h5py.File.__init__

    def counting(self, name, *args, **more):
        files.append(str(name))
        plain(self, name, *args, **more)

    monkeypatch.setattr(h5py.File, "__init__", counting)
    return files


def test_a_summary_opens_the_job_once(run, opened):
    done = fg.Run(run)
    assert str(done)
    assert done.finished
    assert not done.notes()
    assert sum(name.endswith("job.h5") for name in opened) == 1


def test_a_job_that_was_changed_is_opened_again(run):
    done = fg.Run(run)
    assert done.job is done.job
    steps = done.job.steps
    fg.Job(run / "job.h5").set_steps(steps + 10)
    assert done.job.steps == steps + 10


def test_show_opens_the_job_twice(run, opened, accepted):
    accepted("show", str(run))
    assert sum(name.endswith("job.h5") for name in opened) <= 2  # for its kind, and as a whole


def test_frames_come_with_shapes_and_units(tmp_path):
    write_trajectory(tmp_path / "trajectory.h5", frames=5)
    with fg.Trajectory(tmp_path) as trajectory:
        assert (len(trajectory), trajectory.atoms) == (5, ATOMS)
        assert trajectory.positions().shape == (5, ATOMS, 3)
        assert trajectory.positions(slice(1, 4, 2)).shape == (2, ATOMS, 3)
        np.testing.assert_array_equal(trajectory.steps, [0, 10, 20, 30, 40])
        np.testing.assert_allclose(trajectory.times, [0, 0.02, 0.04, 0.06, 0.08], rtol=1e-15)
        np.testing.assert_array_equal(trajectory.boxes, np.tile(BOX_NM, (5, 1)))
        assert trajectory.elements[:3] == ["O", "H", "H"]
        assert trajectory.names[:3] == ["O", "H1", "H2"]
        assert trajectory.masses[0] == 15.994
        last = trajectory[-1]
        assert (last.step, last.positions[3, 0], last.positions[3, 1]) == (40, 4.0, 3.0)
        energy = trajectory.observables["potential_energy"]
        assert energy.unit == "kJ mol-1"
        np.testing.assert_array_equal(energy.value, [0, -1, -2, -3, -4])


def test_unwrapping_adds_whole_boxes(tmp_path):
    write_trajectory(tmp_path / "trajectory.h5", frames=3)
    with fg.Trajectory(tmp_path) as trajectory:
        wrapped, whole = trajectory.positions(), trajectory.positions(unwrap=True)
        # The difference of two float64 numbers below 4 nm: a few units in the last place.
        boxes = np.broadcast_to(BOX_NM, whole.shape)
        np.testing.assert_allclose(whole - wrapped, boxes, atol=1e-14)
        np.testing.assert_array_equal(trajectory[1].unwrapped(), whole[1])


def test_a_frame_that_is_not_there_is_an_index_error(tmp_path):
    write_trajectory(tmp_path / "trajectory.h5", frames=2)
    with fg.Trajectory(tmp_path) as trajectory, pytest.raises(IndexError):
        trajectory[2]


def test_velocities_that_were_not_stored_are_an_input_error(tmp_path):
    write_trajectory(tmp_path / "trajectory.h5", frames=2)
    with fg.Trajectory(tmp_path) as trajectory, pytest.raises(fg.InputError, match="velocities"):
        trajectory.velocities()


def test_without_a_periodic_box_the_edges_are_zero(tmp_path):
    write_trajectory(tmp_path / "trajectory.h5", frames=2)
    with h5py.File(tmp_path / "trajectory.h5", "r+") as file:
        file["particles/all/box"].attrs["boundary"] = np.array(["none"] * 3, dtype="S8")
    with fg.Trajectory(tmp_path) as trajectory:
        np.testing.assert_array_equal(trajectory.boxes, np.zeros((2, 3)))


@pytest.mark.parametrize("keep", [0, 100, 2000, 0.5, 0.95])
def test_a_truncated_trajectory_is_a_clear_error(tmp_path, keep):
    path = tmp_path / "trajectory.h5"
    write_trajectory(path, frames=50)
    contents = path.read_bytes()
    path.write_bytes(contents[: int(keep * len(contents)) if isinstance(keep, float) else keep])
    with pytest.raises(fg.InputError) as caught:
        fg.Trajectory(path)
    assert str(path) in str(caught.value)
    assert caught.value.hint


def test_a_foreign_file_is_a_clear_error(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["data"] = np.zeros(3)
    with pytest.raises(fg.InputError, match="not an H5MD trajectory"):
        fg.Trajectory(tmp_path / "other.h5")


def test_convert_to_xtc_and_dcd_is_read_back_by_mdtraj(run, accepted):
    for to in ("xtc", "dcd"):
        done = accepted("convert", run, "--to", to, "--wrap", "--json")
        topology = mdtraj.load_pdb(_pdb(run, accepted)).topology
        read = mdtraj.load(json.loads(done.stdout)["file"], top=topology)
        with fg.Trajectory(run) as trajectory:
            # XTC keeps a thousandth of a nanometre; DCD is float32 in Å.
            atol = 5.1e-4 if to == "xtc" else 2e-6
            np.testing.assert_allclose(read.xyz, trajectory.positions(), atol=atol)
        np.testing.assert_allclose(read.unitcell_lengths[0], BOX_NM, rtol=1e-6)


def test_convert_to_pdb_keeps_names_and_residues(run, accepted):
    read = mdtraj.load_pdb(_pdb(run, accepted))
    assert read.n_frames == 11
    first = next(read.topology.atoms)
    assert (first.name, first.residue.name, first.residue.resSeq) == ("O", "HOH", 1)
    assert read.topology.n_residues == 4


def _pdb(run, accepted) -> str:
    done = accepted("convert", run, "--to", "pdb", "--json")
    return str(json.loads(done.stdout)["file"])


def test_convert_to_extended_xyz(run, accepted):
    accepted("convert", run, "--to", "xyz", "--out", "here.xyz")
    lines = Path("here.xyz").read_text().splitlines()
    assert len(lines) == 11 * (ATOMS + 2)
    assert lines[0] == str(ATOMS)
    assert lines[1].startswith('Lattice="10.583544 0.000000 0.000000 0.000000 11.112721')
    assert lines[1].endswith('pbc="T T T" Properties=species:S:1:pos:R:3 step=0 time_ps=0')
    assert lines[ATOMS + 2 + 2 + 1].split() == ["H", "10.000000", "10.000000", "5.000000"]


def test_convert_refuses_what_it_does_not_know(run, refused):
    assert "xtc, dcd, xyz, pdb" in refused("convert", run, "--to", "mp4")
    Path("runs/four/trajectory.h5").unlink()
    assert "no such file" in refused("convert", run, "--to", "xyz")
    assert not Path("runs/four/trajectory.xyz").exists()


def test_convert_of_one_frame(run, accepted, refused):
    accepted("convert", run, "--to", "xyz", "--frame", "-2", "--out", "one.xyz")
    lines = Path("one.xyz").read_text().splitlines()
    assert len(lines) == ATOMS + 2
    assert "step=90 " in lines[1]
    assert "0 to 10" in refused("convert", run, "--to", "gro", "--frame", "11")
    assert not Path("runs/four/trajectory.gro").exists()


@pytest.mark.parametrize("to", ["dcd", "xtc"])
def test_times_are_right_after_more_steps_than_a_format_can_count(run, accepted, to):
    import MDAnalysis

    with h5py.File(run / "trajectory.h5", "r+") as file:
        position = file["particles/all/position"]
        steps = 3 * 10**9 + 10 * np.arange(11)
        for name, values in (("step", steps), ("time", steps * 0.002)):
            del position[name]
            position[name] = values
    structure = _pdb(run, accepted)
    accepted("convert", run, "--to", to)
    read = MDAnalysis.Universe(structure, str(run / f"trajectory.{to}")).trajectory
    # Single precision of 6 microseconds.
    np.testing.assert_allclose([frame.time for frame in read], steps * 0.002, rtol=1e-6)
    accepted("convert", run, "--to", to, "--frame", "5", "--out", f"one.{to}")
    (frame,) = MDAnalysis.Universe(structure, f"one.{to}").trajectory
    assert frame.time == pytest.approx(steps[5] * 0.002, rel=1e-6)


def test_convert_without_mdtraj_names_the_extra(run, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "mdtraj", None)
    assert "finegrain[convert]" in refused("convert", run, "--to", "xtc", status=EXIT_RESOURCE)


def test_show_summarises_a_run(run, accepted, golden):
    done = accepted("show", run)
    kept = [line for line in done.stdout.splitlines() if not line.startswith("  runs/")]
    golden("show.txt", "\n".join(kept) + "\n")


def test_show_names_what_was_kept_aside_of_the_files(engine, job, command, accepted):
    told = ["w.pdb holds charges; they are not used", "a long step"]
    with h5py.File(job, "r+") as file:
        file.create_dataset("notes", data=told, dtype=h5py.string_dtype())
    seal(job)
    accepted("run", job.name, "--pes", "2")
    shown = command("show", "runs/four").stdout
    assert shown.endswith(f"\n\nnote: {told[0]}\nnote: {told[1]}\n")
    assert json.loads(command("show", "runs/four", "--json").stdout)["notes"] == told


def test_show_of_a_run_without_a_result_says_how_to_continue(run, accepted):
    (run / "result.json").unlink()
    done = accepted("show", run)
    assert "finegrain resume runs/four" in done.stdout


@pytest.mark.parametrize("words", [("absent",), (".",)])
def test_show_of_nothing_is_bad_input(tmp_path, refused, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    refused("show", *words)


def test_half_a_row_of_a_killed_run_is_left_out(tmp_path):
    table = tmp_path / "energies.csv"
    write_energies(table, rows=3)
    table.write_text(table.read_text() + "30,0.06,-")
    rows = fg.read_energies(table)
    np.testing.assert_array_equal(rows["step"], [0, 10, 20])
    assert "potential energy (kJ/mol)" in rows


def test_a_changed_table_is_a_clear_error(tmp_path):
    table = tmp_path / "energies.csv"
    write_energies(table, rows=3)
    table.write_text(table.read_text().replace("300.0", "warm"))
    with pytest.raises(fg.InputError, match="not a table of numbers"):
        fg.read_energies(table)


def test_cite_lists_what_was_used(run, command):
    text = command("cite", run).stdout
    for key in ("essmann1995", "miyamoto1992", "zhang2019", "salmon2011"):
        assert f"{{{key}," in text
    for key in ("swope1982", "tironi1995", "ryckaert1977"):
        assert key not in text


def test_cite_of_everything_is_balanced_bibtex(command):
    text = command("cite").stdout
    assert text.count("{") == text.count("}")
    entries = json.loads(command("cite", "--json").stdout)
    assert text.count("\n@") + text.startswith("@") == len(entries)


def test_doctor_ticks_what_is_there(engine, accepted):
    done = accepted("doctor", "--json")
    answer = json.loads(done.stdout)
    assert answer["ready"]
    names = {finding["name"]: finding for finding in answer["findings"]}
    assert names["hdf5"]["detail"] == "1.10.8"
    assert names["SIMD kernels"]["detail"] == "AVX2 (of AVX2, SSE4); portable bits: AVX2"


def test_doctor_names_the_remedy_of_every_cross(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "finegrain._engine", None)
    done = command("doctor")
    assert done.exit_code == EXIT_RESOURCE
    assert "✗ engine" in done.stdout
    assert "correct it with: make build" in done.stdout


def test_a_job_is_seen_in_the_units_of_the_field(tmp_path):
    job = fg.Job(write_job(tmp_path / "four.job.h5"))
    np.testing.assert_allclose(job.box, BOX_NM, rtol=1e-15)
    # Two femtoseconds to the six digits that the job was written with.
    assert job.timestep_fs == pytest.approx(2.0, rel=1e-6)
    # 29,156.9 electron masses, CODATA 2018.
    assert job.masses[0] == pytest.approx(15.99489, abs=1e-5)
    assert job.bonds().shape == (12, 2)
    assert job.waters == 4


def test_a_job_keeps_its_seal_when_its_steps_change(tmp_path):
    from finegrain.files.seal import is_whole

    job = fg.Job(write_job(tmp_path / "four.job.h5"))
    job.set_steps(7)
    assert is_whole(job.path)
    assert fg.Job(job.path).steps == 7
