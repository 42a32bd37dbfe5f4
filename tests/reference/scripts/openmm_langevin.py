# SPDX-License-Identifier: BSD-3-Clause
"""A rigid water and a rigid CH3 on springs under OpenMM's LangevinMiddleIntegrator at 0 K.

Without noise the trajectory is determined. It tests kicks, friction, SETTLE and SHAKE together.
Writes tests/reference/motion/openmm_langevin.inc, which langevin_test.cpp includes.
Run from the repository's root: .venv/bin/python tests/reference/scripts/openmm_langevin.py
"""

import math
from pathlib import Path

import openmm

MASSES = [15.9994, 1.008, 1.008, 12.011, 1.008, 1.008, 1.008]
OH, HH, CH = 0.09572, 0.15139, 0.109
SPRING, FRICTION, TIMESTEP, STEPS = 3000.0, 5.0, 0.002, 100  # kJ/mol/nm^2, 1/ps, ps


def positions() -> list[tuple[float, float, float]]:  # nm
    height = math.sqrt(OH**2 - (HH / 2) ** 2)
    water = [(0.5, 0.4, 0.3), (0.5 + HH / 2, 0.4 + height, 0.3), (0.5 - HH / 2, 0.4 + height, 0.3)]
    third, down = CH * math.sqrt(8) / 3, CH / 3
    methyl = [(1.0, 0.9, 1.1)]
    for k in range(3):
        angle = 2 * math.pi * k / 3 + 0.3
        methyl.append((1.0 + third * math.cos(angle), 0.9 + third * math.sin(angle), 1.1 - down))
    return water + methyl


def compute() -> list[tuple[float, float, float]]:
    system = openmm.System()
    for mass in MASSES:
        system.addParticle(mass)
    for a, b, d in [(0, 1, OH), (0, 2, OH), (1, 2, HH), (3, 4, CH), (3, 5, CH), (3, 6, CH)]:
        system.addConstraint(a, b, d)
    spring = openmm.CustomExternalForce(f"{SPRING}/2*((x-ax)^2+(y-ay)^2+(z-az)^2)")
    for name in ("ax", "ay", "az"):
        spring.addPerParticleParameter(name)
    start = positions()
    for i, (x, y, z) in enumerate(start):
        # Anchors away from the start, differently for each atom, so that everything rotates.
        spring.addParticle(i, (x + 0.02 * (i % 3 - 1), y + 0.015 * (i % 2), z - 0.01 * i))
    system.addForce(spring)
    integrator = openmm.LangevinMiddleIntegrator(0.0, FRICTION, TIMESTEP)
    integrator.setConstraintTolerance(1e-13)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("Reference"))
    context.setPositions(start)
    integrator.step(STEPS)
    end = context.getState(getPositions=True).getPositions()._value
    return [(p.x, p.y, p.z) for p in end]


def rows(table: list[tuple[float, ...]]) -> str:
    return ",\n    ".join("{" + ", ".join(repr(float(v)) for v in row) + "}" for row in table)


def main() -> None:
    text = f"""// Made by tests/reference/scripts/openmm_langevin.py with OpenMM
// {openmm.__version__}, Reference platform. Units: nm, ps, dalton, kJ/mol.
constexpr double masses[7] = {{{", ".join(map(repr, MASSES))}}};
constexpr double r_oh = {OH}, r_hh = {HH}, r_ch = {CH};
constexpr double spring = {SPRING}, friction = {FRICTION}, timestep = {TIMESTEP};
constexpr int steps = {STEPS};
constexpr double start_nm[7][3] = {{
    {rows(positions())}}};
constexpr double end_nm[7][3] = {{
    {rows(compute())}}};
"""
    target = Path(__file__).parents[1] / "motion" / "openmm_langevin.inc"
    target.write_text(text)


if __name__ == "__main__":
    main()
