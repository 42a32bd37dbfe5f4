# SPDX-License-Identifier: BSD-3-Clause
"""What pair lists cost, and how near the estimate of a step comes to it.

DHFR in many divisions: half shells with few and many computes, thin patches, midpoint cells of one
size and cut by work. work_table measures the time of each compute on one core, and list_table says
what its list holds. From both this script fits the times of pairs, rows, patches and atoms of lists
in engine/forces/costs/work_times.hpp. It keeps those of the other kinds, and scales all times, so
that the other objects of wide patches take what these say.

Usage: list_costs.py [--program FILE] [--rounds N] [--out FILE]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import nnls

from finegrain.classical.job import Job

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored
import work_estimate
from patch_sizes import make_job
from work_estimate import Array, measured, tables

HALF_SHELLS = {2: (1, 4, 8, 14), 3: (1, 4), 4: (1, 2, 4, 8), 6: (1, 4), 8: (1, 4), 12: (1,)}
MIDPOINTS = (2, 3, 4, 6, 8, 12)
CUT = (4, 8, 10)  # patches along each axis, with 8 x 8 x 8 cells
WIDE = 4  # patches along each axis, at most
FITTED = ("pair", "list-row", "list-patch", "pair-atom", "midpoint-atom")


def write_jobs(folder: Path) -> dict[str, tuple[int, bool, Job]]:
    """Return the patches along each axis, whether pairs are by midpoints, and each job, by name."""
    keys: dict[tuple[int, str], dict[str, Any]] = {}
    for side, counts in HALF_SHELLS.items():
        for count in counts:
            keys[side, f"half shell, {count}"] = {"patches.pair_computes": count}
    by_midpoints = {"patches.pairs": "midpoint", "patches.pair_computes": 1}
    for side in MIDPOINTS:
        keys[side, "midpoint"] = by_midpoints
    for side in CUT:
        keys[side, "512 cells"] = by_midpoints | {"patches.cells": [8, 8, 8]}
    jobs = {}
    for number, ((side, pairs), more) in enumerate(keys.items()):
        job = make_job(folder / str(number), (side, side, side), more)
        jobs[f"{side} x {side} x {side}, {pairs}"] = (side, "patches.pairs" in more, job)
    return jobs


def lists_of(program: Path, job: Path) -> Array:
    """Return pairs, rows, patches and atoms of the list of each compute."""
    done = subprocess.run([program, job], stdout=subprocess.PIPE, text=True, check=True)
    return np.array(json.loads(done.stdout), dtype=float)


def fit(rows: list[tuple[Array, Array]], fixed: float) -> Array:
    """Return the picoseconds of one of each, each job with the same weight.

    `rows` are what the lists of a job hold, and times; each compute takes `fixed` besides.
    """
    contents, times, weights = [], [], []
    for held, taken in rows:
        contents.append(held)
        times.append(taken - fixed)
        weights.append(1 / np.sqrt(len(taken)) / np.maximum(taken, work_estimate.SHORTEST))
    weight = np.concatenate(weights)
    found, _ = nnls(np.vstack(contents) * weight[:, None], np.concatenate(times) * weight)
    return np.asarray(found)


def main() -> None:
    """Measure, fit and write the report."""
    options, report = work_estimate.given_options(
        __doc__, "rounds", 8, "predictions/list_costs.json"
    )
    reports, held, wide = {}, {}, []
    with tempfile.TemporaryDirectory(prefix="finegrain-lists-") as folder:
        for name, (side, by_midpoints, job) in write_jobs(Path(folder)).items():
            reports[name] = measured(options.program, job.path, options.rounds, (1,))
            lists = lists_of(options.program.with_name("list_table"), job.path)
            looked_at = lists[:, 3] * by_midpoints / int(job.settings["rebuild_interval"])
            held[name] = np.column_stack([lists, looked_at])
            if side <= WIDE:
                wide.append(name)
            print(name, flush=True)
    kinds = next(iter(reports.values()))["kinds"]
    constants = np.array(next(iter(reports.values()))["picoseconds"], dtype=float)
    found = {name: tables(one) for name, one in reports.items()}
    others = [table for name in wide for array, table in found[name].items() if array != "pairs"]
    scale = sum((counts @ constants).sum() for counts, _ in others) / sum(
        taken.sum() for _, taken in others
    )
    times = fit(
        [(held[name], scale * found[name]["pairs"][1]) for name in reports],
        constants[kinds.index("object")],
    )
    report |= {
        "scale": round(float(scale), 3),
        "picoseconds": {kind: round(time) for kind, time in zip(FITTED, times, strict=True)},
        "jobs": {},
    }
    for name in reports:
        counts, taken = found[name]["pairs"]
        report["jobs"][name] = {
            "computes": len(taken),
            "pairs_in_a_row": round(float(held[name][:, 0].sum() / held[name][:, 1].sum()), 1),
            "measured_ms": round(float(taken.sum()) / 1e9, 2),
            "estimated_ms": round(float((counts @ constants).sum() / scale) / 1e9, 2),
        }
        print(name, report["jobs"][name], flush=True)
    print(report["picoseconds"], report["scale"])
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
