# SPDX-License-Identifier: BSD-3-Clause
"""Runs of this checkout's engine, for their times."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ROOT / "build/release/engine/app"


def lines_of(
    job: Path, ranks: int, pes: int, prefix: Sequence[str], *words: str
) -> list[dict[str, Any]]:
    """Run a job; return the lines of JSON that the engine prints.

    Parameters
    ----------
    job : Path
        The job; results are written beside it.
    ranks, pes : int
        Ranks, and worker threads of each.
    prefix : sequence of str
        Words before the command, such as for its priority.
    *words : str
        More options of the engine.
    """
    command = [str(ENGINES / "finegrain-engine")]
    if ranks > 1:
        command = ["mpiexec", "-n", str(ranks), str(ENGINES / "finegrain-engine-openmpi")]
    command += [str(job), "--out", str(job.with_suffix("")), "--overwrite", "--json"]
    command += ["--pes", str(pes), *words]
    done = subprocess.run([*prefix, *command], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not any("result" in line or "progress" in line for line in lines):
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}\n{done.stderr}")
    return lines
