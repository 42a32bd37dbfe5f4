# SPDX-License-Identifier: BSD-3-Clause
"""The files of a run, read by the programs that users read them with."""

import csv
import shutil
import warnings
from pathlib import Path

import ase.io
import h5py
import MDAnalysis
import mdtraj
import numpy as np
import pytest
from engine_jobs import make_job

import finegrain as fg
from finegrain.units import bohr_in_nm

TIMESTEP_PS = 0.002
INTERVAL = 20


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> fg.Run:
    """Run 60 steps of a relaxed box of water: frames at 0, 20, 40, 60; energies less often."""
    folder = tmp_path_factory.mktemp("readers")
    output = {"energy_interval": 30, "trajectory_interval": INTERVAL}
    job = make_job(
        folder, "water", {"cutoff": "7 Å", "switch": "off"}, {"steps": 60}, output=output
    )
    return fg.run(job, folder / "run", pes=2)


def universe(run: fg.Run, *files: Path, **options: object) -> MDAnalysis.Universe:
    """Return the MDAnalysis universe of the PDB and of `files`."""
    topology = fg.convert(run, "pdb")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about elements and units that other formats lack
        return MDAnalysis.Universe(str(topology), *map(str, files), **options)


def test_mdanalysis_reads_the_trajectory_directly(run: fg.Run) -> None:
    read = universe(run, run.path / "trajectory.h5", format="H5MD")
    with run.trajectory() as ours:
        assert len(read.trajectory) == len(ours) == 4
        for theirs, frame in zip(read.trajectory, ours, strict=True):
            assert theirs.time == pytest.approx(frame.step * TIMESTEP_PS, rel=1e-6)
            assert theirs.data["step"] == frame.step
            np.testing.assert_allclose(theirs.positions, 10 * frame.positions, rtol=2e-7)
            np.testing.assert_allclose(theirs.dimensions[:3], 10 * frame.box, rtol=2e-7)
            np.testing.assert_array_equal(theirs.dimensions[3:], [90, 90, 90])
            # Energies have other steps than frames: the reader must not combine them.
            assert set(theirs.data) <= {"step", "time", "dt"}


def test_every_position_is_inside_the_box(run: fg.Run) -> None:
    with run.trajectory() as ours:
        for frame in ours:
            assert (frame.positions >= 0).all()
            assert (frame.positions < frame.box).all()
        assert any((frame.images != 0).any() for frame in ours)
        whole = ours[-1].unwrapped()
    with h5py.File(run.path / "checkpoint.h5") as file:
        end = file["position"][...] + file["image"][...] * file["box"][...]
    np.testing.assert_allclose(whole, end * bohr_in_nm, atol=3e-7)  # single precision


def test_a_molecule_without_a_box_has_none_in_any_format(tmp_path: Path) -> None:
    output = {"energy_interval": 10, "trajectory_interval": 10, "velocities": True}
    topology = "AlanineDipeptideVacuum"
    dynamics = {"steps": 20, "timestep": "1 fs"}
    run = fg.run(make_job(tmp_path, topology, {}, dynamics, output=output), tmp_path / "run", pes=1)
    with run.trajectory() as ours:
        for read in (
            universe(run, run.path / "trajectory.h5", format="H5MD"),
            universe(run, fg.convert(run, "dcd")),
        ):
            for theirs, frame in zip(read.trajectory, ours, strict=True):
                assert theirs.dimensions is None
                assert theirs.time == pytest.approx(frame.time, rel=1e-6, abs=1e-9)
                np.testing.assert_allclose(theirs.positions, 10 * frame.positions, atol=1e-5)
        assert not ase.io.read(fg.convert(run, "xyz"), format="extxyz").pbc.any()
        last = ours[-1].positions
    # A second stage from its end is the same molecule, wherever the engine puts it.
    source = tmp_path / "next.toml"
    text = (
        (tmp_path / "input.toml")
        .read_text()
        .replace("[forces]", 'coordinates = "run/checkpoint.h5"\n[forces]')
    )
    source.write_text(text.replace('temperature = "300 K"\n', ""))
    job = fg.load(source, tmp_path / "next.h5")
    moved = job.positions - last
    np.testing.assert_allclose(moved - moved[0], 0, atol=1e-6)
    assert np.abs(job.velocities).max() > 0


def test_ours_and_theirs_may_be_open_at_once(run: fg.Run) -> None:
    with run.trajectory() as ours:
        read = universe(run, run.path / "trajectory.h5", format="H5MD")
        assert len(ours) == len(read.trajectory)
    with run.trajectory() as ours:
        assert ours.atoms == read.atoms.n_atoms


@pytest.fixture(scope="module")
def with_velocities(tmp_path_factory: pytest.TempPathFactory) -> fg.Run:
    """Run the same with velocities in the frames, into a folder whose name is not ASCII."""
    folder = tmp_path_factory.mktemp("große-box")
    output = {"energy_interval": 20, "trajectory_interval": INTERVAL, "velocities": True}
    forces = {"cutoff": "7 Å", "switch": "off"}
    job = make_job(folder, "water", forces, {"steps": 60}, output=output)
    return fg.run(job, folder / "läuft", pes=2)


def test_mdanalysis_reads_velocities_of_our_trajectory(with_velocities: fg.Run) -> None:
    run = with_velocities
    read = universe(run, run.path / "trajectory.h5", format="H5MD")
    with run.trajectory() as ours:
        for theirs, frame in zip(read.trajectory, ours, strict=True):
            np.testing.assert_allclose(theirs.velocities, 10 * frame.velocities, rtol=2e-7)
        kinetic = 0.5 * (run.job.masses[:, None] * ours[-1].velocities.astype(float) ** 2).sum()
    table = run.energies()  # Da nm²/ps² is kJ/mol
    assert kinetic == pytest.approx(table["kinetic energy (kJ/mol)"][-1], rel=1e-5)


@pytest.mark.parametrize(
    ("to", "absolute"),
    [("dcd", 2e-6), ("xtc", 5.1e-3)],  # Å; XTC keeps a thousandth of a nanometre
)
def test_times_boxes_and_positions_of_a_conversion_are_ours(
    with_velocities: fg.Run, tmp_path: Path, to: str, absolute: float
) -> None:
    run = with_velocities
    read = universe(run, fg.convert(run, to, wrap=True))
    structure = fg.convert(run, "pdb", tmp_path / "one.pdb", frame=0)
    other = mdtraj.load(
        str(fg.convert(run, to, tmp_path / f"again.{to}", wrap=True)), top=str(structure)
    )
    with run.trajectory() as ours:
        assert len(read.trajectory) == len(ours) == other.n_frames
        for theirs, frame in zip(read.trajectory, ours, strict=True):
            # MDAnalysis's AKMA time has seven digits.
            assert theirs.time == pytest.approx(frame.time, rel=1e-6, abs=1e-9)
            np.testing.assert_allclose(theirs.positions, 10 * frame.positions, atol=absolute)
            np.testing.assert_allclose(theirs.dimensions[:3], 10 * frame.box, rtol=1e-6)
            np.testing.assert_array_equal(theirs.dimensions[3:], [90, 90, 90])
        np.testing.assert_allclose(other.xyz, ours.positions(), atol=absolute / 10)
        np.testing.assert_allclose(other.unitcell_lengths, ours.boxes, rtol=1e-6)
        if to == "xtc":
            np.testing.assert_allclose(other.time, ours.times, rtol=1e-6)


def test_extended_xyz_is_read_by_ase(with_velocities: fg.Run) -> None:
    run = with_velocities
    read = ase.io.read(fg.convert(run, "xyz", wrap=True), index=":", format="extxyz")
    with run.trajectory() as ours:
        assert len(read) == len(ours)
        for theirs, frame in zip(read, ours, strict=True):
            assert theirs.get_chemical_symbols() == ours.elements
            np.testing.assert_allclose(theirs.positions, 10 * frame.positions, atol=1e-6)
            np.testing.assert_allclose(theirs.arrays["velo"], 10 * frame.velocities, atol=1e-6)
            np.testing.assert_allclose(theirs.cell.lengths(), 10 * frame.box, atol=1e-6)
            assert theirs.pbc.all()
            assert theirs.info["time_ps"] == pytest.approx(frame.time)
            assert theirs.info["step"] == frame.step


def test_pdb_is_read_with_names_residues_and_box(run: fg.Run) -> None:
    read = universe(run)
    job = run.job
    assert list(read.atoms.names) == job.names
    assert list(read.atoms.elements) == job.elements
    assert read.residues.n_residues == len(job.residues()[1])
    with run.trajectory() as ours:
        assert len(read.trajectory) == len(ours)
        box = mdtraj.load(str(run.path / "trajectory.pdb")).unitcell_lengths
        np.testing.assert_allclose(box, ours.boxes, atol=1e-4)
        apart = (read.atoms.positions / 10 - ours[0].positions) / ours[0].box
        # three decimals of an ångström; molecules are whole, so atoms may be in other images
        np.testing.assert_allclose(apart, np.round(apart), atol=1e-4)


@pytest.mark.parametrize("frame", [None, 1])
def test_gro_is_read_by_mdanalysis_with_velocities_and_box(
    with_velocities: fg.Run, frame: int | None
) -> None:
    run = with_velocities
    read = MDAnalysis.Universe(str(fg.convert(run, "gro", frame=frame)))
    with run.trajectory() as ours:
        ours_then = ours[-1 if frame is None else frame]
    np.testing.assert_allclose(read.dimensions[:3], 10 * ours_then.box, rtol=1e-6)
    # Single precision, rounded on the way out and on the way in.
    velocities = 10 * ours_then.velocities
    np.testing.assert_allclose(read.atoms.velocities, velocities, rtol=3e-7, atol=2e-6)
    apart = (read.atoms.positions / 10 - ours_then.positions) / ours_then.box
    np.testing.assert_allclose(apart, np.round(apart), atol=1e-6)
    assert list(read.atoms.names) == run.job.names
    assert read.trajectory.ts.frame == 0


@pytest.mark.parametrize("to", ["gro", "rst7"])
def test_the_last_state_is_read_back(with_velocities: fg.Run, tmp_path: Path, to: str) -> None:
    run = with_velocities
    written = fg.convert(run, to, tmp_path / f"end.{to}")
    with run.trajectory() as ours:
        last = ours[-1]
    atol_velocity = 1e-7 if to == "gro" else 2.1e-7  # half a unit in the seventh decimal
    if to == "rst7":
        from openmm import app, unit

        theirs = app.AmberInpcrdFile(str(written))
        speed = unit.nanometer / unit.picosecond
        velocities = theirs.getVelocities(asNumpy=True).value_in_unit(speed)
        np.testing.assert_allclose(velocities, last.velocities, atol=atol_velocity)
        edges = [edge.value_in_unit(unit.nanometer) for edge in theirs.boxVectors]
        np.testing.assert_allclose(np.diag(edges), last.box, atol=1e-8)
    text = f"""
[system]
kind = "classical"
topology = "{run.path.parent}/water.xml"
coordinates = "{written}"
[forces]
cutoff = "7 Å"
switch = "off"
[dynamics]
timestep = "2 fs"
steps = 1
"""
    (tmp_path / "next.toml").write_text(text)
    job = fg.load(tmp_path / "next.toml", tmp_path / "next.h5")
    np.testing.assert_allclose(job.velocities, last.velocities, atol=atol_velocity)
    np.testing.assert_allclose(job.box, last.box, atol=1e-7)
    apart = (job.positions - last.positions) / last.box
    np.testing.assert_allclose(apart, np.round(apart), atol=1e-6)


def test_energies_are_a_table_for_the_csv_module(run: fg.Run) -> None:
    with (run.path / "energies.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    ours = run.energies()
    assert list(rows[0]) == list(ours)
    for name, column in ours.items():
        np.testing.assert_array_equal([float(row[name]) for row in rows], column)
    times = [float(row["time (ps)"]) for row in rows]
    np.testing.assert_allclose(times, np.arange(0, 61, 30) * TIMESTEP_PS)


def test_a_damaged_trajectory_is_reported_in_plain_words(run: fg.Run, tmp_path: Path) -> None:
    """Bytes are overwritten at random places: the result is a conversion or our message."""
    contents = (run.path / "trajectory.h5").read_bytes()
    folder = tmp_path / "damaged"
    shutil.copytree(run.path, folder)
    generator = np.random.default_rng(7)
    refusals = []
    for _ in range(60):
        damaged = bytearray(contents)
        # The file's own tables, not the frames, which have no check sum.
        start = int(generator.integers(0, 12000))
        damaged[start : start + 64] = generator.bytes(64)
        (folder / "trajectory.h5").write_bytes(damaged)
        try:
            fg.convert(folder, "xyz")
        except fg.InputError as error:
            refusals.append(error)
    assert len(refusals) > 5
    assert all("trajectory.h5" in error.where and error.hint for error in refusals)


def test_a_trajectory_with_half_a_last_frame_is_read_up_to_it(run: fg.Run, tmp_path: Path) -> None:
    """Positions are written before the step is."""
    folder = tmp_path / "half"
    shutil.copytree(run.path, folder)
    with h5py.File(folder / "trajectory.h5", "r+") as file:
        position = file["particles/all/position"]
        position["step"].resize(3, axis=0)
        position["time"].resize(3, axis=0)
    with fg.Trajectory(folder) as read, run.trajectory() as ours:
        assert len(read) == 3
        np.testing.assert_array_equal(read.positions(), ours.positions(slice(3)))
        assert read[-1].step == 40
    assert len(ase.io.read(fg.convert(folder, "xyz"), index=":", format="extxyz")) == 3
