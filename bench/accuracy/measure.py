# SPDX-License-Identifier: BSD-3-Clause
"""Measure how accurate forces, energies and dynamics are, and write it as JSON.

Alanine dipeptide in water (openmmtools), from a state at 300 K. Forces are compared with those of a
finer setting: their error is the root mean square difference divided by the root mean square force.
For dynamics at constant energy the total energy is compared.

Usage: measure.py [--out FILE] [--picoseconds P] [--start CHECKPOINT] [--only SECTION ...]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openmm
from cell_shapes import cell_errors
from conservation import conservation
from heavy_hydrogens import heavy_hydrogens
from numpy.typing import NDArray
from openmm import unit

import finegrain as fg
from finegrain.engine import machine

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

Array = NDArray[np.float64]

SYSTEM = "openmmtools:AlanineDipeptideExplicit"
# All approximations except one are made small, so that the error is that of the remaining one.
FINE: dict[str, Any] = {
    "cutoff": "9 Å",
    "switch": "off",
    "electrostatics": "pme",
    "ewald_coefficient": "0.35 1/Å",
    "mesh": [96, 96, 96],
    "spline_order": 8,
    "precision": "double",
}
MESHES = [16, 20, 24, 28, 32, 40, 48]
ORDERS = [4, 5, 6, 8]
COEFFICIENTS = [0.25, 0.30, 0.35, 0.40, 0.45]
CUTOFFS = [7, 8, 9, 10, 12]
STEPS_FS = [0.5, 1.0, 2.0, 3.0, 4.0]


def write_input(path: Path, start: Path | None, forces: dict[str, Any], rest: str) -> Path:
    """Write an input that starts from a checkpoint, or from the system's own positions."""
    lines = ["[system]", 'kind = "classical"', f'topology = "{SYSTEM}"']
    if start is not None:
        lines.append(f'coordinates = "{start}"')
    lines.append("[forces]")
    for key, value in forces.items():
        lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    path.write_text("\n".join([*lines, rest]) + "\n", encoding="utf-8")
    return path


class Evaluations:
    """Energies and forces of one state with many settings."""

    def __init__(self, folder: Path, start: Path) -> None:
        self.folder = folder
        self.start = start

    def of(self, **changed: Any) -> fg.Energies:
        """Evaluate with some of the fine settings changed."""
        source = write_input(self.folder / "one.toml", self.start, FINE | changed, "")
        return fg.energy(source)


def relative_error(found: Array, exact: Array) -> float:
    """Return the root mean square error of forces over the root mean square force."""
    return float(np.sqrt(((found - exact) ** 2).sum() / (exact**2).sum()))


def mesh_errors(evaluations: Evaluations, edge: float) -> list[dict[str, Any]]:
    """Vary the mesh and the order of its splines."""
    exact = evaluations.of()
    entries = []
    for order in ORDERS:
        for points in MESHES:
            found = evaluations.of(mesh=[points] * 3, spline_order=order)
            entries.append(
                {
                    "spacing_angstrom": edge / points,
                    "points": points,
                    "spline_order": order,
                    "force_error": relative_error(found.forces, exact.forces),
                }
            )
    return entries


def screening_errors(evaluations: Evaluations) -> list[dict[str, Any]]:
    """Vary the screening, which decides how much is cut off at 9 Å."""
    exact = evaluations.of(ewald_coefficient="0.6 1/Å", mesh=[160] * 3)
    entries = []
    for coefficient in COEFFICIENTS:
        found = evaluations.of(ewald_coefficient=f"{coefficient} 1/Å")
        error = relative_error(found.forces, exact.forces)
        entries.append({"coefficient": coefficient, "force_error": error})
    return entries


def cutoff_errors(evaluations: Evaluations, atoms: int) -> list[dict[str, Any]]:
    """Vary the cutoff of Lennard-Jones; the screening is adjusted so that its error stays small."""

    def at(cutoff: float, correction: bool) -> fg.Energies:
        return evaluations.of(
            cutoff=f"{cutoff:g} Å",
            ewald_coefficient=f"{4.5 / cutoff:.4f} 1/Å",
            mesh=[128] * 3,
            dispersion_correction=correction,
        )

    exact = at(14, True)
    entries = []
    for cutoff in CUTOFFS:
        with_it, without = at(cutoff, True), at(cutoff, False)
        entries.append(
            {
                "cutoff_angstrom": cutoff,
                "force_error": relative_error(with_it.forces, exact.forces),
                "energy_error": (with_it.energies["total"] - exact.energies["total"]) / atoms,
                "energy_error_uncorrected": (without.energies["total"] - exact.energies["total"])
                / atoms,
            }
        )
    return entries


def precision_errors(evaluations: Evaluations, atoms: int) -> dict[str, float]:
    """Compare single-precision forces with double ones, with all other settings equal."""
    double, mixed = evaluations.of(), evaluations.of(precision="mixed")
    return {
        "force_error": relative_error(mixed.forces, double.forces),
        "energy_error": (mixed.energies["total"] - double.energies["total"]) / atoms,
    }


def openmm_errors(evaluations: Evaluations, job: fg.Job) -> dict[str, float]:
    """Compare with OpenMM's reference platform at the same settings, on the same positions."""
    from openmmtools import testsystems

    system = testsystems.AlanineDipeptideExplicit().system
    (force,) = [one for one in system.getForces() if isinstance(one, openmm.NonbondedForce)]
    force.setNonbondedMethod(openmm.NonbondedForce.PME)
    force.setCutoffDistance(0.9 * unit.nanometer)
    force.setUseSwitchingFunction(False)
    force.setUseDispersionCorrection(True)
    force.setPMEParameters(3.5 / unit.nanometer, 48, 48, 48)
    context = openmm.Context(
        system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference")
    )
    context.setPositions(job.positions * unit.nanometer)
    state = context.getState(energy=True, forces=True)
    energy = state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
    forces = state.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer)
    ours = evaluations.of(mesh=[48] * 3, spline_order=5, dispersion_correction=True)
    return {
        "force_error": relative_error(ours.forces, np.asarray(forces)),
        "energy_error_relative": (ours.energies["total"] - energy) / energy,
    }


def drift(
    folder: Path, start: Path, timestep: float, precision: str, switched: bool, length: float
) -> Any:
    """Run at constant energy; return slope and scatter of the total energy of an atom."""
    switch = "7.5 Å" if switched else "off"
    forces = {"cutoff": "9 Å", "switch": switch, "precision": precision}
    forces |= {"ewald_tolerance": 1e-5, "electrostatics": "pme"}
    steps = round(1000 * length / timestep)
    every = max(1, round(10 / timestep))
    rest = f"""
[dynamics]
timestep = "{timestep} fs"
steps = {steps}
velocities = "from-file"
[output]
energy_interval = {every}
trajectory_interval = 0
"""
    source = write_input(folder / "drift.toml", start, forces, rest)
    run = fg.run(source, folder / f"{precision}-{timestep}-{switched}", pes=2)
    return {
        "timestep_fs": timestep,
        "precision": precision,
        "switched": switched,
        "picoseconds": length,
        **conservation(run),
    }


def warmed(folder: Path) -> Path:
    """Minimise and warm the system; return the checkpoint."""
    rest = """
[minimise]
[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = 1500
temperature = "300 K"
friction = "10 1/ps"
[output]
trajectory_interval = 0
"""
    source = write_input(folder / "warm.toml", None, {"cutoff": "9 Å", "switch": "off"}, rest)
    return fg.run(source, folder / "warm", pes=2).path / "checkpoint.h5"


def sections(folder: Path, start: Path, length: float) -> dict[str, Callable[[], Any]]:
    """Return the measurements, by their names in the stored result."""
    evaluations = Evaluations(folder, start)
    job = fg.load(write_input(folder / "job.toml", start, FINE, ""), folder / "one.job.h5")
    edge = 10 * float(job.box.max())
    runs = [(step, "mixed", True) for step in STEPS_FS]
    runs += [(2.0, "double", True), (2.0, "mixed", False)]
    return {
        "system": lambda: {"name": "alanine dipeptide in water", "atoms": job.atoms, "edge": edge},
        "machine": machine.fingerprint,
        "mesh": lambda: mesh_errors(evaluations, edge),
        "screening": lambda: screening_errors(evaluations),
        "cutoff": lambda: cutoff_errors(evaluations, job.atoms),
        "precision": lambda: precision_errors(evaluations, job.atoms),
        "openmm": lambda: openmm_errors(evaluations, job),
        "drift": lambda: [drift(folder, start, *run, length) for run in runs],
        "cells": lambda: cell_errors(folder / "cells"),
        "heavy_hydrogens": lambda: heavy_hydrogens(folder / "heavy"),
    }


def main() -> None:
    """Measure, and store each section as soon as it is complete."""
    parser = argparse.ArgumentParser(description="How accurate forces, energies and dynamics are.")
    parser.add_argument("--out", type=Path, default=Path("bench/results/accuracy.json"))
    parser.add_argument("--picoseconds", type=float, default=2.0, help="length of runs")
    parser.add_argument("--start", type=Path, help="a checkpoint of the system at 300 K")
    parser.add_argument("--only", nargs="+", help="these sections; the others stay")
    options = parser.parse_args()
    report = stored.read(options.out) if options.out.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        start = options.start.resolve() if options.start else warmed(Path(name))
        for section, measure in sections(Path(name), start, options.picoseconds).items():
            if options.only is None or section in options.only:
                report[section] = measure()
                stored.write(report, options.out)


if __name__ == "__main__":
    main()
