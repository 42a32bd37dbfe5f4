# SPDX-License-Identifier: BSD-3-Clause
"""How accurate forces, energies and virials are in cells of several shapes; see measure.py.

Flexible water that fills each cell. Its forces at usual meshes are compared with those of a finer
one, all terms with OpenMM's Reference platform at the same settings, and the virial with
differences of the energy by strains.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import openmm

import finegrain as fg
from finegrain.base import cells
from finegrain.classical.job import Job

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests/python/engine"))

from engine_jobs import make_job
from openmm_reference import reference, relative_rms
from tilted_systems import (
    CELLS,
    CUBE,
    Floats,
    cutoff_in_a_gap,
    slopes_by_strain,
    sparse_waters,
    water_files,
)

ALPHA = 3.5  # 1/nm
PAIRS = {"precision": "double", "cutoff": "9 Å", "switch": "off"}
PAIRS |= {"electrostatics": "pme", "ewald_coefficient": f"{ALPHA} 1/nm"}
USUAL_ORDERS = (4, 5)


def cell_errors(folder: Path) -> list[dict[str, Any]]:
    """Return an entry for each shape."""
    shapes = {"cube": CUBE, **CELLS}
    return [of_cell(folder / name.replace(" ", "-"), name, cell) for name, cell in shapes.items()]


def of_cell(folder: Path, name: str, cell: Floats) -> dict[str, Any]:
    """Return the errors in one cell."""
    system = {"kind": "classical"} | water_files(folder, cell, rigid=False)

    def job(order: int, spacing: str) -> Job:
        mesh = {"mesh_spacing": spacing, "spline_order": order}
        return make_job(folder / f"order-{order}", "x.xml", PAIRS | mesh, system=system)

    fine = fg.energy(job(8, "0.4 Å")).forces
    jobs = {order: job(order, "1 Å") for order in USUAL_ORDERS}
    own = jobs[5]
    energy, forces = against_openmm(folder, own)
    return {
        "cell": name,
        "atoms": own.atoms,
        **{
            f"force_error_order_{order}": relative_rms(fg.energy(jobs[order]).forces, fine)
            for order in USUAL_ORDERS
        },
        "energy_against_openmm": energy,
        "forces_against_openmm": forces,
        "virial_against_strain": virial_error(folder / "virial", cell),
    }


def against_openmm(folder: Path, job: Job) -> tuple[float, float]:
    """Return the largest relative difference of an energy, and that of the forces."""
    system = openmm.XmlSerializer.deserialize((folder / "water.xml").read_text())
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in cells.vectors_of(job.box)))
    mesh = tuple(int(points) for points in job.settings["mesh"])
    theirs = reference(system, job.positions, alpha=ALPHA, mesh=mesh, cutoff=0.9, switch=0.0)
    ours = fg.energy(job)
    found = [(ours.energies[name], energy) for name, energy in theirs.energies.items() if energy]
    found.append((ours.total, theirs.whole))
    largest = max(abs(mine / wanted - 1) for mine, wanted in found)
    return largest, relative_rms(ours.forces, theirs.forces)


def virial_error(folder: Path, cell: Floats) -> float:
    """Return the largest difference of a component, over the largest component."""
    system = {"kind": "classical"} | sparse_waters(folder, cell)
    forces = PAIRS | {"mesh": [18, 20, 16], "spline_order": 4, "ewald_coefficient": "3.2 1/nm"}
    one = {"system": system, "patches": {"grid": [1, 1, 1]}}
    first = make_job(folder / "first", "x.xml", forces | {"cutoff": "0.8 nm"}, **one)
    cutoff = cutoff_in_a_gap(first.box, first.positions, 0.8)
    job = make_job(folder / "job", "x.xml", forces | {"cutoff": f"{cutoff!r} nm"}, **one)
    virial = fg.energy(job).virial
    assert virial is not None
    slopes = slopes_by_strain(job, folder / "strained.h5")
    return float(np.abs(virial + slopes).max() / np.abs(virial).max())
