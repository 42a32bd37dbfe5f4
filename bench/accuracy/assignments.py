# SPDX-License-Identifier: BSD-3-Clause
"""Count what patches send with both assignments of pairs: a section of accuracy.json.

DHFR, with patches from as wide as a pair list reaches to a quarter of that. There are as many
processes as patches, with one PE each. What a process sends of positions and of sums of pair forces
in a step is counted, not measured. No figure depends on the machine.

Usage: assignments.py [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from finegrain import api
from finegrain.classical.job import Job
from finegrain.planning.job_traffic import traffic_of_job
from finegrain.terminal import benchmark

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

PATCHES = (4, 8, 14, 18)  # per axis
ASSIGNMENTS = {"half-shell": ("half_shell", "bytes"), "midpoint": ("midpoint", "its_bytes")}
PHASES = ("positions", "pair forces")


def count(folder: Path, patches: int, pairs: str) -> dict[str, Any]:
    """Return what a process sends on average."""
    folder.mkdir(exist_ok=True)
    source, path = folder / "dhfr.toml", folder / "dhfr.job.h5"
    keys = {
        **benchmark.DHFR,
        "patches.grid": [patches] * 3,
        "patches.pairs": pairs,
        "patches.pair_computes": 1,
    }
    benchmark.write_input(source, keys, benchmark.VELOCITY_RESCALING)
    path.unlink(missing_ok=True)
    job = Job(api.load(source, path))
    processes = patches**3
    phases = traffic_of_job("DHFR", path.read_bytes(), processes).phases
    messages, sent = ASSIGNMENTS[pairs]
    return {
        "patches": patches,
        "reach": int(max(job.settings.get("reach", [1]))),
        messages: round(sum(float(phases[one].messages.sum()) for one in PHASES) / processes, 1),
        sent: round(sum(float(phases[one].bytes.sum()) for one in PHASES) / processes),
    }


def main() -> None:
    """Count all rows."""
    parser = argparse.ArgumentParser(description="What both assignments of pairs send.")
    parser.add_argument("--out", type=Path, default=Path("bench/results/accuracy.json"))
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for patches in PATCHES:
            row: dict[str, Any] = {}
            for pairs in ASSIGNMENTS:
                row |= count(Path(name), patches, pairs)
            rows.append(row)
    report = stored.read(options.out) if options.out.exists() else {}
    report["assignments"] = rows
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
