# SPDX-License-Identifier: BSD-3-Clause
"""Results as the engine writes them, with made-up numbers."""

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain.kinds.new_job import write_job

ENERGY = -17.2
TERMS = {
    "kinetic": 12.5,
    "hartree": 9.0,
    "local": -40.0,
    "alpha": -0.2,
    "nonlocal": 1.9,
    "exchange_correlation": -4.2,
    "ewald": 3.8,
}
FORCES = np.array([[0.0, 0.001, -0.02], [0.003, 0.0, 0.01], [-0.003, -0.001, 0.01]])
STRESS = 1e-4 * np.array([[-1.0, 0.1, 0.2], [0.1, -2.0, 0.3], [0.2, 0.3, -3.0]])
DIPOLE = np.array([0.0, 0.1, 0.7])
EIGENVALUES = np.array([-0.9, -0.5, -0.33, -0.25])
GRID = (4, 5, 6)


def density() -> np.ndarray:
    """Another number at each point."""
    return np.arange(np.prod(GRID), dtype=float).reshape(GRID) / 100


def write_ground_state(
    path: Path, *, converged: bool = True, with_density: bool = True, isolated: bool = False
) -> None:
    """Write a file of results for the water of the tests."""
    with h5py.File(path, "w") as file:
        file.attrs.update(
            format="finegrain-ground-state",
            version=1,
            converged=int(converged),
            iterations=3,
            residual=2e-7 if converged else 3e-3,
            energy=ENERGY,
            state_digest="ab" * 32,
            boundary="isolated" if isolated else "periodic",
            spins=1,
        )
        if isolated:
            file.attrs["electrons_outside"] = 1e-4
            file["dipole"] = DIPOLE
        else:
            file["stress"] = STRESS
        for name, value in {**TERMS, "total": ENERGY}.items():
            file[f"energies/{name}"] = value
        file["forces"], file["eigenvalues"] = FORCES, EIGENVALUES
        edge = 6 / 0.529177210903
        file["cell/vectors"] = np.eye(3) * edge
        places = np.array([[3.0, 3.0, 3.0], [3.757, 3.0, 3.586], [2.243, 3.0, 3.586]])
        file["ions/position"] = places / 0.529177210903
        file.create_dataset("ions/symbol", data=["O", "H", "H"], dtype=h5py.string_dtype())
        history = [[-16.0, 0.1, 0.0], [-17.1, 0.01, 0.5], [-17.19, 1e-4, 1.0], [ENERGY, 2e-7, 1.5]]
        file["history"] = np.array(history)
        if with_density:
            file["density"] = density()


def write_run(folder: Path, source: Path, **how: Any) -> Path:
    """Write the folder of a run, with its job."""
    folder.mkdir()
    write_job(source, folder / "job.h5")
    write_ground_state(folder / "ground_state.h5", **how)
    result = {
        "steps": 3,
        "finished": how.get("converged", True),
        "pes": 2,
        "ranks": 1,
        "atoms": 3,
        "seconds_per_step": 0.5,
        "state_digest": "ab" * 32,
        "title": "water",
        "phases": [],
        "parts": [],
        "warnings": [],
    }
    (folder / "result.json").write_text(json.dumps(result))
    (folder / "run.log").write_text("log\n")
    return folder
