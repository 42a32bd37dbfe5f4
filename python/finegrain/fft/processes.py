# SPDX-License-Identifier: BSD-3-Clause
"""Python processes over an MPI."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from finegrain.engine.mpi import Mpi, choose_mpi
from finegrain.errors import ResourceError

WORKER = "finegrain.transform_bench.worker"
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def in_processes(work: str, given: dict[str, Any], ranks: int, mpi: str) -> dict[str, Any]:
    """Do some work of `worker` in processes and return its answer.

    Raises
    ------
    ResourceError
        If there is no MPI or no mpi4py, or if a process fails.
    """
    if not _has_mpi4py():
        raise ResourceError(
            "mpi4py is missing",
            where="--ranks",
            hint="pip install 'finegrain[mpi]', or leave out --ranks",
        )
    chosen = choose_mpi(mpi)
    with tempfile.TemporaryDirectory(prefix="finegrain-bench-") as name:
        answer = Path(name) / "answer.json"
        words = [sys.executable, "-m", "mpi4py", "-m", WORKER, work, json.dumps(given), str(answer)]
        own = {**_ONE_THREAD, "MPI4PY_MPIABI": chosen.name}
        with (Path(name) / "chatter").open("w+b") as chatter, chosen.environment() as variables:
            done = subprocess.run(
                chosen.start(ranks, words),
                env=variables | own,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=chatter,
                stderr=subprocess.STDOUT,
            )
            chatter.seek(0)
            said = chatter.read().decode(errors="replace")
        if done.returncode != 0 or not answer.exists():
            raise _failed(chosen, ranks, done.returncode, said)
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    return found


def _has_mpi4py() -> bool:
    import importlib.util

    return importlib.util.find_spec("mpi4py") is not None


def _failed(mpi: Mpi, ranks: int, status: int, said: str) -> ResourceError:
    lines = [line.rstrip() for line in said.splitlines() if line.strip(" -=*\t")]
    return ResourceError(
        f"the processes failed (exit status {status})",
        where=f"mpiexec of {mpi.title}, {ranks} processes",
        value="\n".join(lines[-6:]),
        hint="mpi4py may be made for another MPI: try --mpi with another one",
    )
