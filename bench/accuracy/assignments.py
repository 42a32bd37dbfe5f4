# SPDX-License-Identifier: BSD-3-Clause
"""Count what patches send with both assignments of pairs: a section of accuracy.json.

DHFR, four copies of its box, and a membrane, with patches from as wide as a pair list reaches to a
quarter of that. There are as many processes as patches, with one PE each. What a process sends of
positions and of sums of pair forces in a step is counted, not measured. Another section has the
estimated work of the fullest of 512 processes: with patches of one size, and with midpoint cells
that are cut by work. A third one has the work of the cells themselves, by the estimate and by the
pair lists of the first positions (bench/micro/classical/cell_work.cpp). No figure depends on the
machine.

Usage: assignments.py [--build FOLDER] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain import api
from finegrain.classical.job import Job
from finegrain.planning.job_traffic import JobTraffic, traffic_of_job
from finegrain.terminal import benchmark

sys.path.append(str(Path(__file__).resolve().parents[1]))

import membrane
import stored

ASSIGNMENTS = {"half-shell": ("half_shell", "bytes"), "midpoint": ("midpoint", "its_bytes")}
PHASES = ("positions", "pair forces")
PROCESSES = 512  # that share the work
# Midpoint cells that are cut by work: one for each process, or two.
CUTS = {"cut": (8, 8, 8), "cut_finer": (8, 8, 16)}


@dataclass(frozen=True)
class System:
    """A system and its patches along each axis, by reach."""

    name: str
    keys: benchmark.Keys
    grids: tuple[tuple[int, int, int], ...]
    shared: tuple[tuple[int, int, int], ...]  # grids whose work 512 processes share


MEMBRANE = "membrane.pdb"
SYSTEMS = (
    System(
        "DHFR, 23,558 atoms",
        benchmark.DHFR,
        ((4, 4, 4), (8, 8, 8), (14, 14, 14), (18, 18, 18)),
        ((8, 8, 8), (10, 10, 10), (12, 12, 12), (16, 16, 16)),
    ),
    System(
        "four copies of it, 94,232 atoms",
        {**benchmark.DHFR, "system.repeat": [2, 2, 1], "forces.mesh": [128, 128, 64]},
        ((8, 8, 4), (16, 16, 8), (28, 28, 14), (36, 36, 18)),
        ((10, 10, 5), (12, 12, 6), (16, 16, 8), (20, 20, 10)),
    ),
    System(
        "a membrane in water, 38,833 atoms",
        {
            "system.title": "POPC in water",
            "system.topology": MEMBRANE,
            "system.forcefield": list(membrane.FORCE_FIELD),
            "forces.mesh": [64, 64, 96],
        },
        ((4, 5, 6), (8, 9, 12), (13, 14, 19), (18, 18, 25)),
        ((7, 8, 10), (10, 10, 13), (12, 12, 16)),
    ),
)


def traffic(
    folder: Path, system: System, grid: Sequence[int], processes: int, pairs: str, **more: object
) -> tuple[Job, JobTraffic]:
    """Return the job of a division, and what its processes send.

    `more`: other keys of [patches].
    """
    source, path = folder / "input.toml", folder / "job.h5"
    keys = {
        **system.keys,
        "patches.grid": list(grid),
        "patches.pes": processes,
        "patches.pairs": pairs,
        **{f"patches.{name}": value for name, value in more.items()},
    }
    benchmark.write_input(source, keys, benchmark.VELOCITY_RESCALING)
    path.unlink(missing_ok=True)
    job = Job(api.load(source, path))
    return job, traffic_of_job(system.name, path.read_bytes(), processes)


def sent(folder: Path, system: System, grid: Sequence[int]) -> dict[str, Any]:
    """Return what a process sends on average with each assignment."""
    processes = math.prod(grid)
    row: dict[str, Any] = {"system": system.name, "patches": list(grid)}
    for pairs, (messages, size) in ASSIGNMENTS.items():
        job, found = traffic(folder, system, grid, processes, pairs, pair_computes=1)
        row["reach"] = int(max(job.settings.get("reach", [1])))
        row[messages], row[size] = of_pairs(found, processes)
    return row


def of_pairs(found: JobTraffic, processes: int) -> tuple[float, int]:
    """Return the messages and bytes of pair forces that a process sends on average."""
    phases = [found.phases[one] for one in PHASES]
    messages = sum(float(one.messages.sum()) for one in phases) / processes
    return round(messages, 1), round(sum(float(one.bytes.sum()) for one in phases) / processes)


def shared(folder: Path, system: System, grid: Sequence[int]) -> dict[str, Any]:
    """Return the work of the fullest process over the average, with each assignment."""
    row: dict[str, Any] = {"system": system.name, "patches": list(grid), "processes": PROCESSES}

    def add(name: str, pairs: str, **more: object) -> None:
        job, found = traffic(folder, system, grid, PROCESSES, pairs, **more)
        row[name] = round(float(found.work.max() / found.work.mean()), 3)
        row[f"{name}_us"] = round(1e6 * float(found.work.max()), 1)
        row[f"{name}_bytes"] = of_pairs(found, PROCESSES)[1]
        row["reach"] = int(max(job.settings.get("reach", [1])))

    for pairs, (name, _) in ASSIGNMENTS.items():
        add(name, pairs)
    for name, cells in CUTS.items():
        add(name, "midpoint", cells=list(cells))
    return row


def of_cells(folder: Path, system: System, build: Path) -> dict[str, Any]:
    """Return the work of the fullest cell over the average: of one size, and cut by work."""
    grid = system.shared[0]
    row: dict[str, Any] = {"system": system.name, "patches": list(grid)}
    program = build / "bench/micro/classical/cell_work"
    for name, more in {"one_size": {}, "cut": {"cells": list(CUTS["cut"])}}.items():
        traffic(folder, system, grid, PROCESSES, "midpoint", **more)
        printed = subprocess.run(
            [program, folder / "job.h5"], check=True, capture_output=True, text=True
        ).stdout
        found = json.loads(printed)
        row[f"{name}_cells"] = found["cells"]
        row[name] = round(found["estimated"], 3)
        row[f"{name}_listed"] = round(found["listed"], 3)
    return row


def main() -> None:
    """Count all rows."""
    parser = argparse.ArgumentParser(description="What both assignments of pairs send.")
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--out", type=Path, default=Path("bench/results/accuracy.json"))
    options = parser.parse_args()
    rows, works, cells = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        membrane.write_membrane(folder / MEMBRANE)
        for system in SYSTEMS:
            for grid in system.grids:
                rows.append(sent(folder, system, grid))
                print(rows[-1], flush=True)
            for grid in system.shared:
                works.append(shared(folder, system, grid))
                print(works[-1], flush=True)
            cells.append(of_cells(folder, system, options.build))
            print(cells[-1], flush=True)
    report = stored.read(options.out) if options.out.exists() else {}
    report["assignments"] = rows
    report["work_of_processes"] = works
    report["work_of_cells"] = cells
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
