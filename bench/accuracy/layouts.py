# SPDX-License-Identifier: BSD-3-Clause
"""Threads, processes and communication threads: the section "layouts" of patch_sizes.json.

DHFR with the usual patches. All layouts run in turns.

Usage: layouts.py [--rounds N] [--steps N] [--out FILE]
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from patch_sizes import in_turns, make_job, ms_of_step, options_of, ratio_to, store_section

from finegrain.engine import machine
from finegrain.engine.mpi import NAMES, find_mpi


@dataclass(frozen=True)
class Layout:
    """Processes of an MPI, worker threads of each, and communication threads of each."""

    ranks: int
    pes: int
    comm_threads: int = 0
    mpi: str = ""

    @property
    def name(self) -> str:
        """A name of its own."""
        return f"{self.ranks}x{self.pes}+{self.comm_threads} {self.mpi}".strip()


def layouts() -> list[Layout]:
    """Return those for two cores, the first with threads alone; for each MPI that is here."""
    found = [Layout(1, 2), Layout(1, 1)]
    for mpi in (one for one in NAMES if find_mpi(one).usable):
        found += [Layout(2, 1, 0, mpi), Layout(2, 1, 1, mpi), Layout(2, 2, 0, mpi)]
    return found


def main() -> None:
    """Measure and write the section."""
    options = options_of(__doc__)
    of_name = {one.name: one for one in layouts()}
    with tempfile.TemporaryDirectory(prefix="finegrain-layouts-") as folder:
        job = make_job(Path(folder) / "dhfr", (4, 4, 4))

        def ms_of(name: str) -> float:
            one = of_name[name]
            more = {"mpi": one.mpi, "comm_threads": one.comm_threads} if one.mpi else {}
            return ms_of_step(job, options.steps, pes=one.pes, ranks=one.ranks, **more)

        times = in_turns(list(of_name), options.rounds, ms_of)
    first = next(iter(times.values()))
    rows = [
        asdict(of_name[name])
        | {"ms": round(statistics.median(own), 2), "ratio": ratio_to(first, own)}
        for name, own in times.items()
    ]
    store_section(options.out, "layouts", options.rounds, rows, machine.fingerprint()["cpu"])
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
