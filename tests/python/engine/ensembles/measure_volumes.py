# SPDX-License-Identifier: BSD-3-Clause
"""Measure volumes at constant pressure by OpenMM's Monte Carlo barostat.

The systems are the water box at 300 K and 1 bar, and a Lennard-Jones fluid at a state of NIST's
table. Writes volumes.json, with which `test_pressure_ensembles.py` compares the barostats of
finegrain.
Usage: python measure_volumes.py water|argon [PICOSECONDS]
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import openmm
from openmm import app, unit

here = Path(__file__).parent
sys.path.append(str(here.parent))

from engine_jobs import WATER_BOX, openmm_system  # noqa: E402
from lennard_jones_fluid import PRESSURE, TEMPERATURE, fluid  # noqa: E402
from npt_runs import NPT_FORCES  # noqa: E402
from volume_statistics import volumes_of  # noqa: E402

equilibration = 40.0  # ps
usual_length = {"water": 400.0, "argon": 4000.0}  # ps


def water() -> tuple[openmm.System, list[openmm.Vec3], tuple[float, float, float]]:
    """Return system, positions, and temperature, pressure and time step."""
    system = openmm_system("water")
    (pairs,) = (f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
    pairs.setCutoffDistance(0.8)
    pairs.setUseSwitchingFunction(True)
    pairs.setSwitchingDistance(0.7)
    pairs.setPMEParameters(3.8, *NPT_FORCES["mesh"])
    pairs.setUseDispersionCorrection(True)
    return system, app.PDBFile(str(WATER_BOX)).positions, (300.0, 1.0, 0.002)


def argon() -> tuple[openmm.System, np.ndarray, tuple[float, float, float]]:
    """Return the same of the Lennard-Jones fluid."""
    system, _, positions = fluid()
    return system, positions, (TEMPERATURE, PRESSURE, 0.01)


def volumes(name: str, length: float) -> np.ndarray:
    """Return volumes, nm^3, every 100 steps."""
    system, positions, (temperature, pressure, timestep) = {"water": water, "argon": argon}[name]()
    system.addForce(openmm.MonteCarloBarostat(pressure, temperature, 25))
    system.addForce(openmm.CMMotionRemover(100))
    integrator = openmm.LangevinMiddleIntegrator(temperature, 1.0, timestep)
    integrator.setRandomNumberSeed(1)
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(system, integrator, platform, {"Threads": "1"})
    context.setPositions(positions)
    if name == "argon":
        openmm.LocalEnergyMinimizer.minimize(context, 10, 500)
    context.setVelocitiesToTemperature(temperature, 1)
    integrator.step(round(equilibration / timestep))
    found = []
    for _ in range(round(length / timestep / 100)):
        integrator.step(100)
        volume = context.getState().getPeriodicBoxVolume()
        found.append(volume.value_in_unit(unit.nanometer**3))
    return np.array(found)


def main() -> None:
    name = sys.argv[1]
    length = float(sys.argv[2]) if len(sys.argv) > 2 else usual_length[name]
    target = here / "volumes.json"
    report = json.loads(target.read_text())
    report[name] = {
        "origin": f"measure_volumes.py {name}, OpenMM {openmm.version.version}, CPU platform",
        "picoseconds": length,
        **asdict(volumes_of(volumes(name, length))),
    }
    target.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
