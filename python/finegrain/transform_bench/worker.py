# SPDX-License-Identifier: BSD-3-Clause
"""What each process does that `in_processes` starts: ``python -m mpi4py -m ... WORK ARGUMENTS``.

Process 0 writes the answer, JSON, to the file that is named last.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.transform_bench.all_contestants import IN_MANY
from finegrain.transform_bench.case import Case
from finegrain.transform_bench.rounds import time_case


def timings(comm: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Time the contestants on each grid."""
    entries: list[dict[str, Any]] = []
    left_out: dict[str, str] = {}
    for grid in given["grids"]:
        case = Case(tuple(grid), **given["case"])
        found, missing = time_case(case, IN_MANY, given["repeats"], comm)
        entries += found
        left_out |= missing
    return {"entries": entries, "left_out": left_out, "mpi": _library()}


def network(comm: Any, _given: dict[str, Any]) -> dict[str, Any]:
    """Measure a small and a large message between two processes, both ways at a time."""
    other = 1 - comm.Get_rank()
    best = {}
    for size, times in ((8, 500), (1 << 20, 20)):
        out, into = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
        best[size] = np.inf
        for _ in range(7):
            comm.Barrier()
            start = time.perf_counter()
            for _ in range(times):
                comm.Sendrecv(out, other, 0, into, other, 0)
            best[size] = min(best[size], (time.perf_counter() - start) / times)
    latency = max(comm.allgather(best[8]))
    large = max(comm.allgather(best[1 << 20]))
    return {
        "message_s": latency,
        "byte_s": max(large - latency, 0.0) / (1 << 20),
        "mpi": _library(),
    }


def _library() -> str:
    from mpi4py import MPI

    return str(MPI.Get_library_version()).split(",")[0].split("\n")[0]


def main() -> None:
    """Work, and write the answer."""
    from mpi4py import MPI

    work, given, answer = sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3])
    found = {"timings": timings, "network": network}[work](MPI.COMM_WORLD, given)
    if MPI.COMM_WORLD.Get_rank() == 0:
        answer.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
