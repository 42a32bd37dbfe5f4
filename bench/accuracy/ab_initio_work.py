# SPDX-License-Identifier: BSD-3-Clause
"""How long counted operations of ab initio jobs take, by kind.

Iterations of searches and steps of dynamics are measured on one PE. The engine counts their
transforms of orbitals and of the density, products of matrices, operations for ions, all others,
and messages between objects. The times of one of each kind, none below zero, have the least
relative errors. They are the constants of
engine/runtime/simulated/operation_times.hpp, for a core of speed 1. The speed of this
machine's core is that with which a step of a classical job comes out right on one PE
(engine/forces/costs/work_times.hpp).

With --keep-measured the times of the report stay, and only counts and fit are made again: work may
be counted in another way while it takes the same time.

Usage: ab_initio_work.py [--rounds N] [--prefix WORDS] [--keep-measured] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import prediction
from ab_initio_jobs import Case, seconds_of
from scipy.optimize import nnls

from finegrain.engine import machine
from finegrain.planning import predict_step

CASES = (
    Case("ice", 70),
    Case("ice", 70, pes=16),
    Case("ice", 70, moves=True, pes=32),
    Case("ice", 70, moves=True),
    Case("ice", 40),
    Case("silicon", 20, (2, 2, 2)),
    Case("silicon", 30, (2, 2, 1), moves=True),
    Case("silicon", 20, (2, 2, 2), moves=True),
    Case("molecule", 100),
    Case("molecule", 50),
)
KINDS = (
    "transforms",
    "products",
    "other work",
    "density transforms",
    "work for ions",
    "messages",
)
OUT = prediction.ROOT / "bench/results/predictions/ab_initio_work.json"


def counts_of(job: Path) -> list[float]:
    """Return the operations of an iteration or a step, by kind, and its messages."""
    node, contents = prediction.node(1, 1, 1.0), job.read_bytes()
    found = []
    for kind in KINDS:
        times = [1.0 if kind == one else 0.0 for one in KINDS]
        step = predict_step(job.name, contents, node, 1, operation_times=times)
        found.append(1e12 * step.mean[kind])
    return found


def measured(jobs: dict[str, Path], rounds: int, prefix: list[str]) -> dict[str, Any]:
    """Return the speed of the core, and the least time of each job in ms."""
    speed = prediction.core_speed(next(iter(jobs.values())).parent, rounds, prefix)
    rows = [[seconds_of(job, 1, 1, prefix) for job in jobs.values()] for _ in range(rounds)]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine.fingerprint(),
        "rounds": rounds,
        "core_speed": round(speed, 3),
        "measured_ms": dict(zip(jobs, 1e3 * np.min(rows, axis=0), strict=True)),
    }


def kept(report: dict[str, Any]) -> dict[str, Any]:
    """Return what `measured` returned for this report."""
    same = {name: report[name] for name in ("date", "machine", "rounds", "core_speed")}
    return same | {
        "measured_ms": {name: one["measured_ms"] for name, one in report["jobs"].items()}
    }


def main() -> None:
    """Measure, fit and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--prefix", default="", metavar="WORDS", help="before each run")
    parser.add_argument("--keep-measured", action="store_true", help="the times of the report stay")
    parser.add_argument("--out", type=Path, default=OUT, metavar="FILE")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ab-initio-work-") as name:
        folder = Path(name)
        jobs = {case.name: case.write(folder) for case in CASES}
        counts = np.array([counts_of(job) for job in jobs.values()])
        if chosen.keep_measured:
            found = kept(prediction.stored.read(chosen.out))
        else:
            found = measured(jobs, chosen.rounds, chosen.prefix.split())
    milliseconds = found.pop("measured_ms")
    times = np.array([milliseconds[name] for name in jobs])
    each, _ = nnls(counts / times[:, None], np.ones(len(times)))  # [ms]
    fitted = counts @ each
    picoseconds = np.round(1e9 * each * found["core_speed"], 1).tolist()
    report = found | {
        "picoseconds": dict(zip(KINDS, picoseconds, strict=True)),
        "jobs": {
            name: {
                "counts": [round(one) for one in counts[i]],
                "measured_ms": round(float(times[i]), 4),
                "fitted_ms": round(float(fitted[i]), 4),
            }
            for i, name in enumerate(jobs)
        },
    }
    prediction.stored.write(report, chosen.out)


if __name__ == "__main__":
    main()
