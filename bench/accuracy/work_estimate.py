# SPDX-License-Identifier: BSD-3-Clause
"""How well the work of objects is known before a run, and how evenly PEs are loaded with it.

The program work_table runs jobs on one PE, and writes what each object has to do and how long it
took. From all of them this script fits how long one of each kind of work takes: these are the
constants of engine/forces/costs/work_times.hpp, but for those of pair lists, which list_costs.py
fits. The measured work, put where maps place the objects on several PEs, gives the load of the
fullest PE over the average.

The systems: DHFR in water, in the box that it fills, in one three times as long with water vapour
above (a slab), and in one of twice the edges (a droplet); and a small box of water. Each is relaxed
first. The division is for more PEs than that of `finegrain check`, where the name says so.

Usage: work_estimate.py [--program FILE] [--rounds N] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

import finegrain as fg
from finegrain import api
from finegrain.engine import machine

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

Array = NDArray[np.float64]

PES = (2, 4, 8)
FILLED = "openmmtools:DHFRExplicit"
# Name, topology, line for the box, PEs for which the jobs are divided.
SYSTEMS: tuple[tuple[str, str, str, tuple[int, ...]], ...] = (
    ("dhfr", FILLED, "", (8, 64)),
    ("slab", FILLED, 'box = ["62.23 Å", "62.23 Å", "186.69 Å"]', (8, 32)),
    ("droplet", FILLED, 'box = ["120 Å", "120 Å", "120 Å"]', (64,)),
    ("water", "openmmtools:WaterBox", "", (8,)),
)
INPUT = """\
[system]
kind = "classical"
topology = "{topology}"
{box}
{start}
[forces]
cutoff = "9 Å"
electrostatics = "pme"
mesh_spacing = "1 Å"
constraints = "h-bonds"
rigid_water = true
{minimise}
[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = 100
temperature = "300 K"
friction = "5 1/ps"
seed = 1
[patches]
pes = {pes}
"""
RELAX = '[minimise]\nmethod = "l-bfgs"\nsteps = 60'
SHORTEST = 5e6  # picoseconds; a relative error of less counts as one of this time


def write_jobs(folder: Path) -> dict[str, Path]:
    """Relax each system, and make its jobs from there."""
    jobs = {}
    for name, topology, box, divisions in SYSTEMS:
        source = folder / f"{name}.toml"
        # The droplet's molecules are cut where they crossed the edges of the filled box.
        source.write_text(
            INPUT.format(topology=topology, box=box, start="", minimise=RELAX, pes=64), "utf-8"
        )
        fg.run(source, folder / name, overwrite=True)
        start = f'coordinates = "{folder / name / "checkpoint.h5"}"'
        for pes in divisions:
            variant = f"{name}, divided for {pes} PEs"
            source = folder / f"{name}-{pes}.toml"
            source.write_text(
                INPUT.format(topology=topology, box=box, start=start, minimise="", pes=pes), "utf-8"
            )
            jobs[variant] = folder / f"{name}-{pes}.h5"
            api.load(source, jobs[variant])
    return jobs


def measured(program: Path, job: Path, rounds: int, pes: tuple[int, ...] = PES) -> dict[str, Any]:
    """Return what work_table writes for a job."""
    command = [program, job, str(rounds), *map(str, pes)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def tables(report: dict[str, Any]) -> dict[str, tuple[Array, Array]]:
    """Return counts per step and times of the objects of each array that have any work."""
    found = {}
    for name, array in report["arrays"].items():
        counts = np.array(array["counts"], dtype=float) / array["interval"]
        busy = counts[:, 0] > 0
        found[name] = counts[busy], np.array(array["picoseconds"], dtype=float)[busy]
    return found


def fit(reports: dict[str, dict[str, Any]]) -> Array:
    """Return the times of one of each kind, none below zero, with the least relative errors."""
    pairs = [table for report in reports.values() for table in tables(report).values()]
    counts = np.vstack([counts for counts, _ in pairs])
    times = np.concatenate([times for _, times in pairs])
    weights = 1 / np.maximum(times, SHORTEST)
    found, _ = nnls(counts * weights[:, None], times * weights)
    return np.asarray(found)


def given_options(
    doc: str | None, repeated: str, times: int, result: str
) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the options of the command line, and how the report of such a measurement begins.

    Parameters
    ----------
    doc : str or None
        The script's documentation.
    repeated : str
        What is done several times: the name of the option, and its name in the report.
    times : int
        How often by default.
    result : str
        The name of the default file in bench/results.
    """
    parser = argparse.ArgumentParser(description=(doc or "").split("\n", 1)[0])
    root = Path(__file__).parents[2]
    program = root / "build/release/bench/micro/classical/work_table"
    parser.add_argument("--program", type=Path, default=program)
    parser.add_argument(f"--{repeated}", type=int, default=times)
    parser.add_argument("--out", type=Path, default=root / "bench/results" / result)
    options = parser.parse_args()
    return options, {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine.fingerprint(),
        repeated: getattr(options, repeated),
    }


def main() -> None:
    """Measure, fit and write the report."""
    options, report = given_options(__doc__, "rounds", 25, "work_estimate.json")
    with tempfile.TemporaryDirectory(prefix="finegrain-work-") as folder:
        jobs = write_jobs(Path(folder))
        reports = {
            name: measured(options.program, job, options.rounds) for name, job in jobs.items()
        }
    times = fit(reports)
    report |= {"picoseconds": {}, "systems": {}}
    for kind, time in zip(next(iter(reports.values()))["kinds"], times, strict=True):
        report["picoseconds"][kind] = round(float(time))
    for name, found in reports.items():
        arrays = {
            array: {
                "measured_ms": round(float(taken.sum()) / 1e9, 4),
                "estimated_ms": round(float((counts @ times).sum()) / 1e9, 4),
            }
            for array, (counts, taken) in tables(found).items()
        }
        report["systems"][name] = {
            "atoms": found["atoms"],
            "arrays": arrays,
            "imbalance": found["imbalance"],
        }
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
