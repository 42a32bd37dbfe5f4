# SPDX-License-Identifier: BSD-3-Clause
"""OPLS-AA, whose radii mix geometrically: energies by term and forces against OpenMM."""

import math
from pathlib import Path

import numpy as np
import openmm
import pytest
from engine_jobs import make_job
from ethanol import SPACING, write_charmm, write_gromacs
from openmm import app
from openmm_reference import assert_agreement, reference

import finegrain as fg
from finegrain.classical.job import Job

SIDE = 4
EDGE = SIDE * SPACING  # angstrom
ALPHA, MESH = 3.2, (24, 28, 24)
CUTOFF, SWITCH = 1.0, 0.8
FORCES = {
    "precision": "double",
    "constraints": "none",
    "cutoff": f"{CUTOFF} nm",
    "switch": f"{SWITCH} nm",
    "mesh": list(MESH),
    "spline_order": 5,
    "ewald_coefficient": f"{ALPHA} 1/nm",
    "dispersion_correction": True,
}


def job_of(folder: Path, **files: object) -> Job:
    section = {"kind": "classical", **files}
    return make_job(folder, str(files["topology"]), FORCES, {"timestep": "0.5 fs"}, system=section)


def compared(job: Job, system: openmm.System) -> None:
    """Compare with a System that has no box and no cutoff yet."""
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in EDGE / 10 * np.eye(3)))
    for force in system.getForces():
        if isinstance(force, openmm.NonbondedForce):
            force.setNonbondedMethod(openmm.NonbondedForce.PME)
            force.setUseDispersionCorrection(True)
        if isinstance(force, openmm.CustomNonbondedForce):
            force.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffPeriodic)
            force.setUseLongRangeCorrection(True)
    theirs = reference(system, job.positions, alpha=ALPHA, mesh=MESH, cutoff=CUTOFF, switch=SWITCH)
    for term in ("bond", "angle", "torsion", "exception", "lennard-jones", "coulomb", "dispersion"):
        assert abs(theirs.energies[term]) > 1
    assert_agreement(fg.energy(job), theirs)


def mixed_geometrically(system: openmm.System) -> None:
    """Move Lennard-Jones from the NonbondedForce to a formula, also in 1-4 pairs."""
    (force,) = [one for one in system.getForces() if isinstance(one, openmm.NonbondedForce)]
    own = openmm.CustomNonbondedForce(
        "4*epsilon*((sigma/r)^12-(sigma/r)^6); sigma=sqrt(sigma1*sigma2);"
        " epsilon=sqrt(epsilon1*epsilon2)"
    )
    own.addPerParticleParameter("sigma")
    own.addPerParticleParameter("epsilon")
    sigmas = []
    for atom in range(force.getNumParticles()):
        charge, sigma, epsilon = force.getParticleParameters(atom)
        own.addParticle([sigma._value, epsilon._value])
        sigmas.append(sigma._value)
        force.setParticleParameters(atom, charge, 1.0, 0.0)
    for index in range(force.getNumExceptions()):
        one, other, product, _, epsilon = force.getExceptionParameters(index)
        sigma = math.sqrt(sigmas[one] * sigmas[other])
        force.setExceptionParameters(index, one, other, product, sigma, epsilon)
        own.addExclusion(one, other)
    system.addForce(own)


def test_geom_of_charmms_parameters_mixes_radii_geometrically(tmp_path: Path) -> None:
    """OpenMM's reader ignores GEOM, so its System gets the rule here."""
    write_charmm(tmp_path, SIDE)
    files = {"coordinates": str(tmp_path / "e.pdb"), "parameters": [str(tmp_path / "e.prm")]}
    box = [f"{EDGE:.4f} Å"] * 3
    job = job_of(tmp_path, topology=str(tmp_path / "e.psf"), box=box, **files)
    parameters = app.CharmmParameterSet(str(tmp_path / "e.prm"))
    system = app.CharmmPsfFile(str(tmp_path / "e.psf")).createSystem(parameters)
    mixed_geometrically(system)
    compared(job, system)


def test_a_topology_of_gromacs_with_combination_rule_3(tmp_path: Path) -> None:
    write_gromacs(tmp_path, SIDE)
    files = {"topology": str(tmp_path / "e.top"), "coordinates": str(tmp_path / "e.gro")}
    job = job_of(tmp_path, **files)
    compared(job, app.GromacsTopFile(files["topology"]).createSystem())


def test_both_files_are_the_same_force_field(tmp_path: Path) -> None:
    """They have the numbers of one table, in other units and with other digits."""
    write_charmm(tmp_path, SIDE)
    write_gromacs(tmp_path, SIDE)
    box = [f"{EDGE:.4f} Å"] * 3
    charmm = job_of(
        tmp_path / "charmm",
        topology=str(tmp_path / "e.psf"),
        coordinates=str(tmp_path / "e.pdb"),
        parameters=[str(tmp_path / "e.prm")],
        box=box,
    )
    top = {"topology": str(tmp_path / "e.top"), "coordinates": str(tmp_path / "e.gro")}
    one, other = fg.energy(charmm), fg.energy(job_of(tmp_path / "gromacs", **top))
    for term, energy in one.energies.items():
        assert other.energies[term] == pytest.approx(energy, rel=1e-5), term
