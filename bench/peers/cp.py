# SPDX-License-Identifier: BSD-3-Clause
"""Steps of Car-Parrinello dynamics with Quantum ESPRESSO's cp.x: its inputs, runs, times.

Damped dynamics from random orbitals comes first, to the neighbourhood of the ground state. From
there two runs of different length move orbitals and ions; the difference of their times is that of
steps alone. Units: seconds; time steps and masses in Hartree atomic units, as cp.x has them.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pw

PROGRAM = "cp.x"
DAMPED_STEPS, FEW_STEPS = 150, 4
TIMESTEP, MASS, MASS_CUTOFF_RY = 4.0, 400.0, 3.0


def input_text(task: pw.Task, steps: int, masses: dict[str, float], damped: bool) -> str:
    """Return the input for a first run, damped, or for one that continues with moving ions."""
    begin = "from_scratch" if damped else "restart"
    electrons = "'damp', electron_damping = 0.15" if damped else "'verlet'"
    lines = [
        "&control",
        f"  calculation = 'cp', restart_mode = '{begin}', prefix = 'x', outdir = '.'",
        f"  pseudo_dir = '.', nstep = {steps}, dt = {TIMESTEP}, iprint = 1000, isave = 100000",
        "  tprnfor = .true., disk_io = 'low'",
        "/",
        *pw.system_lines(task),
        "&electrons",
        f"  emass = {MASS}, emass_cutoff = {MASS_CUTOFF_RY}, electron_dynamics = {electrons}",
        # A run that continues would add random numbers as well.
        *(["  startingwfc = 'random', ampre = 0.02"] if damped else []),
        "/",
        "&ions",
        f"  ion_dynamics = '{'none' if damped else 'verlet'}'",
        "/",
        *pw.atom_lines(task, masses),
    ]
    return "\n".join(lines) + "\n"


def _run(folder: Path, text: str, ranks: int, variant: str) -> tuple[float, str]:
    done = pw.run_on_ranks(PROGRAM, folder, text, ranks, variant, "JOB DONE")
    return done.seconds, done.output


def prepare(
    task: pw.Task,
    masses: dict[str, float],
    folder: Path,
    ranks: int,
    variant: str,
    damped_steps: int,
) -> None:
    """Bring the orbitals near their ground state, and leave them in the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in task.files.values():
        shutil.copy(file, folder)
    _run(folder, input_text(task, damped_steps, masses, damped=True), ranks, variant)


def run(
    task: pw.Task, masses: dict[str, float], folder: Path, ranks: int, variant: str, steps: int
) -> dict[str, Any]:
    """Return the seconds of one step: those of a run of some steps less those of a few."""
    times, printed = {}, ""
    for count in (FEW_STEPS, FEW_STEPS + steps):
        work = folder.with_name(folder.name + "-run")
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(folder, work)
        times[count], printed = _run(
            work, input_text(task, count, masses, damped=False), ranks, variant
        )
        shutil.rmtree(work)
    return {
        "seconds_of_a_step": (times[FEW_STEPS + steps] - times[FEW_STEPS]) / steps,
        "seconds": times[FEW_STEPS + steps],
        "total_energy": float(re.findall(r"total energy =\s+(\S+) Hartree", printed)[-1]),
    }
