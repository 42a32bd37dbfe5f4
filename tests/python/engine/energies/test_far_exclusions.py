# SPDX-License-Identifier: BSD-3-Clause
"""Exclusions and exceptions whose atoms are, or get, farther apart than the cutoff: as OpenMM."""

from pathlib import Path

import numpy as np
import openmm
import pytest
from engine_jobs import job_from_state, state_of
from numpy.typing import NDArray
from openmm import unit

from finegrain import _engine, api
from finegrain.classical.job import Job
from finegrain.runs.energies import read_energies

BOX_NM = 4.0
ALPHA, MESH = 4.0, 64  # 1/nm
BOHR_IN_NM = 0.0529177210903
KJ = unit.kilojoule_per_mole


def ions(method: int) -> tuple[openmm.System, NDArray[np.float64]]:
    """Return 64 ions on a lattice; some pairs of them excluded, some with a term of their own."""
    rng = np.random.default_rng(11)
    steps = (np.arange(4) + 0.5) * BOX_NM / 4
    grid = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    start = grid + rng.uniform(-0.15, 0.15, grid.shape)
    system, force = openmm.System(), openmm.NonbondedForce()
    system.setDefaultPeriodicBoxVectors(*(np.eye(3) * BOX_NM))
    for i in range(len(start)):
        system.addParticle(35.0)
        force.addParticle(1 if i % 2 else -1, 0.3, 0.5)
    pairs = {tuple(sorted(rng.choice(len(start), 2, replace=False).tolist())) for _ in range(40)}
    for i, (a, b) in enumerate(sorted(pairs)):
        # OpenMM takes the difference as it is, and no image of it.
        if np.abs(start[a] - start[b]).max() > 0.49 * BOX_NM:
            continue
        force.addException(a, b, *((0, 0.3, 0) if i % 3 else (0.5, 0.35, 0.4)))
    force.setNonbondedMethod(method)
    force.setCutoffDistance(1.0)
    force.setPMEParameters(ALPHA, MESH, MESH, MESH)
    force.setUseDispersionCorrection(False)
    system.addForce(force)
    return system, start


def make_job(folder: Path, system: openmm.System, start: NDArray[np.float64], steps: int) -> Job:
    folder.mkdir(parents=True)
    (folder / "ions.xml").write_text(openmm.XmlSerializer.serialize(system), encoding="utf-8")
    lines = ["ions", str(len(start))]
    for i, (x, y, z) in enumerate(start):
        lines.append(f"{i + 1:5d}CL      CL{i + 1:5d}{x:14.9f}{y:14.9f}{z:14.9f}")
    lines.append(f"{BOX_NM} {BOX_NM} {BOX_NM}")
    (folder / "ions.gro").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "input.toml").write_text(
        f"""
[system]
kind = "classical"
topology = "{folder}/ions.xml"
coordinates = "{folder}/ions.gro"
[forces]
precision = "double"
[dynamics]
ensemble = "nve"
timestep = "1 fs"
steps = {steps}
velocities = "zero"
remove_com_motion = 0
[output]
energy_interval = 10
trajectory_interval = 0
""",
        encoding="utf-8",
    )
    return api.load(folder / "input.toml", folder / "job.h5")


def openmm_energy(system: openmm.System, at: NDArray[np.float64]) -> tuple[float, NDArray]:
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(at)
    state = context.getState(getEnergy=True, getForces=True)
    forces = state.getForces(asNumpy=True).value_in_unit(KJ / unit.nanometer)
    return state.getPotentialEnergy().value_in_unit(KJ), np.asarray(forces)


METHODS = [openmm.NonbondedForce.PME, openmm.NonbondedForce.CutoffPeriodic]


@pytest.mark.parametrize("method", METHODS)
def test_exclusions_beyond_the_cutoff_are_as_in_openmm(tmp_path: Path, method: int) -> None:
    """Tolerance: 1e-5 of the largest force; two meshes with splines of order 5 differ by less."""
    system, start = ions(method)
    nonbonded = system.getForce(0)
    beyond = 0
    for index in range(nonbonded.getNumExceptions()):
        a, b, *_ = nonbonded.getExceptionParameters(index)
        beyond += np.linalg.norm(start[a] - start[b]) > 1.0
    assert beyond > 5
    job = make_job(tmp_path / "job", system, start, 0)
    result = _engine.energy(str(job.path), pes=2)
    energy, forces = openmm_energy(system, start)
    assert result["energies"]["total"] == pytest.approx(energy, rel=1e-6)
    assert np.abs(np.asarray(result["forces"]) - forces).max() < 1e-5 * np.abs(forces).max()


def test_an_exclusion_that_gets_longer_than_the_cutoff_keeps_the_energy(tmp_path: Path) -> None:
    """Two excluded ions fly apart, 0.5 nm to 1.5 nm; the mesh's part is always subtracted."""
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors(*(np.eye(3) * BOX_NM))
    force = openmm.NonbondedForce()
    for charge in (1, -1, 0.5):
        system.addParticle(20.0)
        force.addParticle(charge, 0.3, 0.5)
    force.addException(0, 1, 0, 1, 0)
    force.setNonbondedMethod(openmm.NonbondedForce.PME)
    force.setCutoffDistance(1.0)
    force.setPMEParameters(ALPHA, MESH, MESH, MESH)
    force.setUseDispersionCorrection(False)
    system.addForce(force)
    start = np.array([[1.7, 2.0, 2.0], [2.2, 2.0, 2.0], [2.0, 3.6, 2.0]])
    job = make_job(tmp_path / "job", system, start, 500)
    state = {
        "position": start / BOHR_IN_NM,
        # 1 nm/ps each way, in bohr per au time
        "velocity": np.array([[-1, 0, 0], [1, 0, 0], [0, 0, 0]]) * 4.5710289e-4,
    }
    moving = job_from_state(job, tmp_path / "moving.h5", state)
    digests = {
        _engine.run(str(moving.path), str(tmp_path / f"{pes}"), pes=pes)["state_digest"]
        for pes in (1, 2)
    }
    assert len(digests) == 1
    end = state_of(tmp_path / "1" / "checkpoint.h5")["position"] * BOHR_IN_NM
    assert np.linalg.norm(end[1] - end[0]) > 1.3
    total = read_energies(tmp_path / "1")["total energy (kJ/mol)"]
    # The third ion pulls at both by some 100 kJ/mol/nm; one term left out is tens of kJ/mol.
    assert np.ptp(total) < 0.05


def test_exclusions_of_usual_molecules_are_not_far(tmp_path: Path) -> None:
    from engine_jobs import make_job as make

    job = make(tmp_path, "AlanineDipeptideExplicit")
    import h5py

    with h5py.File(job.path) as file:
        assert len(file["exceptions/atoms"]) > 100
        assert len(file["exceptions/far"]) == 0
