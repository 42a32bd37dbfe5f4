# SPDX-License-Identifier: BSD-3-Clause
"""Bonded energies and forces of a six-atom chain by OpenMM's Reference platform.

Writes tests/reference/forces/bonded/openmm_bonded.inc, which bonded_test.cpp includes.
Run from the repository's root: .venv/bin/python tests/reference/scripts/openmm_bonded.py
"""

import math
import textwrap
from collections.abc import Iterable
from pathlib import Path

import openmm

POSITIONS = [  # nm
    (0.100, 0.100, 0.100),
    (0.230, 0.160, 0.120),
    (0.250, 0.300, 0.080),
    (0.390, 0.330, 0.130),
    (0.420, 0.470, 0.210),
    (0.300, 0.550, 0.190),
]
BONDS = [(0, 1, 0.15, 2.5e5), (1, 2, 0.14, 3.1e5), (2, 3, 0.152, 2.2e5), (3, 4, 0.16, 1.9e5)]
ANGLES = [(0, 1, 2, 1.9, 400.0), (1, 2, 3, 2.1, 350.0), (5, 4, 3, 1.8, 500.0)]
GROMOS_BONDS = [(0, 1, 0.15, 7.1e6), (3, 4, 0.16, 5.2e6)]
GROMOS_ANGLES = [(0, 1, 2, 1.9, 520.0), (5, 4, 3, 1.8, 380.0)]
TORSIONS = [
    (0, 1, 2, 3, 1, 0.0, 2.0),
    (0, 1, 2, 3, 2, 3.141592653589793, 5.0),
    (1, 2, 3, 4, 3, 0.5, 1.5),
    (5, 4, 3, 2, 6, 0.0, 0.7),
    (1, 3, 2, 4, 2, 3.141592653589793, 4.4),
]
RYCKAERT_BELLEMANS = [
    (0, 1, 2, 3, 9.28, 12.16, -13.12, -3.06, 26.24, -31.5),
    (5, 4, 3, 2, 1.5, -2.5, 0.4, 3.1, 0.0, 0.0),
]
# The last angle is 3.036: the short way to -3 is across 180 degrees.
HARMONIC_TORSIONS = [(0, 1, 2, 3, 0.1, 25.0), (1, 3, 2, 4, 0.0, 83.68), (0, 1, 2, 3, -3.0, 12.0)]
FOLDED = "0.5*k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); pi = 3.141592653589793"
MAP_SIZES = [2, 3, 8]
CMAPS = [  # five atoms, number of the map
    (0, 1, 2, 3, 4, 2),
    (1, 2, 3, 4, 5, 1),
    (5, 4, 3, 2, 1, 0),
    (4, 2, 0, 1, 3, 2),
]


def map_energies(size: int) -> list[float]:
    """Energies of (i, j) at i + size * j, neither smooth nor symmetric."""
    return [
        round(3 * math.sin(5 * i + 0.3) + 2 * math.cos(3 * j + i * j), 4)
        for j in range(size)
        for i in range(size)
    ]


EXCEPTIONS = [(0, 3, 0.05, 0.3, 0.2), (1, 4, -0.08, 0.25, 0.4), (2, 5, 0.02, 0.0, 0.0)]


def compute() -> tuple[list[float], list[tuple[float, float, float]]]:
    system = openmm.System()
    for _ in POSITIONS:
        system.addParticle(12.0)
    bonds, angles = openmm.HarmonicBondForce(), openmm.HarmonicAngleForce()
    torsions, nonbonded = openmm.PeriodicTorsionForce(), openmm.NonbondedForce()
    polynomials = openmm.RBTorsionForce()
    for term in BONDS:
        bonds.addBond(*term)
    for term in ANGLES:
        angles.addAngle(*term)
    for term in TORSIONS:
        torsions.addTorsion(*term)
    gromos_bonds = openmm.CustomBondForce("0.25*k*(r^2-r0^2)^2")
    gromos_bonds.addPerBondParameter("r0")
    gromos_bonds.addPerBondParameter("k")
    for a, b, *values in GROMOS_BONDS:
        gromos_bonds.addBond(a, b, values)
    gromos_angles = openmm.CustomAngleForce("0.5*k*(cos(theta)-cos(theta0))^2")
    gromos_angles.addPerAngleParameter("theta0")
    gromos_angles.addPerAngleParameter("k")
    for a, b, c, *values in GROMOS_ANGLES:
        gromos_angles.addAngle(a, b, c, values)
    impropers, cmaps = openmm.CustomTorsionForce(FOLDED), openmm.CMAPTorsionForce()
    for term in RYCKAERT_BELLEMANS:
        polynomials.addTorsion(*term)
    impropers.addPerTorsionParameter("theta0")
    impropers.addPerTorsionParameter("k")
    for *atoms, angle, stiffness in HARMONIC_TORSIONS:
        impropers.addTorsion(*atoms, [angle, stiffness])
    for size in MAP_SIZES:
        cmaps.addMap(size, map_energies(size))
    for *atoms, number in CMAPS:
        cmaps.addTorsion(number, *atoms[:4], *atoms[1:])
    for _ in POSITIONS:
        nonbonded.addParticle(0.0, 0.1, 0.0)
    for a, b, charge, sigma, epsilon in EXCEPTIONS:
        nonbonded.addException(a, b, charge, sigma, epsilon)
    forces = (bonds, angles, torsions, nonbonded, polynomials, impropers, cmaps)
    forces += (gromos_bonds, gromos_angles)
    for group, force in enumerate(forces):
        force.setForceGroup(group)
        system.addForce(force)
    integrator = openmm.VerletIntegrator(0.001)
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, integrator, platform)
    context.setPositions(POSITIONS)
    energies = [
        context.getState(getEnergy=True, groups={group}).getPotentialEnergy()._value
        for group in range(len(forces))
    ]
    total = context.getState(getForces=True).getForces()
    return energies, [(f.x, f.y, f.z) for f in total._value]


def rows(table: list[tuple[float, ...]]) -> str:
    return ",\n    ".join("{" + ", ".join(repr(float(v)) for v in row) + "}" for row in table)


def numbers(values: Iterable[float]) -> str:
    return "\n    ".join(textwrap.wrap(", ".join(map(repr, values)), 94))


def main() -> None:
    energies, forces = compute()
    text = f"""// Made by tests/reference/scripts/openmm_bonded.py with OpenMM
// {openmm.__version__}, Reference platform. Units: nm, kJ/mol, radians, e.
constexpr double positions_nm[6][3] = {{
    {rows(POSITIONS)}}};
constexpr double bonds[4][4] = {{
    {rows(BONDS)}}};
constexpr double angles[3][5] = {{
    {rows(ANGLES)}}};
constexpr double gromos_bonds[2][4] = {{
    {rows(GROMOS_BONDS)}}};
constexpr double gromos_angles[2][5] = {{
    {rows(GROMOS_ANGLES)}}};
constexpr double torsions[5][7] = {{
    {rows(TORSIONS)}}};
constexpr double ryckaert_bellemans[2][10] = {{
    {rows(RYCKAERT_BELLEMANS)}}};
constexpr double harmonic_torsions[3][6] = {{
    {rows(HARMONIC_TORSIONS)}}};
constexpr int map_sizes[3] = {{{", ".join(map(str, MAP_SIZES))}}};
constexpr double map_energies[] = {{
    {numbers(e for size in MAP_SIZES for e in map_energies(size))}}};
constexpr double cmaps[4][6] = {{
    {rows(CMAPS)}}};
constexpr double exceptions[3][5] = {{
    {rows(EXCEPTIONS)}}};
// Bonds, angles, torsions, exceptions, Ryckaert-Bellemans torsions, harmonic torsions, CMAP, bonds
// and angles of GROMOS.
constexpr double energies_kj_per_mol[9] = {{
    {numbers(energies)}}};
constexpr double forces_kj_per_mol_nm[6][3] = {{
    {rows(forces)}}};
"""
    target = Path(__file__).parents[1] / "forces" / "bonded" / "openmm_bonded.inc"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


if __name__ == "__main__":
    main()
