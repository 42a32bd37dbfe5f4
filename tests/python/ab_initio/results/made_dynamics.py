# SPDX-License-Identifier: BSD-3-Clause
"""Results of a dynamics as the engine writes them, with made-up numbers."""

import json
from pathlib import Path

import h5py
import made_results as made
import numpy as np

from finegrain import units
from finegrain.kinds.new_job import write_job

STEPS = 4
TIMESTEP = 0.1 / units.time_in_fs  # au
ATOMS = 3
EDGE = 0.6  # nm
HEADINGS = (
    "step",
    "time (ps)",
    "potential energy (hartree)",
    "ion kinetic energy (hartree)",
    "fictitious kinetic energy (hartree)",
    "conserved energy (hartree)",
    "temperature (K)",
    "deviation of overlaps",
    "iterations",
    *(f"{name.replace('_', '-')} (hartree)" for name in made.TERMS),
)


def row(step: int) -> list[float]:
    """The row of energies of a step."""
    potential = made.ENERGY + 0.001 * step
    fictitious = 0.0002 * step
    conserved = potential + 0.01 + fictitious
    shown = [potential, 0.01, fictitious, conserved, 300.0 + step, 1e-10, 3.0]
    return [float(step), 1e-4 * step, *shown, *made.TERMS.values()]


def positions(step: int) -> np.ndarray:
    """Positions [nm], not moved into the cell."""
    start = np.array([[0.3, 0.3, 0.3], [0.3757, 0.3, 0.3586], [0.2243, 0.3, 0.3586]])
    return start + 0.2 * step * np.array([1.0, 0.0, 0.0])


def velocities(step: int) -> np.ndarray:
    """Velocities [nm/ps]."""
    return np.full((ATOMS, 3), 0.5) + 0.1 * step


def forces(step: int) -> np.ndarray:
    """Forces [kJ/mol/nm]."""
    return 100.0 * np.arange(9.0).reshape(ATOMS, 3) - step


def write_trajectory(path: Path, steps: list[int], vectors: np.ndarray | None = None) -> None:
    """Write frames; by default in a cubic cell."""
    cell = np.full(3, EDGE) if vectors is None else vectors
    matrix = np.diag(cell) if cell.ndim == 1 else cell
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = [1, 1]
        all_atoms = file.create_group("particles/all")
        frames = np.array([positions(step) for step in steps])
        images = np.floor(frames @ np.linalg.inv(matrix)).astype(np.int16)
        inside = frames - images @ matrix
        series = {
            "position": inside,
            "image": images,
            "velocity": np.array([velocities(step) for step in steps]),
            "force": np.array([forces(step) for step in steps]),
            "box/edges": np.broadcast_to(cell, (len(steps), *cell.shape)),
        }
        for name, values in series.items():
            group = all_atoms.create_group(name)
            group["value"] = values if name == "image" else values.astype(np.float32)
            group["step"] = np.array(steps, np.int64)
            group["time"] = 1e-4 * np.array(steps, np.float64)
        all_atoms["box"].attrs["boundary"] = ["periodic"] * 3
        all_atoms["mass"] = np.array([15.999, 2.014, 2.014])
        for name in ("element", "name"):
            all_atoms.create_dataset(name, data=["O", "H", "H"], dtype=h5py.string_dtype())


def write_run(folder: Path, source: Path) -> Path:
    """Write the folder of a finished run, with its job."""
    folder.mkdir()
    write_job(source, folder / "job.h5")
    made.write_ground_state(folder / "ground_state.h5", with_density=False)
    lines = [",".join(HEADINGS)]
    lines += [
        f"{step}," + ",".join(f"{x:.17g}" for x in row(step)[1:]) for step in range(STEPS + 1)
    ]
    (folder / "energies.csv").write_text("\n".join(lines) + "\n")
    write_trajectory(folder / "trajectory.h5", [0, 2, 4])
    result = {
        "steps": STEPS,
        "finished": True,
        "pes": 2,
        "ranks": 1,
        "atoms": ATOMS,
        "seconds_per_step": 0.5,
        "ns_per_day": 0.1e-6 * 86400 / 0.5,
        "energy_drift": 2.5,
        "energy_drift_unit": "kJ/mol/ps/atom",
        "timestep_fs": 0.1,
        "state_digest": "cd" * 32,
        "title": "water",
        "phases": [],
        "parts": [],
        "warnings": [],
    }
    (folder / "result.json").write_text(json.dumps(result))
    (folder / "run.log").write_text("log\n")
    return folder
