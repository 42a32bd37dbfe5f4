# SPDX-License-Identifier: BSD-3-Clause
"""Measure the volume of the water box at 300 K and 1 bar by OpenMM's Monte Carlo barostat.

Writes water_volume.json, with which `test_pressure_ensembles.py` compares the barostats of
finegrain. Usage: python measure_water_volume.py [PICOSECONDS]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import openmm
from openmm import app, unit
from openmmtools import testsystems

here = Path(__file__).parent
sys.path.insert(0, str(here.parent))

from npt_runs import NPT_FORCES, block_error  # noqa: E402

apart, equilibration = 0.2, 40.0  # ps


def main() -> None:
    length = float(sys.argv[1]) if len(sys.argv) > 1 else 400.0
    system = testsystems.WaterBox().system
    (pairs,) = (f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
    pairs.setCutoffDistance(0.8)
    pairs.setUseSwitchingFunction(True)
    pairs.setSwitchingDistance(0.7)
    pairs.setPMEParameters(3.8, *NPT_FORCES["mesh"])
    pairs.setUseDispersionCorrection(True)
    system.addForce(openmm.MonteCarloBarostat(1.0, 300.0, 25))
    system.addForce(openmm.CMMotionRemover(100))
    integrator = openmm.LangevinMiddleIntegrator(300.0, 1.0, 0.002)
    integrator.setRandomNumberSeed(1)
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(system, integrator, platform, {"Threads": "1"})
    context.setPositions(app.PDBFile(str(here / "water_box.pdb")).positions)
    context.setVelocitiesToTemperature(300.0, 1)
    integrator.step(round(equilibration / 0.002))
    volume = []
    for _ in range(round(length / apart)):
        integrator.step(round(apart / 0.002))
        v = context.getState().getPeriodicBoxVolume()
        volume.append(v.value_in_unit(unit.nanometer**3))
    values = np.array(volume)
    spread = (values - values.mean()) ** 2
    result = {
        "origin": f"measure_water_volume.py, OpenMM {openmm.version.version}, CPU platform",
        "picoseconds": length,
        "waters": system.getNumParticles() // 3,
        "volume_nm3": values.mean(),
        "volume_error_nm3": block_error(values),
        "variance_nm6": spread.mean(),
        "variance_error_nm6": block_error(spread),
    }
    (here / "water_volume.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
