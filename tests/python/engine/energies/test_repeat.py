# SPDX-License-Identifier: BSD-3-Clause
"""A cell that `repeat` makes larger: energies, forces, names, bits, a barostat and stages."""

import warnings
from collections.abc import Callable
from pathlib import Path

import ase.io
import h5py
import MDAnalysis
import numpy as np
import pytest
from engine_jobs import interrupted
from input_systems import replace_in, tip3p_force_field, write_input, write_waters
from process_runs import needs_any
from tilted_systems import sparse_waters, truncated_octahedron, water_files
from water_files import gro_input, write_charmm_water, write_gro

import finegrain as fg
from finegrain.base import cells
from finegrain.classical.job import Job

# The mesh of a copy is that of the cell, whatever its size, so that its error is the same.
_forces = (
    '[forces]\ncutoff = "{cutoff} Å"\nswitch = "off"\nelectrostatics = "pme"\nmesh = {mesh}\n'
    'spline_order = 6\newald_coefficient = "0.35 1/Å"\nprecision = "double"\n'
)


def _openmmtools(folder: Path, data: Path) -> None:
    del data
    write_input(folder, "openmmtools:AlanineDipeptideExplicit")


def _amber(folder: Path, data: Path) -> None:
    source = data / "alanine-dipeptide-explicit"
    write_input(
        folder, str(source / "alanine-dipeptide.prmtop"), str(source / "alanine-dipeptide.crd")
    )


def _charmm(folder: Path, data: Path) -> None:
    del data
    write_charmm_water(folder)


def _gromacs(folder: Path, data: Path) -> None:
    del data
    write_gro(folder, 4)
    write_input(folder, "w.top", "w.gro")


def _pdb(folder: Path, data: Path) -> None:
    del data
    write_waters(folder)
    (folder / "tip3p.xml").write_text(tip3p_force_field)
    write_input(folder, "water.pdb", more='forcefield = ["tip3p.xml"]\n')


def _xml(folder: Path, data: Path) -> None:
    del data
    write_waters(folder)
    write_input(folder, "water.xml", "water.pdb")


def _tilted(folder: Path, data: Path) -> None:
    del data
    files = water_files(folder, truncated_octahedron(2.7), rigid=True)
    write_input(folder, files["topology"], files["coordinates"])


@pytest.fixture
def openmmtools_data() -> Path:
    testsystems = pytest.importorskip("openmmtools.testsystems")
    return Path(testsystems.get_data_filename("data/alanine-dipeptide-explicit")).parent


# A tilted cell that is repeated along b is reduced to another one of the same lattice, whose mesh
# has its points elsewhere: the difference is the mesh's error. Positions of copies are rounded at
# 1e-15 of 10 nm, and bonds have 5e5 kJ/mol/nm^2.
_rounding, _error_of_mesh = 1e-6, 0.1


@pytest.mark.parametrize(
    ("write", "axis", "near"),
    [
        (_openmmtools, 0, _rounding),
        (_amber, 1, _rounding),
        (_charmm, 2, _rounding),
        (_gromacs, 0, _rounding),
        (_pdb, 1, _rounding),
        (_xml, 2, _rounding),
        (_tilted, 0, _rounding),
        (_tilted, 1, _error_of_mesh),
    ],
)
def test_every_copy_has_the_forces_of_one(
    write: Callable[[Path, Path], None],
    axis: int,
    near: float,
    tmp_path: Path,
    openmmtools_data: Path,
) -> None:
    write(tmp_path, openmmtools_data)
    source = tmp_path / "in.toml"
    text = source.read_text()

    def evaluated(count: int) -> tuple[fg.Energies, Job]:
        mesh, repeat = [32, 32, 32], [1, 1, 1]
        mesh[axis], repeat[axis] = 32 * count, count
        system = text + f"repeat = {repeat}\n"
        source.write_text(system + _forces.format(cutoff=8, mesh=mesh))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            job = fg.load(source, tmp_path / f"{count}.h5")
        return fg.energy(job), job

    one, alone = evaluated(1)
    positions, names, box = alone.positions, alone.names, cells.vectors_of(alone.box)
    all_, job = evaluated(2)
    assert job.atoms == 2 * len(positions) == len(all_.forces)
    assert job.names == 2 * names
    # The order of ASE's `repeat` and of `genconf -nbox`.
    assert job.positions == pytest.approx(
        np.concatenate([positions, positions + box[axis]]), abs=1e-9
    )
    assert all_.forces == pytest.approx(np.concatenate([one.forces] * 2), abs=near)
    for name, value in one.energies.items():
        # OpenMM's correction counts each atom with itself, so that its part grows with 1 / atoms.
        part = 2 / len(positions) if name in ("dispersion", "total") else near / 1e3
        assert all_.energies[name] == pytest.approx(2 * value, rel=part, abs=1e-5), name


def _water(folder: Path, repeat: list[int], dynamics: str = "", more: str = "") -> Job:
    """Make a job of 216 rigid waters, repeated."""
    write_gro(folder, 3)
    source = folder / "in.toml"
    source.write_text(gro_input)
    replace_in(
        source,
        "[forces]",
        f'repeat = {repeat}\n[forces]\nmesh_spacing = "1.2 Å"\nrebuild_interval = 10',
    )
    replace_in(source, "steps = 1\n", f'steps = 20\ntemperature = "300 K"\n{dynamics}')
    source.write_text(source.read_text() + more)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fg.load(source, folder / "job.h5")


_pressure = 'ensemble = "npt"\npressure = "1 bar"\nfriction = "1 1/ps"\n'


@pytest.mark.parametrize("dynamics", ["", _pressure], ids=["nve", "npt"])
def test_the_bits_are_those_of_any_pes_and_of_a_resumed_run(tmp_path: Path, dynamics: str) -> None:
    job = _water(tmp_path, [2, 1, 2], dynamics)
    one = fg.run(job, tmp_path / "one", pes=1)
    for pes in (2, 3):
        assert fg.run(job, tmp_path / f"{pes}", pes=pes).state_digest == one.state_digest
    assert interrupted(job, tmp_path / "cut", 5, 2, 1) == one.state_digest


@needs_any
def test_the_bits_are_those_of_two_processes(tmp_path: Path) -> None:
    job = _water(tmp_path, [2, 2, 1])
    one = fg.run(job, tmp_path / "one", pes=1)
    two = fg.run(job, tmp_path / "two", pes=1, ranks=2)
    assert two.state_digest == one.state_digest


def test_copies_start_with_velocities_of_their_own(tmp_path: Path) -> None:
    job = _water(
        tmp_path, [2, 1, 1], more="[output]\ntrajectory_interval = 10\nvelocities = true\n"
    )
    run = fg.run(job, tmp_path / "run", pes=1)
    with run.trajectory() as trajectory:
        first = np.asarray(trajectory.velocities(slice(0, 1))[0])
    assert len(first) == 2 * 648
    assert np.linalg.norm(first[:648] - first[648:]) > 0.5 * np.linalg.norm(first[:648])


def test_results_name_all_atoms(tmp_path: Path) -> None:
    job = _water(tmp_path, [1, 2, 1], more="[output]\ntrajectory_interval = 20\n")
    residue, name, number, chain = job.residues()
    assert residue.tolist() == np.repeat(np.arange(432), 3).tolist()
    assert (number == np.arange(1, 433)).all()  # as genconf numbers them
    assert len(name) == len(chain) == 432
    bonds = job.bonds()
    assert bonds.shape == (2 * 432, 2)
    assert (bonds[432:] == bonds[:432] + 648).all()
    run = fg.run(job, tmp_path / "run", pes=1)
    with h5py.File(run.path / "trajectory.h5") as file:
        assert file["particles/all/position/value"].shape[1:] == (1296, 3)
        assert (file["connectivity/bonds"][...] == bonds + 1).all()
        assert (file["parameters/residues/number"][...] == number).all()
    written = fg.convert(run, "pdb")
    atoms = [line for line in written.read_text().splitlines() if line.startswith(("ATOM", "HET"))]
    assert len(atoms) == 2 * 1296  # two frames
    places = [float(line[38:46]) for line in atoms[:1296]]
    assert places == pytest.approx(10 * job.positions[:, 1], abs=2e-2)  # the digits of .gro
    assert [int(line[22:26]) for line in atoms[:1296]] == (residue + 1).tolist()


def test_ase_and_mdanalysis_read_all_copies(tmp_path: Path) -> None:
    more = "[output]\ntrajectory_interval = 10\nvelocities = true\n"
    job = _water(tmp_path, [1, 1, 2], more=more)
    run = fg.run(job, tmp_path / "run", pes=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about elements that MDAnalysis guesses
        theirs = MDAnalysis.Universe(
            str(fg.convert(run, "pdb")), str(run.path / "trajectory.h5"), format="H5MD"
        )
    frames = ase.io.read(fg.convert(run, "xyz", wrap=True), index=":", format="extxyz")
    assert theirs.atoms.n_atoms == 2 * 648
    assert theirs.residues.n_residues == 2 * 216
    assert theirs.residues.resids.tolist() == list(range(1, 433))
    with run.trajectory() as ours:
        for frame, one, other in zip(ours, frames, theirs.trajectory, strict=True):
            assert one.get_chemical_symbols() == job.elements
            np.testing.assert_allclose(one.positions, 10 * frame.positions, atol=1e-6)
            np.testing.assert_allclose(one.cell.lengths(), 10 * frame.box, atol=1e-6)
            np.testing.assert_allclose(other.positions, 10 * frame.positions, rtol=2e-7)
            np.testing.assert_allclose(other.velocities, 10 * frame.velocities, rtol=2e-7)
            np.testing.assert_allclose(other.dimensions[:3], 10 * frame.box, rtol=2e-7)
        # Copies start beside each other, as the box says.
        first = ours[0].unwrapped()
        apart = (first[648:] - first[:648]) / ours[0].box - [0, 0, 0.5]
    assert apart == pytest.approx(np.round(apart), abs=1e-5)


def test_a_bond_through_a_face_joins_two_copies(tmp_path: Path) -> None:
    """Waters that lie across a face have atoms in two copies, and the same forces."""
    files = sparse_waters(tmp_path, np.diag([2.4, 2.4, 2.4]))
    text = (
        f'[system]\nkind = "classical"\ntopology = "{files["topology"]}"\n'
        f'coordinates = "{files["coordinates"]}"\nrepeat = {{repeat}}\n'
    )
    lines = []
    for line in Path(files["coordinates"]).read_text().splitlines(keepends=True):
        if line.startswith(("ATOM", "HETATM")):
            place = [(float(line[30:38]) - 4.1) % 24, float(line[38:46]), float(line[46:54])]
            line = line[:30] + "".join(f"{x:8.3f}" for x in place) + line[54:]
        lines.append(line)
    Path(files["coordinates"]).write_text("".join(lines))
    source = tmp_path / "in.toml"

    def evaluated(count: int) -> tuple[fg.Energies, Job]:
        system = text.format(repeat=[count, 1, 1])
        source.write_text(system + _forces.format(cutoff=8, mesh=[32 * count, 32, 32]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            job = fg.load(source, tmp_path / f"{count}.h5")
        return fg.energy(job), job

    (one, _), (three, job) = evaluated(1), evaluated(3)
    apart = job.bonds() // 81  # the copies of the atoms of each bond
    assert (apart[:, 0] != apart[:, 1]).any()
    assert three.forces == pytest.approx(np.concatenate([one.forces] * 3), abs=1e-6)
    for name in set(one.energies) - {"dispersion", "total"}:
        assert three.energies[name] == pytest.approx(3 * one.energies[name], rel=1e-9, abs=1e-5)


_restrained = """
[[restraints]]
atoms = "1-648"
force_constant = "1000 kJ/mol/nm^2"
reference_scaling = "all"
"""


def test_restraints_hold_every_copy_at_its_place(tmp_path: Path) -> None:
    job = _water(tmp_path, [2, 1, 1], more=_restrained)
    assert job.restraints == 2 * 648
    assert fg.energy(job).energies["restraint"] == pytest.approx(0, abs=1e-12)


def test_stages_hand_over_every_copy(tmp_path: Path) -> None:
    """The second stage starts from the end of the first; two halves are not the whole's bits."""
    write_gro(tmp_path, 3)
    source = tmp_path / "in.toml"
    source.write_text(
        '[system]\nkind = "classical"\ntopology = "w.top"\ncoordinates = "w.gro"\n'
        'repeat = [2, 1, 1]\n[forces]\ncutoff = "8 Å"\n'
        f'[dynamics]\ntimestep = "2 fs"\nsteps = 20\ntemperature = "300 K"\n{_pressure}'
        '[[stages]]\nname = "first"\n[[stages]]\nname = "second"\n'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = fg.run(source, tmp_path / "run", pes=1)
    first, second = staged.folders
    with h5py.File(first.checkpoint) as file:
        end, images, box = file["position"][...], file["image"][...], file["box"][...]
    with h5py.File(second.job) as file:
        assert file["atoms/mass"].shape == (648,)
        assert file["start/position"][...] == pytest.approx(end + images * box, abs=1e-9)
        assert file["start/velocity"].shape == (1296, 3)
    assert Job(second.job).positions.shape == (1296, 3)
    assert staged.finished
