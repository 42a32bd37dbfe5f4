# SPDX-License-Identifier: BSD-3-Clause
"""Cells of any shape: energies against OpenMM, the virial against strain, bits, trajectories."""

from pathlib import Path

import numpy as np
import openmm
import pytest
from engine_jobs import make_job
from openmm_reference import Reference, reference
from test_energies_against_openmm import TERMS, relative_rms
from tilted_systems import (
    CELLS,
    CUBE,
    Floats,
    cutoff_in_a_gap,
    slopes_by_strain,
    sparse_waters,
    water_files,
)

import finegrain
from finegrain.base import cells
from finegrain.classical.job import Job

ALPHA, MESH = 3.2, (30, 32, 28)
PME = {
    "precision": "double",
    "electrostatics": "pme",
    "cutoff": "0.9 nm",
    "switch": "off",
    "mesh": list(MESH),
    "spline_order": 5,
    "ewald_coefficient": f"{ALPHA} 1/nm",
}


def _water(folder: Path, cell: str) -> tuple[openmm.System, Job]:
    """Return flexible water for OpenMM and for finegrain."""
    section = water_files(folder, CELLS[cell], rigid=False)
    job = make_job(folder, section["topology"], PME, system={"kind": "classical"} | section)
    system = openmm.XmlSerializer.deserialize((folder / "water.xml").read_text())
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in job.box))
    return system, job


@pytest.fixture(scope="module", params=list(CELLS))
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Reference, finegrain.Energies]:
    """Energies of flexible water by OpenMM's Reference platform and by finegrain.

    Pairs of the rhombic dodecahedron, of which it misses some, in a rectangular cell.
    """
    system, job = _water(tmp_path_factory.mktemp("tilted"), request.param)
    theirs = reference(system, job.positions, alpha=ALPHA, mesh=MESH, cutoff=0.9, switch=0.0)
    return theirs, finegrain.energy(job, pes=2)


def test_energies_are_those_of_openmm(pair: tuple[Reference, finegrain.Energies]) -> None:
    """The tolerance is that of rectangular boxes."""
    theirs, ours = pair
    for term in TERMS:
        assert ours.energies.get(term, 0.0) == pytest.approx(theirs.energies[term], rel=1e-6)
    waves = theirs.energies["mesh"] - theirs.self_energy
    assert ours.energies["mesh"] - theirs.self_energy == pytest.approx(waves, rel=1e-6)
    assert ours.total == pytest.approx(theirs.whole, rel=1e-6)


def test_forces_are_those_of_openmm(pair: tuple[Reference, finegrain.Energies]) -> None:
    theirs, ours = pair
    assert relative_rms(ours.forces, theirs.forces) <= 1e-6


def test_a_rhombic_dodecahedron_against_openmms_cpu_platform(tmp_path: Path) -> None:
    """OpenMM 8.6's Reference platform misses pairs of this cell; the CPU platform has them all.

    It is in single precision: 2e-5 in forces. Errors of 1e6 pairs cancel in the energy.
    """
    system, job = _water(tmp_path, "rhombic dodecahedron")
    nonbonded = next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
    nonbonded.setPMEParameters(ALPHA, *MESH)
    nonbonded.setUseSwitchingFunction(False)
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform, {"Threads": "1"})
    context.setPositions(job.positions)
    state = context.getState(getEnergy=True, getForces=True)
    ours = finegrain.energy(job, pes=2)
    assert ours.total == pytest.approx(state.getPotentialEnergy()._value, rel=2e-6)
    assert relative_rms(ours.forces, state.getForces(asNumpy=True)._value) <= 2e-5
    waters, box = job.positions[::3], cells.vectors_of(job.box)
    sigma, epsilon = (value._value for value in nonbonded.getParticleParameters(0)[1:])
    assert ours.energies["lennard-jones"] == pytest.approx(
        _over_all_images(waters, box, sigma, epsilon), rel=1e-9
    )


def _over_all_images(places: Floats, box: Floats, sigma: float, epsilon: float) -> float:
    """Return the Lennard-Jones energy within 0.9 nm, with every image of each pair."""
    energy = 0.0
    images = np.array(np.meshgrid(*[[-1, 0, 1]] * 3)).reshape(3, -1).T @ box
    for first in range(len(places)):
        apart = (places[first + 1 :] - places[first])[:, None] + images[None]
        distance = np.linalg.norm(apart, axis=2).ravel()
        sixth = (sigma / distance[distance < 0.9]) ** 6
        energy += 4 * epsilon * float((sixth * sixth - sixth).sum())
    return energy


ELECTROSTATICS = [
    *({"electrostatics": "pme", "spline_order": order} for order in (4, 5, 6, 8)),
    {"electrostatics": "pme", "spline_order": 4, "influence_function": "optimal"},
    {"electrostatics": "reaction-field"},
]


@pytest.mark.parametrize("forces", ELECTROSTATICS, ids=lambda f: "-".join(map(str, f.values())))
@pytest.mark.parametrize(
    "shape",
    [
        "truncated octahedron",
        *(pytest.param(shape, marks=pytest.mark.nightly) for shape in ("cube", "monoclinic")),
    ],
)
def test_virials_are_derivatives(tmp_path: Path, shape: str, forces: dict[str, str | int]) -> None:
    """The differences of `slopes_by_strain` have an error below 1e-13 by their order.

    The energies of 15 objects are rounded to 4e-8 kJ/mol each, 3e-4 after the division by the
    strain: 5e-8 of the virial, which long bonds make large.
    """
    section = sparse_waters(tmp_path, CELLS.get(shape, CUBE))
    system = {"kind": "classical"} | section
    given = {"precision": "double", "switch": "off", **forces}
    if forces["electrostatics"] == "pme":
        given |= {"mesh": [18, 20, 16], "ewald_coefficient": "3.2 1/nm"}
    more = {"system": system, "patches": {"grid": [1, 1, 1]}}
    first = make_job(tmp_path / "first", "x.xml", given | {"cutoff": "0.8 nm"}, **more)
    cutoff = cutoff_in_a_gap(first.box, first.positions, 0.8)
    given |= {"cutoff": f"{cutoff!r} nm"}
    job = make_job(tmp_path / "job", "x.xml", given, **more)
    answer = finegrain.energy(job)
    assert answer.virial is not None
    size = np.abs(answer.virial).max()
    slopes = slopes_by_strain(job, tmp_path / "strained.h5")
    np.testing.assert_allclose(answer.virial, -slopes, rtol=0, atol=1e-7 * size)


def _small_run(folder: Path, **dynamics: object) -> finegrain.Run:
    """Run rigid water in a truncated octahedron, with frames."""
    section = water_files(folder, CELLS["truncated octahedron"], rigid=True)
    job = make_job(
        folder,
        "x.xml",
        PME | {"precision": "mixed"},
        {"steps": 20, **dynamics},
        system={"kind": "classical"} | section,
        output={"trajectory_interval": 10, "energy_interval": 10},
    )
    return finegrain.run(job, folder / "out", pes=2)


def test_converted_trajectories_have_the_cell(tmp_path: Path) -> None:
    """MDTraj reads the vectors and the positions of our files back, in single precision."""
    mdtraj = pytest.importorskip("mdtraj")
    run = _small_run(tmp_path)
    trajectory = run.trajectory()
    assert trajectory.boxes.shape == (3, 3, 3)
    fractional = cells.fractional(trajectory.positions(), trajectory.boxes[0])
    assert (fractional > -1e-6).all()
    assert (fractional < 1 + 1e-6).all()
    top = finegrain.convert(run, "pdb", tmp_path / "x.pdb", wrap=True)
    for kind in ("dcd", "xtc", "pdb"):
        out = tmp_path / f"x.{kind}"
        path = top if kind == "pdb" else finegrain.convert(run, kind, out, wrap=True)
        theirs = mdtraj.load(str(path), top=str(top))
        # a PDB file has three decimals in angstrom, and two for angles
        error = 3e-4 if kind == "pdb" else 2e-6
        np.testing.assert_allclose(theirs.unitcell_vectors, trajectory.boxes, atol=error)
        np.testing.assert_allclose(theirs.xyz, trajectory.positions(), atol=6e-4)
    for kind in ("gro", "rst7"):
        path = finegrain.convert(run, kind, tmp_path / f"x.{kind}")
        system = {"kind": "classical", "topology": str(tmp_path / "water.xml")}
        system["coordinates"] = str(path)
        again = make_job(tmp_path / kind, "x.xml", PME, system=system)
        np.testing.assert_allclose(again.box, run.job.box, atol=2e-6)


def test_unwrapped_positions_are_continuous(tmp_path: Path) -> None:
    """No atom moves by a tenth of the cell in 10 steps, but many cross its faces."""
    trajectory = _small_run(tmp_path).trajectory()
    whole, inside = trajectory.positions(unwrap=True), trajectory.positions()
    assert np.abs(np.diff(whole, axis=0)).max() < 0.27
    assert np.abs(np.diff(inside, axis=0)).max() > 1
    np.testing.assert_array_equal(trajectory[1].unwrapped(), whole[1])


def test_a_second_stage_continues_in_the_same_cell(tmp_path: Path) -> None:
    run = _small_run(tmp_path / "first")
    system = {"kind": "classical", "topology": str(tmp_path / "first/water.xml")}
    for name in ("checkpoint.h5", "trajectory.h5"):
        system["coordinates"] = str(run.path / name)
        again = make_job(tmp_path / name, "x.xml", PME, system=system)
        np.testing.assert_allclose(again.box, run.job.box, rtol=1e-14)
        # Waters are whole, and every atom is an image of what it was.
        last = run.trajectory()[-1].positions
        steps = cells.fractional(again.positions - last, run.job.box)
        np.testing.assert_allclose(steps, np.round(steps), atol=1e-6)
