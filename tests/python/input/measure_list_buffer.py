# SPDX-License-Identifier: BSD-3-Clause
"""Measure the energy that a stale pair list misses in TIP3P water; writes list_buffer.json.

Dynamics by OpenMM's CPU platform. A pair beyond cutoff + buffer that comes within the cutoff
Dynamics by OpenMM's CPU platform. A pair beyond cutoff + buffer that comes within the cutoff
`interval` - 1 steps later is missing from the list. Its energy, relative to that at the cutoff, is
counted without its sign, per time between lists and per atom. Takes some minutes.
"""

import json
import math
from pathlib import Path

import numpy as np
import openmm
from input_systems import Waters
from openmm import unit

cutoff, alpha, timestep, edge = 0.9, 3.6547, 0.002, 2.485
buffers = np.arange(0.02, 0.14, 0.02)
coulomb = 138.93545764438198  # kJ mol^-1 nm e^-2


def main() -> None:
    waters = Waters(side=8, edge=edge)
    waters.nonbonded.setCutoffDistance(cutoff)
    integrator = openmm.LangevinMiddleIntegrator(300, 5, timestep)
    integrator.setRandomNumberSeed(1)
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(waters.system, integrator, platform)
    context.setPositions(waters.position)
    openmm.LocalEnergyMinimizer.minimize(context, 10, 200)
    context.setVelocitiesToTemperature(300, 1)
    integrator.step(5000)
    parameters = [waters.nonbonded.getParticleParameters(i) for i in range(len(waters.position))]
    charge, sigma, epsilon = (
        np.array([value[column]._value for value in parameters]) for column in range(3)
    )
    one, two = np.triu_indices(len(charge), 1)
    apart = one // 3 != two // 3
    one, two = one[apart], two[apart]

    def distances() -> np.ndarray:
        position = context.getState(getPositions=True).getPositions(asNumpy=True)
        position = position.value_in_unit(unit.nanometer)
        d = position[one] - position[two]
        d -= edge * np.round(d / edge)
        return np.sqrt(np.einsum("ij,ij->i", d, d))

    def energy(r: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        s6 = (0.5 * (sigma[i] + sigma[j]) / r) ** 6
        screened = np.array([math.erfc(alpha * x) for x in r])
        lennard_jones = 4 * np.sqrt(epsilon[i] * epsilon[j]) * (s6 * s6 - s6)
        return lennard_jones + coulomb * charge[i] * charge[j] * screened / r

    losses = []
    for interval in (4, 8, 16):
        lost, pairs, draws = np.zeros(len(buffers)), np.zeros(len(buffers), int), 100
        for _ in range(draws):
            before = distances()
            integrator.step(interval - 1)
            after = distances()
            near = (after < cutoff) & (before > cutoff)
            i, j, reach = one[near], two[near], before[near]
            missed = np.abs(energy(after[near], i, j) - energy(np.full(len(i), cutoff), i, j))
            for column, buffer in enumerate(buffers):
                missing = reach > cutoff + buffer
                lost[column] += missed[missing].sum()
                pairs[column] += missing.sum()
            integrator.step(10)
        losses += [
            {
                "interval": interval,
                "buffer_angstrom": round(10 * float(buffers[column]), 3),
                "pairs": int(pairs[column]),
                "kj_per_mol_ps_atom": float(
                    lost[column] / draws / (interval * timestep) / len(charge)
                ),
            }
            for column in range(len(buffers))
            if pairs[column]
        ]
    found = {
        "origin": "measure_list_buffer.py, OpenMM " + openmm.Platform.getOpenMMVersion(),
        "cutoff_angstrom": 10 * cutoff,
        "ewald_per_angstrom": alpha / 10,
        "timestep_fs": 1000 * timestep,
        "atoms_per_nm3": len(charge) / edge**3,
        "losses": losses,
    }
    path = Path(__file__).parent / "list_buffer.json"
    path.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
