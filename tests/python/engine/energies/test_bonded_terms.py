# SPDX-License-Identifier: BSD-3-Clause
"""Bonded terms of each kind from a System to energies and forces, as in OpenMM."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import openmm
import openmmtools
import pytest
from openmm import app, unit
from openmmtools import testsystems
from systems import openmms, ours, write_system

import finegrain as fg

CHAIN_NM = np.array(
    [
        [0.10, 0.10, 0.10],
        [0.23, 0.16, 0.12],
        [0.25, 0.30, 0.08],
        [0.39, 0.33, 0.13],
        [0.42, 0.47, 0.21],
        [0.30, 0.55, 0.19],
    ]
)
folded = "k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); pi = 3.141592653589793"


def a_bond() -> openmm.Force:
    force = openmm.HarmonicBondForce()
    force.addBond(0, 1, 0.15, 2.5e5)
    return force


def an_angle() -> openmm.Force:
    force = openmm.HarmonicAngleForce()
    force.addAngle(1, 2, 3, 2.1, 350.0)
    return force


def a_torsion() -> openmm.Force:
    force = openmm.PeriodicTorsionForce()
    force.addTorsion(0, 1, 2, 3, 3, 0.5, 1.5)
    return force


def a_ryckaert_bellemans_torsion() -> openmm.Force:
    force = openmm.RBTorsionForce()
    force.addTorsion(5, 4, 3, 2, 9.28, 12.16, -13.12, -3.06, 26.24, -31.5)
    return force


def a_harmonic_torsion(expression: str = folded, angle: float = 2.9) -> openmm.Force:
    force = openmm.CustomTorsionForce(expression)
    force.addPerTorsionParameter("k")
    force.addPerTorsionParameter("theta0")
    force.addTorsion(0, 1, 2, 3, [25.0, angle])
    force.addTorsion(1, 3, 2, 4, [12.0, -angle])
    return force


def a_harmonic_torsion_about_cis() -> openmm.Force:
    return a_harmonic_torsion("0.5 * k * (theta - theta0)^2", 0.0)


def a_gromos_bond() -> openmm.Force:
    force = openmm.CustomBondForce("0.25*k*(r^2-r0^2)^2")
    for name in ("k", "r0"):
        force.addPerBondParameter(name)
    force.addBond(1, 2, [7.1e6, 0.153])
    force.addBond(5, 4, [5.2e6, 0.139])
    return force


def a_gromos_angle() -> openmm.Force:
    force = openmm.CustomAngleForce("0.5 * k * (cos(theta) - cos(theta0))^2")
    for name in ("theta0", "k"):
        force.addPerAngleParameter(name)
    force.addAngle(0, 1, 2, [1.9, 520.0])
    force.addAngle(5, 4, 3, [2.1, 285.0])
    return force


def a_cmap() -> openmm.Force:
    force = openmm.CMAPTorsionForce()
    random = np.random.default_rng(5)
    for size in (24, 7):
        force.addMap(size, random.uniform(-10, 10, size**2))
    force.addTorsion(0, 0, 1, 2, 3, 1, 2, 3, 4)
    force.addTorsion(1, 4, 3, 2, 1, 5, 4, 3, 2)  # the first dihedral the other way round
    return force


@pytest.mark.parametrize(
    "make",
    [
        *(a_bond, an_angle, a_torsion, a_ryckaert_bellemans_torsion),
        *(a_harmonic_torsion, a_harmonic_torsion_about_cis, a_gromos_bond, a_gromos_angle, a_cmap),
    ],
)
def test_terms_are_those_of_openmm(tmp_path: Path, make: Callable[[], openmm.Force]) -> None:
    system, nonbonded = openmm.System(), openmm.NonbondedForce()
    for _ in CHAIN_NM:
        system.addParticle(12.0)
        nonbonded.addParticle(0.0, 0.1, 0.0)
    system.addForce(nonbonded)
    for _ in range(2):  # a System may have several forces of one kind
        system.addForce(make())
    energy, forces = openmms(system, CHAIN_NM)
    found, our_forces = ours(write_system(tmp_path, system, CHAIN_NM))
    assert abs(energy) > 0.01
    # The engine rounds the sum of each object to 2^-36 hartree, which is 3.8e-8 kJ/mol.
    assert found == pytest.approx(energy, rel=1e-10, abs=4e-8)
    assert np.abs(our_forces - forces).max() < 1e-8 * np.abs(forces).max()


def evaluated(
    system: openmm.System, positions: unit.Quantity
) -> tuple[dict[str, float], np.ndarray]:
    """Return OpenMM's energies by kind of force, kJ/mol, and all forces, kJ/mol/nm."""
    kinds = [type(force).__name__ for force in system.getForces()]
    for group, force in enumerate(system.getForces()):
        force.setForceGroup(group)
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(positions)
    kj = unit.kilojoule_per_mole
    energies = dict.fromkeys(kinds, 0.0)
    for group, kind in enumerate(kinds):
        state = context.getState(getEnergy=True, groups={group})
        energies[kind] += state.getPotentialEnergy().value_in_unit(kj)
    forces = context.getState(getForces=True).getForces(asNumpy=True)
    return energies, forces.value_in_unit(kj / unit.nanometer)


def checked(result: fg.Energies, system: openmm.System, positions: unit.Quantity) -> None:
    """Compare energies by term and forces with OpenMM's."""
    energies, forces = evaluated(system, positions)
    found = result.energies
    for term, force in (
        ("bond", "HarmonicBondForce"),
        ("angle", "HarmonicAngleForce"),
        ("torsion", "PeriodicTorsionForce"),
        ("improper", "CustomTorsionForce"),
        ("cmap", "CMAPTorsionForce"),
    ):
        assert (term in found) == (force in energies)
        if term in found:
            assert abs(energies[force]) > 1e-3
            # The engine rounds sums to 2^-36 hartree, which is 3.8e-8 kJ/mol.
            assert found[term] == pytest.approx(energies[force], rel=1e-8, abs=1e-7), term
    assert found["total"] == pytest.approx(sum(energies.values()), rel=1e-6)
    assert np.abs(result.forces - forces).max() < 1e-6 * np.abs(forces).max()


@pytest.mark.nightly
def test_a_protein_in_charmm36_has_openmms_energies_and_forces(tmp_path: Path) -> None:
    data = Path(openmmtools.__file__).parent / "data"
    source = data / "T4-lysozyme-L99A-implicit/receptor.pdb"
    pdb = app.PDBFile(str(source))
    system = app.ForceField("charmm36.xml").createSystem(pdb.topology)
    (tmp_path / "in.toml").write_text(
        f'[system]\nkind = "classical"\ntopology = "{source}"\nforcefield = ["charmm36.xml"]\n'
        '[forces]\nprecision = "double"\nconstraints = "none"\n'
    )
    checked(fg.energy(tmp_path / "in.toml"), system, pdb.positions)


def test_a_peptide_in_ff19sb_has_openmms_energies_and_forces(tmp_path: Path) -> None:
    peptide = testsystems.AlanineDipeptideVacuum()
    with (tmp_path / "peptide.pdb").open("w") as file:
        app.PDBFile.writeFile(peptide.topology, peptide.positions, file)
    pdb = app.PDBFile(str(tmp_path / "peptide.pdb"))
    name = "amber19/protein.ff19SB.xml"
    (tmp_path / "in.toml").write_text(
        f'[system]\nkind = "classical"\ntopology = "peptide.pdb"\nforcefield = ["{name}"]\n'
        '[forces]\nprecision = "double"\nconstraints = "none"\n'
    )
    system = app.ForceField(name).createSystem(pdb.topology)
    checked(fg.energy(tmp_path / "in.toml"), system, pdb.positions)


def test_bonds_of_gromos_are_bonds_for_viewers(tmp_path: Path) -> None:
    """They are in the job's list of bonds and in the trajectory's, where atoms count from 1."""
    system, nonbonded = openmm.System(), openmm.NonbondedForce()
    for _ in CHAIN_NM:
        system.addParticle(12.0)
        nonbonded.addParticle(0.0, 0.1, 0.0)
    system.addForce(nonbonded)
    system.addForce(a_gromos_bond())
    more = '[dynamics]\ntimestep = "0.1 fs"\nsteps = 1\ntemperature = "10 K"\n'
    more += '[minimise]\nmethod = "none"\n'
    run = fg.run(write_system(tmp_path, system, CHAIN_NM, more), tmp_path / "out", pes=1)
    np.testing.assert_array_equal(run.job.bonds(), [[1, 2], [4, 5]])
    with h5py.File(run.path / "trajectory.h5") as file:
        np.testing.assert_array_equal(file["connectivity/bonds"][...], [[2, 3], [5, 6]])
