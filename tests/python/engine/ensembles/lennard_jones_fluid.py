# SPDX-License-Identifier: BSD-3-Clause
"""A fluid of 500 argon-like atoms at a state of NIST's table, cut at 3 sigma with a correction."""

from pathlib import Path

import numpy as np
import openmm
from openmm import app, unit
from volume_statistics import BAR, GAS

ATOMS = 500
SIGMA, EPSILON, MASS = 0.34, 0.996, 39.948  # nm, kJ/mol, Da
CUTOFF = 3 * SIGMA
# NIST Standard Reference Simulation Website, "Lennard-Jones fluid properties", Monte Carlo at
# constant volume of 500 atoms, cut at 3 sigma with long-range corrections:
# https://mmlapps.nist.gov/srs/LJ_PURE/mc.htm. Here T* = 0.9, pressures by density, reduced.
TEMPERATURE = 0.9 * EPSILON / GAS  # K
NIST_PRESSURES = {0.78: 0.27851, 0.82: 0.82386, 0.86: 1.5781, 0.90: 2.5848}
DENSITY = 0.82
PRESSURE = NIST_PRESSURES[DENSITY] * EPSILON / SIGMA**3 / BAR  # bar


def nist_compressibility() -> float:
    """Return 1 / (rho dP/drho) in 1/bar, from the cubic through NIST's four pressures."""
    slope = np.polyder(np.polyfit(list(NIST_PRESSURES), list(NIST_PRESSURES.values()), 3))
    reduced = 1 / (DENSITY * float(np.polyval(slope, DENSITY)))
    return reduced * SIGMA**3 / EPSILON * BAR


def fluid() -> tuple[openmm.System, app.Topology, np.ndarray]:
    """Return the system, its topology, and positions in nm, shape (500, 3)."""
    edge = (ATOMS / DENSITY) ** (1 / 3) * SIGMA
    system, topology = openmm.System(), app.Topology()
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in edge * np.eye(3)))
    topology.setPeriodicBoxVectors(edge * np.eye(3) * unit.nanometer)
    pairs = openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(CUTOFF)
    pairs.setUseSwitchingFunction(False)
    pairs.setUseDispersionCorrection(True)
    chain = topology.addChain()
    for _ in range(ATOMS):
        system.addParticle(MASS)
        pairs.addParticle(0.0, SIGMA, EPSILON)
        topology.addAtom("Ar", app.element.argon, topology.addResidue("AR", chain))
    system.addForce(pairs)
    # A disordered start, to be minimised: a crystal would not melt in a short run.
    sites = np.array(np.meshgrid(*[range(8)] * 3, indexing="ij")).reshape(3, -1).T[:ATOMS]
    shift = np.random.default_rng(1).normal(0, 0.3, (ATOMS, 3))
    return system, topology, (sites + shift) % 8 * edge / 8


def fluid_files(folder: Path) -> dict[str, str]:
    """Write the system and its positions; return [system]."""
    folder.mkdir(parents=True, exist_ok=True)
    system, topology, positions = fluid()
    (folder / "argon.xml").write_text(openmm.XmlSerializer.serialize(system))
    with (folder / "argon.pdb").open("w") as file:
        app.PDBFile.writeFile(topology, positions * unit.nanometer, file)
    return {"topology": str(folder / "argon.xml"), "coordinates": str(folder / "argon.pdb")}
