# SPDX-License-Identifier: BSD-3-Clause
"""DHFR on OpenMM's CPU platform."""

from __future__ import annotations

import time
from typing import Any

import dhfr


def version() -> dict[str, str]:
    """Return the version of OpenMM."""
    import openmm

    return {"version": openmm.Platform.getOpenMMVersion()}


class Simulation:
    """A context that has done its warm-up; each call of `run` times it again."""

    def __init__(self, threads: int, warm_up: int) -> None:
        import openmm
        from openmm import app, unit

        prmtop_file, inpcrd_file = dhfr.files()
        prmtop = app.AmberPrmtopFile(str(prmtop_file))
        inpcrd = app.AmberInpcrdFile(str(inpcrd_file))
        system = prmtop.createSystem(
            nonbondedMethod=app.PME,
            nonbondedCutoff=dhfr.CUTOFF_NM * unit.nanometer,
            constraints=app.HBonds,
            rigidWater=True,
            removeCMMotion=True,
        )
        mesh = (dhfr.MESH,) * 3
        for force in system.getForces():
            if isinstance(force, openmm.NonbondedForce):
                force.setPMEParameters(dhfr.EWALD_COEFFICIENT_PER_NM, *mesh)
                force.setUseDispersionCorrection(True)
        integrator = openmm.LangevinMiddleIntegrator(
            dhfr.TEMPERATURE_K * unit.kelvin,
            dhfr.FRICTION_PER_PS / unit.picosecond,
            dhfr.TIMESTEP_FS * unit.femtosecond,
        )
        integrator.setRandomNumberSeed(dhfr.SEED)
        platform = openmm.Platform.getPlatformByName("CPU")
        self._context = openmm.Context(system, integrator, platform, {"Threads": str(threads)})
        self._context.setPeriodicBoxVectors(*inpcrd.boxVectors)
        self._context.setPositions(inpcrd.positions)
        self._context.setVelocitiesToTemperature(dhfr.TEMPERATURE_K * unit.kelvin, dhfr.SEED)
        self._integrator = integrator
        self._step(warm_up)

    def run(self, steps: int) -> dict[str, Any]:
        """Time some steps."""
        start = time.perf_counter()
        self._step(steps)
        seconds = (time.perf_counter() - start) / steps
        return {"seconds_per_step": seconds, "ns_per_day": dhfr.ns_per_day(seconds)}

    def _step(self, steps: int) -> None:
        self._integrator.step(steps)
        self._context.getState(energy=True).getPotentialEnergy()  # waits for the last step
