# SPDX-License-Identifier: BSD-3-Clause
"""Bonded terms of each kind from a System to energies and forces, as in OpenMM."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import openmm
import pytest
from openmm import unit

from finegrain import _engine, api

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
INPUT = """[system]
kind = "classical"
topology = "chain.xml"
coordinates = "chain.pdb"
"""


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


@pytest.mark.parametrize("make", [a_bond, an_angle, a_torsion, a_ryckaert_bellemans_torsion])
def test_a_term_has_openmms_energy_and_forces(
    tmp_path: Path, make: Callable[[], openmm.Force]
) -> None:
    system, nonbonded = openmm.System(), openmm.NonbondedForce()
    for _ in CHAIN_NM:
        system.addParticle(12.0)
        nonbonded.addParticle(0.0, 0.1, 0.0)
    system.addForce(nonbonded)
    for _ in range(2):  # a System may have several forces of one kind
        system.addForce(make())
    (tmp_path / "chain.xml").write_text(openmm.XmlSerializer.serialize(system), encoding="utf-8")
    rows = [
        f"HETATM{i + 1:5d}  C{i}  CHN A   1    {10 * x:8.3f}{10 * y:8.3f}{10 * z:8.3f}"
        "  1.00  0.00           C"
        for i, (x, y, z) in enumerate(CHAIN_NM)
    ]
    (tmp_path / "chain.pdb").write_text("\n".join([*rows, "END", ""]), encoding="utf-8")
    (tmp_path / "in.toml").write_text(INPUT, encoding="utf-8")
    job = api.load(tmp_path / "in.toml", tmp_path / "job.h5")
    result = _engine.energy(str(job.path), pes=2)

    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(CHAIN_NM)
    state = context.getState(getEnergy=True, getForces=True)
    kj = unit.kilojoule_per_mole
    energy = state.getPotentialEnergy().value_in_unit(kj)
    forces = state.getForces(asNumpy=True).value_in_unit(kj / unit.nanometer)
    assert abs(energy) > 0.01
    # The engine rounds the sum of each object to 2^-36 hartree, which is 3.8e-8 kJ/mol.
    assert result["energies"]["total"] == pytest.approx(energy, rel=1e-10, abs=4e-8)
    assert np.abs(np.asarray(result["forces"]) - forces).max() < 1e-8 * np.abs(forces).max()
