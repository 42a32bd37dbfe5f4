# SPDX-License-Identifier: BSD-3-Clause
"""Systems made by OpenMM's objects: their files, and energies and forces of both programs."""

from pathlib import Path

import numpy as np
import openmm
from numpy.typing import NDArray
from openmm import unit

from finegrain import _engine, api

Array = NDArray[np.float64]


def write_system(folder: Path, system: openmm.System, position: Array, more: str = "") -> Path:
    """Write a System, coordinates (nm) as a PDB file, and an input with `more` at its end."""
    (folder / "system.xml").write_text(openmm.XmlSerializer.serialize(system), encoding="utf-8")
    lines = [
        f"HETATM{i + 1:5d}  C{i % 100:<2d} CHN A   1    {10 * x:8.3f}{10 * y:8.3f}{10 * z:8.3f}"
        "  1.00  0.00           C"
        for i, (x, y, z) in enumerate(position)
    ]
    (folder / "system.pdb").write_text("\n".join([*lines, "END", ""]), encoding="utf-8")
    text = '[system]\nkind = "classical"\ntopology = "system.xml"\ncoordinates = "system.pdb"\n'
    (folder / "in.toml").write_text(text + more, encoding="utf-8")
    return folder / "in.toml"


def ours(path: Path, pes: int = 2) -> tuple[float, Array]:
    """Return energy (kJ/mol) and forces (kJ/mol/nm) of an input by the engine."""
    job = api.load(path, path.parent / "job.h5")
    result = _engine.energy(str(job.path), pes=pes)
    return result["energies"]["total"], np.asarray(result["forces"])


def openmms(system: openmm.System, position: Array) -> tuple[float, Array]:
    """Return the same by OpenMM's Reference platform, in double precision."""
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(position)
    state = context.getState(getEnergy=True, getForces=True)
    kj = unit.kilojoule_per_mole
    forces = state.getForces(asNumpy=True).value_in_unit(kj / unit.nanometer)
    return state.getPotentialEnergy().value_in_unit(kj), forces
