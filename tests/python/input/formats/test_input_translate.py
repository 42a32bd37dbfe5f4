# SPDX-License-Identifier: BSD-3-Clause
"""A System and its translation have the same energy, term by term."""

from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from input_systems import write_alanine, write_input

from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.system import ClassicalSystem
from finegrain.units import bohr_in_nm, electron_mass_in_dalton, hartree_in_kj_per_mol


def rows(system: ClassicalSystem, table: str, *columns: str) -> Any:
    """Return the terms of a table: their atoms and parameters."""
    terms = system.terms[table]
    values = [terms[name].tolist() for name in columns]
    return zip(terms.atoms.tolist(), *values, strict=True)


def rebuilt(prepared: Prepared) -> openmm.System:
    """Make a System from the arrays, in the plainest way."""
    s, e, nm = prepared.system, hartree_in_kj_per_mol, bohr_in_nm
    system = openmm.System()
    for mass in s.mass:
        system.addParticle(mass * electron_mass_in_dalton)
    bonds, angles = openmm.HarmonicBondForce(), openmm.HarmonicAngleForce()
    torsions, pairs = openmm.PeriodicTorsionForce(), openmm.NonbondedForce()
    for (i, j), r, k in rows(s, "bonds", "length", "stiffness"):
        bonds.addBond(i, j, r * nm, k * e / nm**2)
    for row, t, k in rows(s, "angles", "angle", "stiffness"):
        angles.addAngle(*row, t, k * e)
    for row, n, phase, k in rows(s, "torsions", "periodicity", "phase", "stiffness"):
        torsions.addTorsion(*row, n, phase, k * e)
    for q, sigma, epsilon in zip(s.charge, s.sigma, s.epsilon, strict=True):
        pairs.addParticle(q, sigma * nm, epsilon * e)
    for (i, j), qq, sigma, epsilon in rows(s, "exceptions", "charge_product", "sigma", "epsilon"):
        pairs.addException(i, j, qq, sigma * nm, epsilon * e)
    for group, force in enumerate((bonds, angles, torsions, pairs)):
        force.setForceGroup(group)
        system.addForce(force)
    return system


def energies(system: openmm.System, position: Any) -> list[float]:
    """Energies of bonds, angles, torsions and pairs, kJ/mol."""
    kinds = ("HarmonicBondForce", "HarmonicAngleForce", "PeriodicTorsionForce", "NonbondedForce")
    for force in system.getForces():
        name = type(force).__name__
        force.setForceGroup(kinds.index(name) if name in kinds else 9)
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(position)
    return [
        context.getState(getEnergy=True, groups={group}).getPotentialEnergy()._value
        for group in range(4)
    ]


@pytest.mark.parametrize("constraints", ["none", "h-bonds"])
def test_energies_are_the_systems(tmp_path: Path, openmmtools_data: Path, constraints: str) -> None:
    write_alanine(tmp_path, openmmtools_data)
    more = f'[forces]\nconstraints = "{constraints}"\n'
    prepared = prepare(write_input(tmp_path, "x.prmtop", "x.crd", more))
    own = openmm.XmlSerializer.deserialize(prepared.source.system_xml)
    wanted = energies(own, prepared.source.position)
    found = energies(rebuilt(prepared), prepared.system.position * bohr_in_nm)
    assert all(abs(value) > 0.1 for value in wanted[1:])
    # Rounding of positions moved by tens of nm, on stiff bonds.
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_names_follow_the_topology(tmp_path: Path, openmmtools_data: Path) -> None:
    write_alanine(tmp_path, openmmtools_data)
    names = prepare(tmp_path / "in.toml").system.names
    assert names.residue_name == ["ACE", "ALA", "NME"]
    assert names.residue_number.tolist() == [1, 2, 3]
    assert [names.atom[i] for i in (4, 8, 14)] == ["C", "CA", "C"]
    assert names.element[6] == "N"
    assert np.bincount(names.residue).tolist() == [6, 10, 6]
