# SPDX-License-Identifier: BSD-3-Clause
"""Flexible and rigid waters in cells of any shape, and the derivatives of energies by strains."""

import io
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import h5py
import numpy as np
import openmm
import pytest
from numpy.typing import NDArray
from openmm import app, unit

import finegrain
from finegrain.base import cells
from finegrain.classical.job import Job
from finegrain.files.seal import seal

Floats = NDArray[np.float64]


def truncated_octahedron(d: float) -> Floats:
    """Return OpenMM's vectors (`Modeller.addSolvent`, "octahedron") of images `d` apart."""
    return d * np.array([[1, 0, 0], [1 / 3, 8**0.5 / 3, 0], [-1 / 3, 2**0.5 / 3, 6**0.5 / 3]])


def rhombic_dodecahedron(d: float) -> Floats:
    """Return OpenMM's vectors ("dodecahedron") of images `d` apart."""
    return d * np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0.5**0.5]])


def monoclinic(d: float) -> Floats:
    """Return a cell with an angle of 63.4 degrees and three different lengths."""
    return d * np.array([[1.2, 0, 0], [0, 1.1, 0], [0.5, 0, 1]])


CELLS = {
    "truncated octahedron": truncated_octahedron(2.7),
    "rhombic dodecahedron": rhombic_dodecahedron(3.1),
    "monoclinic": monoclinic(2.2),
}
CUBE = np.diag([2.5, 2.5, 2.5])


def water_files(folder: Path, vectors: Floats, *, rigid: bool) -> dict[str, str]:
    """Write TIP3P water that fills a cell; return the section [system] for it.

    Modeller cuts the cell out of equilibrated water. At the faces there are close contacts, which
    are relaxed here.
    """
    folder.mkdir(parents=True, exist_ok=True)
    field = app.ForceField("amber14/tip3p.xml")
    modeller = app.Modeller(app.Topology(), [] * unit.nanometer)
    with redirect_stdout(io.StringIO()):
        modeller.addSolvent(field, model="tip3p", boxVectors=vectors * unit.nanometer)
    system = field.createSystem(
        modeller.topology,
        nonbondedMethod=app.PME,
        nonbondedCutoff=0.9 * unit.nanometer,
        rigidWater=rigid,
    )
    system.removeForce(
        next(i for i, f in enumerate(system.getForces()) if isinstance(f, openmm.CMMotionRemover))
    )
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform, {"Threads": "1"})
    context.setPositions(modeller.positions)
    openmm.LocalEnergyMinimizer.minimize(context, 1000, 30)
    positions = context.getState(getPositions=True, enforcePeriodicBox=True).getPositions()
    (folder / "water.xml").write_text(openmm.XmlSerializer.serialize(system))
    with (folder / "water.pdb").open("w") as file:
        app.PDBFile.writeFile(modeller.topology, positions, file)
    return {"topology": str(folder / "water.xml"), "coordinates": str(folder / "water.pdb")}


def sparse_waters(folder: Path, vectors: Floats) -> dict[str, str]:
    """Write 27 flexible waters, larger than at rest, in random directions; return [system].

    Two of their hydrogens have a Lennard-Jones exception with the next molecule's oxygen.
    """
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(4)
    system, topology, places = openmm.System(), app.Topology(), []
    chain = topology.addChain()
    nonbonded, bonds, angles = (
        openmm.NonbondedForce(),
        openmm.HarmonicBondForce(),
        openmm.HarmonicAngleForce(),
    )
    nonbonded.setNonbondedMethod(openmm.NonbondedForce.PME)
    for count in range(27):
        residue = topology.addResidue("HOH", chain)
        cell = np.array([count // 9, count // 3 % 3, count % 3])
        centre = (cell + 0.5 + random.uniform(-0.1, 0.1, 3)) / 3 @ vectors
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        first = 3 * count
        for name, element, mass, charge, arm in (
            ("O", app.element.oxygen, 16.0, -0.8, (0, 0, 0)),
            ("H1", app.element.hydrogen, 1.0, 0.45, (0.11, 0, 0)),
            ("H2", app.element.hydrogen, 1.0, 0.35, (-0.04, 0.1, 0)),
        ):
            topology.addAtom(name, element, residue)
            system.addParticle(mass)
            nonbonded.addParticle(charge, 0.3 if name == "O" else 0.1, 0.6)
            places.append(centre + turn @ np.array(arm))
        for other in (1, 2):
            bonds.addBond(first, first + other, 0.1, 4e5)
            nonbonded.addException(first, first + other, 0, 0.1, 0)
        nonbonded.addException(first + 1, first + 2, 0.05, 0.2, 0.3)
        angles.addAngle(first + 1, first, first + 2, 1.9, 400)
    for force in (nonbonded, bonds, angles):
        system.addForce(force)
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in vectors))
    topology.setPeriodicBoxVectors(vectors * unit.nanometer)
    (folder / "sparse.xml").write_text(openmm.XmlSerializer.serialize(system))
    with (folder / "sparse.pdb").open("w") as file:
        app.PDBFile.writeFile(topology, np.array(places) * unit.nanometer, file)
    return {"topology": str(folder / "sparse.xml"), "coordinates": str(folder / "sparse.pdb")}


COMPONENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # xx yy zz xy xz yz
STRAIN = 5e-4


def slopes_by_strain(job: Job, scratch: Path) -> Floats:
    """Return the derivatives of the energy by six strains, kJ/mol; `scratch` is overwritten.

    The strains keep the vectors of the cell in their form: they stretch and shear cell and atoms
    together. The difference is of sixth order: (45 d(h) - 9 d(2h) + d(3h)) / 60 h with
    d(h) = E(h) - E(-h). Its error is h^6 / 140 of the seventh derivative; that of 1/r^12 is 1.6e8
    of the energy, so with h = 5e-4 this is below 1e-13. No pair may cross the cutoff, where the
    energy is not smooth: see `cutoff_in_a_gap`.
    """

    def odd(component: int, step: float) -> float:
        more, less = (
            finegrain.energy(_strained(job, scratch, component, strain)).total
            for strain in (step, -step)
        )
        return more - less

    h = STRAIN
    sums = [45 * odd(i, h) - 9 * odd(i, 2 * h) + odd(i, 3 * h) for i in range(6)]
    return np.array(sums) / (60 * h)


def _strained(job: Job, target: Path, component: int, strain: float) -> Job:
    """Copy a job with strain * r_b added to r_a, of the positions and of the cell."""
    to, by = COMPONENTS[component]
    shutil.copyfile(job.path, target)
    with h5py.File(target, "r+") as file:
        vectors, position = cells.vectors_of(file["box"][...]).copy(), file["atoms/position"][...]
        volume = cells.volume(vectors)
        for rows in (vectors, position):
            rows[:, to] += strain * rows[:, by]
        file["atoms/position"][...] = position
        del file["box"]
        file["box"] = cells.engine_numbers(cells.box_of(vectors))
        assert cells.volume(vectors) == pytest.approx(volume * (1 + strain * (to == by)))
    seal(target)
    return Job(target)


def cutoff_in_a_gap(box: Floats, positions: Floats, near: float) -> float:
    """Return the cutoff, nm, from which the distances of all pairs differ most."""
    apart = positions[:, None] - positions[None, :]
    apart = apart[np.triu_indices(len(positions), 1)]
    images = np.array(np.meshgrid(*[[-1, 0, 1]] * 3)).reshape(3, -1).T @ cells.vectors_of(box)
    distances = np.sort(np.linalg.norm(apart[:, None] + images[None], axis=2).ravel())
    distances = distances[(distances > near - 0.1) & (distances < near + 0.1)]
    widest = int(np.diff(distances).argmax())
    assert distances[widest + 1] - distances[widest] > 2 * 3 * STRAIN * near
    return float(distances[widest : widest + 2].mean())
