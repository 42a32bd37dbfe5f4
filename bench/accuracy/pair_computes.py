# SPDX-License-Identifier: BSD-3-Clause
"""How many pair computes a patch shall have: what they cost, and how evenly PEs can share them.

Jobs of one system that differ in this number alone run on one PE in turns, under the program
work_table. It measures how long each object takes and puts these times where the map `cost` places
the objects on more PEs: a step takes at least as long as the fullest PE works. The round with the
least work counts, since other programs can only add to it. The time that an object waits is not in
these times.

Usage: pair_computes.py [--program FILE] [--turns N] [--out FILE]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from finegrain import api

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored
import work_estimate

# Name, topology, rounds of a turn: about equal times.
SYSTEMS = (
    ("DHFR in water", "openmmtools:DHFRExplicit", 3),
    ("alanine dipeptide in water", "openmmtools:AlanineDipeptideExplicit", 60),
)
COMPUTES = (8, 4, 2, 1)
DIVIDED_FOR = 8  # PEs
PES = tuple(range(1, DIVIDED_FOR + 1))


def write_jobs(folder: Path, topology: str) -> dict[int, Path]:
    """Return a job for each number of pair computes."""
    folder.mkdir()
    jobs = {}
    for count in COMPUTES:
        source = folder / f"{count}.toml"
        text = work_estimate.INPUT.format(
            topology=topology, box="", start="", minimise="", pes=DIVIDED_FOR
        )
        source.write_text(text + f"pair_computes = {count}\n", "utf-8")
        jobs[count] = folder / f"{count}.h5"
        api.load(source, jobs[count])
    return jobs


def row(found: dict[str, Any]) -> dict[str, Any]:
    """Return all work, and that of the fullest of so many PEs, in ms a step."""
    work = sum(sum(array["picoseconds"]) for array in found["arrays"].values()) / 1e9
    fullest = {
        placed["pes"]: work * placed["measured"] / placed["pes"]
        for placed in found["imbalance"]
        if placed["map"] == "cost"
    }
    return {
        "atoms": found["atoms"],
        "work_ms": round(work, 4),
        "fullest_ms": {str(pes): round(time, 4) for pes, time in fullest.items()},
    }


def measure(program: Path, jobs: dict[int, Path], rounds: int, turns: int) -> list[dict[str, Any]]:
    """Return the row with the least work of each job."""
    rows: dict[int, dict[str, Any]] = {}
    for _ in range(turns):
        for count, job in jobs.items():
            found = row(work_estimate.measured(program, job, rounds, PES))
            if count not in rows or found["work_ms"] < rows[count]["work_ms"]:
                rows[count] = found
    return [{"pair_computes": count, **found} for count, found in rows.items()]


def main() -> None:
    """Measure and write the report."""
    options, report = work_estimate.given_options(__doc__, "turns", 5, "pair_computes.json")
    report |= {"divided_for": DIVIDED_FOR, "systems": {}}
    with tempfile.TemporaryDirectory(prefix="finegrain-computes-") as folder:
        for number, (name, topology, rounds) in enumerate(SYSTEMS):
            jobs = write_jobs(Path(folder) / str(number), topology)
            report["systems"][name] = measure(options.program, jobs, rounds, options.turns)
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
