# SPDX-License-Identifier: BSD-3-Clause
"""Short dynamics of eight silicon atoms with a low cutoff, in many objects, by each scheme."""

from pathlib import Path

import h5py
import numpy as np
from ab_initio_systems import SILICON
from ase import Atoms
from ase.build import bulk
from ase.io import write

from finegrain.ab_initio.preparation.job import make_job

# Lines of [dynamics].
SCHEMES = {
    "constrained": ('kind = "car-parrinello"', 'timestep = "0.1 fs"'),
    "free": (
        'kind = "car-parrinello"',
        'timestep = "0.1 fs"',
        'orthonormality = "free"',
        "reset_above = 1e-5",  # some resets in a few steps
    ),
    "born-oppenheimer": ('kind = "born-oppenheimer"', 'timestep = "0.5 fs"'),
}


def silicon(scale: float = 1, rattle: float = 0.02) -> Atoms:
    """Return eight atoms beside their places, in a cell of this many times its size."""
    atoms = bulk("Si", cubic=True)
    atoms.set_cell(atoms.cell * scale, scale_atoms=True)
    atoms.rattle(rattle, seed=1)
    return atoms


def write_silicon(folder: Path, atoms: Atoms, tolerance: str, *more: str) -> Path:
    """Write an input of silicon at a low cutoff, and more lines at its end."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "si.xyz", atoms)
    (folder / "GTH").write_text(SILICON)
    lines = [
        "[system]",
        'kind = "ab-initio"',
        'structure = "si.xyz"',
        "[electrons]",
        'cutoff = "6 Ry"',
        'functional = "LDA"',
        'pseudopotentials = { Si = "GTH" }',
        "allow_low_cutoff = true",
        "[ground_state]",
        f'tolerance = "{tolerance}"',
        *more,
    ]
    path = folder / "si.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def write_input(
    folder: Path, scheme: str, steps: int, *more: str, tolerance: str = "1e-4 hartree"
) -> Path:
    """Write an input, and more lines at its end, where [dynamics] is open."""
    return write_silicon(
        folder,
        silicon(),
        tolerance,
        "[objects]",
        "state_grain = 4",
        "wave_parts = 2",
        "density_parts = 4",
        "pair_groups = 2",
        "tile_grain = 6",
        "[dynamics]",
        *SCHEMES[scheme],
        f"steps = {steps}",
        'temperature = "300 K"',
        *more,
    )


def job_of(folder: Path, scheme: str, steps: int, *more: str) -> Path:
    """Make the job of such an input, which runs need not make again."""
    job = folder / "job.h5"
    make_job(write_input(folder, scheme, steps, *more), job)
    return job


def frames(out: Path) -> dict[str, np.ndarray]:
    """Return steps, positions, velocities and forces of the trajectory."""
    with h5py.File(out / "trajectory.h5", "r", locking=False) as file:
        all_atoms = file["particles/all"]
        found = {
            name: all_atoms[f"{name}/value"][...] for name in ("position", "velocity", "force")
        }
        return found | {"step": all_atoms["position/step"][...]}
