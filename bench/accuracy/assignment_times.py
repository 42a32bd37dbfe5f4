# SPDX-License-Identifier: BSD-3-Clause
"""What pairs by midpoints cost on one core: the section "assignments" of patch_sizes.json.

DHFR with some sizes of patches. Both assignments run in turns, with one pair compute a patch.

Usage: assignment_times.py [--rounds N] [--steps N] [--out FILE]
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from patch_sizes import in_turns, make_job, ms_of_step, options_of, ratio_to, store_section

from finegrain.engine import machine

SIDES = (2, 4, 8, 14)
ASSIGNMENTS = ("half-shell", "midpoint")


def measure(folder: Path, side: int, rounds: int, steps: int) -> dict[str, Any]:
    """Return the row of a size: milliseconds of a step, and the ratio round by round."""
    jobs = {}
    for name in ASSIGNMENTS:
        keys = {"patches.pairs": name, "patches.pair_computes": 1}
        jobs[name] = make_job(folder / f"{side}-{name}", (side, side, side), keys)
    times = in_turns(ASSIGNMENTS, rounds, lambda name: ms_of_step(jobs[name], steps, pes=1))
    half_shell, midpoint = (times[name] for name in ASSIGNMENTS)
    return {
        "side": side,
        "reach": int(max(jobs["midpoint"].settings.get("reach", [1]))),
        "half_shell": round(statistics.median(half_shell), 1),
        "midpoint": round(statistics.median(midpoint), 1),
        "ratio": ratio_to(half_shell, midpoint),
    }


def main() -> None:
    """Measure and write the section."""
    options = options_of(__doc__)
    rows = []
    with tempfile.TemporaryDirectory(prefix="finegrain-assignments-") as folder:
        for side in SIDES:
            rows.append(measure(Path(folder), side, options.rounds, options.steps))
            print(rows[-1], flush=True)
    store_section(options.out, "assignments", options.rounds, rows, machine.fingerprint())


if __name__ == "__main__":
    main()
