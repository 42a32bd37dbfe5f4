# SPDX-License-Identifier: BSD-3-Clause
"""Runs that end in the middle of a write, and their expected results after resuming."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from engine_jobs import FAST_WATER_FORCES, job_from_state, make_job
from process_runs import ENGINE

import finegrain as fg
from finegrain.classical.job import Job

STEPS = 60
EVERY = 5  # steps between two frames, and two rows of energies
SHIM = Path(__file__).parent / "kill_at_write.c"
TIMEOUT_S = 120


def short_job(folder: Path, **dynamics: Any) -> Job:
    """A box of water for sixty steps, saved at every rebuild."""
    output = {"energy_interval": EVERY, "trajectory_interval": EVERY}
    water = make_job(folder, "water", FAST_WATER_FORCES, {"steps": STEPS}, output=output)
    often = {"checkpoint_seconds": 1e-6} | dynamics
    return job_from_state(water, folder / "often.h5", {}, **often)


def built_shim(folder: Path) -> Path:
    """Compile what kills a process at a write."""
    target = folder / "kill_at_write.so"
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(target), str(SHIM), "-ldl"]
    subprocess.run(command, check=True, timeout=TIMEOUT_S)
    return target


def engine_run(out: Path, *words: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the engine's own executable on the job in a folder; it starts sooner than Python."""
    command = [str(ENGINE), str(out / "job.h5"), "--out", str(out), "--pes", "1", "--quiet"]
    return subprocess.run(
        [*command, *map(str, words)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def as_started(job: Job, out: Path) -> Path:
    """Make the folder as `finegrain run` leaves it to the engine."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    shutil.copyfile(job.path, out / "job.h5")
    return out


class Results:
    """Everything that a run leaves, to be compared."""

    def __init__(self, out: Path) -> None:
        self.energies = (out / "energies.csv").read_bytes()
        self.digest = fg.Run(out).state_digest
        self.tables: dict[str, np.ndarray[Any, Any]] = {}
        with h5py.File(out / "trajectory.h5", "r", locking=False) as file:
            for group in (
                "particles/all/position",
                "particles/all/image",
                "particles/all/box/edges",
            ):
                for name in ("value", "step", "time"):
                    self.tables[f"{group}/{name}"] = file[f"{group}/{name}"][...]
            for energy, group in file["parameters/energies"].items():
                for name in ("value", "step", "time"):
                    self.tables[f"{energy}/{name}"] = group[name][...]
        self.frames = list(self.tables["particles/all/position/step"])

    def differences(self, other: Results) -> list[str]:
        """Name what is not the same in another run."""
        found = [
            name for name in ("energies", "digest") if getattr(self, name) != getattr(other, name)
        ]
        if self.tables.keys() != other.tables.keys():
            found.append("the tables of the trajectory")
        same = self.tables.keys() & other.tables.keys()
        found += [n for n in same if not np.array_equal(self.tables[n], other.tables[n])]
        return found


def undisturbed(job: Job, folder: Path) -> Results:
    """Results of an undisturbed run."""
    return Results(fg.run(job, folder / "undisturbed", pes=1).path)


def wrong_after(out: Path, expected: Results) -> str:
    """Resume a run that is not complete, and return what is wrong then; empty if nothing."""
    left: list[str] = []
    if not fg.open_run(out).finished:
        fg.resume(out, pes=1)
        ends = (".part", ".journal")
        left = [f.name for f in out.iterdir() if f.suffix in ends or ".lock" in f.name]
    return ", ".join(Results(out).differences(expected) + left)
