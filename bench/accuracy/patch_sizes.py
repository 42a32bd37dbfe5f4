# SPDX-License-Identifier: BSD-3-Clause
"""What smaller patches cost: DHFR with the usual ones, and with up to 64 times as many.

The jobs run in turns, on one PE and on two, with the same pair lists. From 5 x 5 x 5 on the patches
are thinner than the lists reach.

Usage: patch_sizes.py [--rounds N] [--steps N] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Unpack

from finegrain import api
from finegrain.classical.job import Job
from finegrain.engine import machine
from finegrain.runs.options import How
from finegrain.terminal import benchmark

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

GRIDS = ((2, 2, 2), (4, 4, 4), (6, 6, 6), (8, 8, 8))
PES = (1, 2)
WARM_UP = 60
ATOMS = 23_558


def make_job(folder: Path, grid: tuple[int, int, int], more: benchmark.Keys | None = None) -> Job:
    """Return the job of DHFR with such patches, and with more keys."""
    folder.mkdir()
    source = folder / "dhfr.toml"
    keys = {**benchmark.DHFR, "patches.grid": list(grid), **(more or {})}
    benchmark.write_input(source, keys, benchmark.VELOCITY_RESCALING)
    return Job(api.load(source, folder / "dhfr.job.h5"))


def measure(folder: Path, rounds: int, steps: int) -> list[dict[str, Any]]:
    """Return the row of each job."""
    rows = []
    for grid in GRIDS:
        job = make_job(folder / "x".join(map(str, grid)), grid)
        rows += [(job, {"side": grid[0], "pes": pes, "ms": []}) for pes in PES]
    for _ in range(rounds):
        for job, row in rows:
            row["ms"].append(round(ms_of_step(job, steps, pes=row["pes"]), 4))
    return summary([row for _, row in rows])


def in_turns(
    names: Sequence[str], rounds: int, ms_of: Callable[[str], float]
) -> dict[str, list[float]]:
    """Return the milliseconds of a step of each, by round; every other round goes backwards."""
    found: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        for name in names if number % 2 == 0 else names[::-1]:
            found[name].append(ms_of(name))
    return found


def ms_of_step(job: Job, steps: int, **how: Unpack[How]) -> float:
    """Return the milliseconds of a step; `how` are options of `finegrain.run`."""
    folder = Path(job.path).parent
    timed = benchmark.time_job(job, folder, steps=steps, warm_up=WARM_UP, **how)
    return 1e3 * float(timed["seconds_per_step"])


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with the spread of their times, and of the ratios to the first job's."""
    first = {row["pes"]: row["ms"] for row in reversed(rows)}
    return [
        row
        | {
            "ms": stored.spread([round(ms, 1) for ms in row["ms"]]),
            "ratio": ratio_to(first[row["pes"]], row["ms"]),
        }
        for row in rows
    ]


def ratio_to(usual: list[float], times: list[float]) -> dict[str, Any]:
    """Return the spread of the ratios of times to the usual ones, round by round."""
    return stored.spread([round(ms / first, 2) for ms, first in zip(times, usual, strict=True)])


def options_of(about: str | None) -> argparse.Namespace:
    """Read the command line of a script that times jobs in rounds into patch_sizes.json."""
    parser = argparse.ArgumentParser(description=(about or "").split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=360)
    results = Path(__file__).parents[2] / "bench/results"
    parser.add_argument("--out", type=Path, default=results / "patch_sizes.json")
    return parser.parse_args()


def store_section(
    out: Path, name: str, rounds: int, rows: list[dict[str, Any]], on: str | dict[str, Any]
) -> None:
    """Write a section of the report; `on` is the machine. All other sections stay."""
    report = stored.read(out) if out.exists() else {}
    report[name] = {"machine": on, "rounds": rounds, "rows": rows}
    stored.write(report, out)


def main() -> None:
    """Measure and write the report."""
    options = options_of(__doc__)
    with tempfile.TemporaryDirectory(prefix="finegrain-patches-") as folder:
        rows = measure(Path(folder), options.rounds, options.steps)
    report = {
        "atoms": ATOMS,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine.fingerprint(),
        "rounds": options.rounds,
        "steps": options.steps,
        "rows": rows,
    }
    stored.write(report, options.out)
    for row in rows:
        print(row["side"], f"{row['pes']} PEs", f"{row['ms']['median']:.2f} ms a step")


if __name__ == "__main__":
    main()
