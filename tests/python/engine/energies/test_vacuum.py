# SPDX-License-Identifier: BSD-3-Clause
"""Without a box there are no images and no edge: at any distance all is as in OpenMM."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import openmm
import pytest
from engine_jobs import job_from_state, state_of
from numpy.typing import NDArray
from systems import openmms, write_system

from finegrain import _engine, api
from finegrain.classical.job import Job
from finegrain.runs.energies import read_energies

BOHR_IN_NM = 0.0529177210903
Positions = NDArray[np.float64]


def ions(charges: list[int], cutoff_nm: float | None = None) -> openmm.System:
    """Return sodium-like ions without bonds, every pair or a reaction field."""
    system, force = openmm.System(), openmm.NonbondedForce()
    for charge in charges:
        system.addParticle(22.99)
        force.addParticle(charge, 0.25, 0.4)
    if cutoff_nm:
        force.setNonbondedMethod(openmm.NonbondedForce.CutoffNonPeriodic)
        force.setCutoffDistance(cutoff_nm)
    system.addForce(force)
    return system


def make_job(folder: Path, system: openmm.System, start: Positions, **sections: str) -> Job:
    folder.mkdir(parents=True)
    sections = {"dynamics": 'ensemble = "nve"\ntimestep = "1 fs"\nvelocities = "zero"'} | sections
    more = "\n".join(f"[{name}]\n{lines}" for name, lines in sections.items())
    return api.load(write_system(folder, system, start, more + "\n"), folder / "job.h5")


def flight(steps: int, every: int) -> dict[str, str]:
    return {
        "dynamics": 'ensemble = "nve"\ntimestep = "1 fs"\nvelocities = "zero"\n'
        f"remove_com_motion = 0\nsteps = {steps}",
        "output": f"energy_interval = {every}\ntrajectory_interval = {every}",
    }


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_two_ions_that_fly_apart_keep_their_energy_far_away(tmp_path: Path, precision: str) -> None:
    """From 3 Å to more than ten frames apart; with images they would come back from half a frame.

    The energy of the start, 463 kJ/mol, is kept to 2e-5: the first steps are the steepest, and
    velocity Verlet at 1 fs is off by 0.009 there.
    """
    start = np.array([[0, 0, 0], [0.3, 0, 0]])
    forces = {"forces": f'precision = "{precision}"'}
    job = make_job(tmp_path / "job", ions([1, 1]), start, **flight(60_000, 5000), **forces)
    with h5py.File(job.path) as file:
        frame = float(file["box"][0])
    _engine.run(str(job.path), str(tmp_path / "out"), pes=1)
    end = state_of(tmp_path / "out" / "checkpoint.h5")["position"]
    assert np.linalg.norm(end[1] - end[0]) > 10 * frame
    total = read_energies(tmp_path / "out")["total energy (kJ/mol)"]
    assert np.ptp(total) < 2e-5 * abs(total[0])
    with h5py.File(tmp_path / "out" / "trajectory.h5") as file:
        last = file["particles/all/position/value"][-1]
    with h5py.File(tmp_path / "out" / "checkpoint.h5") as file:
        assert not file["image"][...].any()
    assert np.linalg.norm(last[1] - last[0]) == pytest.approx(
        np.linalg.norm(end[1] - end[0]) * BOHR_IN_NM, rel=1e-6
    )


@pytest.mark.parametrize(
    ("cutoff_nm", "patches"),
    [
        (None, "grid = [2, 2, 2]"),
        (None, 'grid = [2, 2, 2]\npairs = "midpoint"'),
        (1.0, ""),
        (1.0, 'pairs = "midpoint"'),
        (1.0, 'grid = [2, 20, 30]\npairs = "midpoint"'),
    ],
)
def test_atoms_far_out_meet_others_and_no_image(
    tmp_path: Path, cutoff_nm: float | None, patches: str
) -> None:
    """Clouds of ions, spread over up to 100 frames after the division into patches."""
    rng = np.random.default_rng(5)
    count = 60
    charges = [1 if i % 2 else -1 for i in range(count)]
    grid = np.stack(np.meshgrid(*[np.arange(4)] * 3), axis=-1).reshape(-1, 3)[:count]
    start = 0.7 * grid + rng.uniform(-0.1, 0.1, (count, 3))
    system = ions(charges, cutoff_nm)
    job = make_job(
        tmp_path / "job",
        system,
        start,
        forces='precision = "double"',
        patches=patches,
        **flight(0, 1),
    )
    with h5py.File(job.path) as file:
        middle = np.asarray(file["box"]) / 2 * BOHR_IN_NM
        assert min(file["settings"].attrs["patch_grid"]) >= 2
        reach = tuple(file["settings"].attrs.get("reach", (1, 1, 1)))
    if "2, 20, 30" in patches:
        assert reach == (1, 2, 3)
    # Small clouds, far from each other, so that a cutoff has pairs inside and outside.
    clouds = rng.normal(size=(10, 3)) * np.repeat([1, 3, 10, 30, 100], 2)[:, None]
    far = middle + clouds[np.arange(count) % 10] + 0.4 * (start - start.mean(axis=0))
    moved = job_from_state(job, tmp_path / "far.h5", {"position": far / BOHR_IN_NM})
    result = _engine.energy(str(moved.path), pes=2)
    energy, forces = openmms(system, far)
    assert result["energies"]["total"] == pytest.approx(energy, rel=1e-8)
    assert np.abs(np.asarray(result["forces"]) - forces).max() < 1e-4 * np.abs(forces).max()


def test_ions_that_cross_patches_and_leave_have_the_same_bits_on_any_pes(tmp_path: Path) -> None:
    charges = [1] * 12
    start = np.random.default_rng(7).uniform(0, 1.2, (12, 3))
    start[:, 0] = np.arange(12) * 0.3
    sections: dict[str, Any] = flight(4000, 1000) | {"patches": "grid = [2, 2, 2]"}
    job = make_job(tmp_path / "job", ions(charges), start, **sections)
    digests = {
        _engine.run(str(job.path), str(tmp_path / f"{pes}"), pes=pes)["state_digest"]
        for pes in (1, 2, 5)
    }
    assert len(digests) == 1
    with h5py.File(tmp_path / "1" / "checkpoint.h5") as file:
        position, edge = file["position"][...], file["box"][...]
        assert not file["image"][...].any()
    assert (position < 0).any()
    assert (position > edge).any()
    total = read_energies(tmp_path / "1")["total energy (kJ/mol)"]
    assert np.ptp(total) < 1e-3 * abs(total[0])
