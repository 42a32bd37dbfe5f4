# SPDX-License-Identifier: BSD-3-Clause
"""All bonds constrained: a small molecule is one fragment of many atoms, in water."""

import warnings
from importlib.util import find_spec
from pathlib import Path

import h5py
import numpy as np
import openmm
import pytest
from engine_jobs import state_of
from openmm import app, unit

from finegrain import _engine, api
from finegrain.classical.job import Job
from finegrain.errors import InputError
from finegrain.runs.energies import read_energies

BOHR_IN_NM = 0.0529177210903
FORCES = """constraints = "all-bonds"
cutoff = "8 Å"
switch = "off"
mesh = [36, 36, 36]
spline_order = 5
ewald_coefficient = "0.38 1/Å"
"""


def data(folder: str, name: str) -> Path:
    found = find_spec("openmmtools")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "data" / folder / name


def make_job(folder: Path, topology: Path, coordinates: Path, steps: int = 200) -> Job:
    folder.mkdir(parents=True)
    (folder / "input.toml").write_text(
        f"""
[system]
kind = "classical"
topology = "{topology}"
coordinates = "{coordinates}"
[forces]
{FORCES}
[dynamics]
ensemble = "nve"
timestep = "2 fs"
steps = {steps}
temperature = "300 K"
seed = 1
[output]
energy_interval = 10
""",
        encoding="utf-8",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return api.load(folder / "input.toml", folder / "job.h5")


@pytest.fixture
def peptide(tmp_path: Path) -> Job:
    name = "alanine-dipeptide-explicit"
    return make_job(
        tmp_path / "job",
        data(name, "alanine-dipeptide.prmtop"),
        data(name, "alanine-dipeptide.crd"),
    )


def test_alanine_dipeptide_with_all_bonds_has_the_energy_of_openmm(peptide: Job) -> None:
    name = "alanine-dipeptide-explicit"
    system = app.AmberPrmtopFile(str(data(name, "alanine-dipeptide.prmtop"))).createSystem(
        nonbondedMethod=app.PME,
        nonbondedCutoff=0.8 * unit.nanometer,
        constraints=app.AllBonds,
        removeCMMotion=False,
    )
    with h5py.File(peptide.path) as file:
        start = file["atoms/position"][...] * BOHR_IN_NM
        box = file["box"][...] * BOHR_IN_NM
        assert np.bincount(file["atoms/fragment"][...]).max() == 22
        assert len(file["constraints/atoms"]) == system.getNumConstraints()
    system.setDefaultPeriodicBoxVectors(*np.diag(box))
    nonbonded = next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
    nonbonded.setPMEParameters(3.8, 36, 36, 36)
    platform = openmm.Platform.getPlatformByName("CPU")  # single precision
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(start)
    state = context.getState(getEnergy=True, getForces=True)
    kj = unit.kilojoule_per_mole
    result = _engine.energy(str(peptide.path), pes=2)
    theirs = state.getPotentialEnergy().value_in_unit(kj)
    assert result["energies"]["total"] == pytest.approx(theirs, rel=1e-6)
    forces = np.asarray(state.getForces(asNumpy=True).value_in_unit(kj / unit.nanometer))
    error = np.abs(np.asarray(result["forces"]) - forces)
    assert error.max() < 1e-3 * np.abs(forces).max()


def test_alanine_with_all_bonds_keeps_lengths_and_energy(tmp_path: Path, peptide: Job) -> None:
    """0.4 ps at 2 fs: the energy of 2,269 atoms stays within a few kJ/mol, bonds within 1e-7."""
    digests = {
        _engine.run(str(peptide.path), str(tmp_path / f"{pes}"), pes=pes)["state_digest"]
        for pes in (1, 3)
    }
    assert len(digests) == 1
    end = state_of(tmp_path / "1" / "checkpoint.h5")["position"]
    with h5py.File(peptide.path) as file:
        one, other = file["constraints/atoms"][...].T
        length = file["constraints/distance"][...]
    now = np.linalg.norm(end[one] - end[other], axis=1)
    assert np.abs(now / length - 1).max() < 1e-7
    total = read_energies(tmp_path / "1")["total energy (kJ/mol)"]
    assert np.ptp(total) < 5e-4 * abs(total[0])


def test_a_protein_with_all_bonds_is_refused_with_what_to_use(tmp_path: Path) -> None:
    dhfr = "dhfr"
    with pytest.raises(InputError, match='use constraints = "h-bonds"'):
        make_job(tmp_path / "job", data(dhfr, "JAC.prmtop"), data(dhfr, "JAC.inpcrd"))


def test_our_start_and_openmms_meet_the_same_constraints(tmp_path: Path, peptide: Job) -> None:
    """Projected positions satisfy OpenMM's own list of constraints."""
    name = "alanine-dipeptide-explicit"
    system = app.AmberPrmtopFile(str(data(name, "alanine-dipeptide.prmtop"))).createSystem(
        nonbondedMethod=app.PME, nonbondedCutoff=0.8 * unit.nanometer, constraints=app.AllBonds
    )
    _engine.run(str(peptide.path), str(tmp_path / "out"), pes=1, steps=0)
    positions = state_of(tmp_path / "out" / "checkpoint.h5")["position"] * BOHR_IN_NM
    for index in range(system.getNumConstraints()):
        a, b, length = system.getConstraintParameters(index)
        apart = np.linalg.norm(positions[a] - positions[b])
        assert apart == pytest.approx(length.value_in_unit(unit.nanometer), rel=1e-7)
