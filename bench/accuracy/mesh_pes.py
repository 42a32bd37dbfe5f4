# SPDX-License-Identifier: BSD-3-Clause
"""What it costs or gains to give the mesh a PE of its own: the section "maps" of patch_sizes.json.

DHFR with some sizes of patches, on two PEs. The maps run in turns.

Usage: mesh_pes.py [--rounds N] [--steps N] [--out FILE]
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from patch_sizes import in_turns, make_job, ms_of_step, options_of, ratio_to, store_section

from finegrain.classical.job import Job
from finegrain.engine import machine

SIDES = (2, 4, 8)
MAPS = ("cost", "mesh-1", "mesh-1-alone")


def measure(job: Job, rounds: int, steps: int) -> dict[str, list[float]]:
    """Return the milliseconds of a step with each map, by round."""
    return in_turns(MAPS, rounds, lambda name: ms_of_step(job, steps, pes=2, map=name))


def rows_of(side: int, times: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Return a row for each map, with the spread of its ratios to the usual one."""
    return [
        {
            "side": side,
            "map": name,
            "ms": round(statistics.median(own), 1),
            "ratio": ratio_to(times["cost"], own),
        }
        for name, own in times.items()
    ]


def main() -> None:
    """Measure and write the section."""
    options = options_of(__doc__)
    rows = []
    with tempfile.TemporaryDirectory(prefix="finegrain-mesh-pes-") as folder:
        for side in SIDES:
            job = make_job(Path(folder) / str(side), (side, side, side))
            rows += rows_of(side, measure(job, options.rounds, options.steps))
            for row in rows[-len(MAPS) :]:
                print(side, row["map"], row["ms"], row["ratio"], flush=True)
    store_section(options.out, "maps", options.rounds, rows, machine.fingerprint()["cpu"])


if __name__ == "__main__":
    main()
