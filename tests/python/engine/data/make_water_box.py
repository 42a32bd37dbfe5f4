# SPDX-License-Identifier: BSD-3-Clause
"""Make water_box.pdb again: openmmtools' WaterBox, relaxed and brought to 300 K.

In the box from openmmtools hydrogens of different waters overlap. OpenMM's CPU platform is not
reproducible to the bit, so a new file is another, equally good configuration.
"""

from pathlib import Path

import openmm
from openmm import app, unit
from openmmtools import testsystems

made = testsystems.WaterBox()
integrator = openmm.LangevinMiddleIntegrator(300, 1 / unit.picosecond, 0.002)
integrator.setRandomNumberSeed(1)
integrator.setConstraintTolerance(1e-8)
context = openmm.Context(made.system, integrator, openmm.Platform.getPlatformByName("CPU"))
context.setPositions(made.positions)
openmm.LocalEnergyMinimizer.minimize(context, 100, 200)
context.setVelocitiesToTemperature(300, 1)
integrator.step(5000)
positions = context.getState(getPositions=True, enforcePeriodicBox=True).getPositions()
edges = [edge.value_in_unit(unit.nanometer) for edge in made.system.getDefaultPeriodicBoxVectors()]
made.topology.setPeriodicBoxVectors(edges * unit.nanometer)
with (Path(__file__).parent / "water_box.pdb").open("w") as file:
    app.PDBFile.writeFile(made.topology, positions, file)
