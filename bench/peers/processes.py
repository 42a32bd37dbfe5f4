# SPDX-License-Identifier: BSD-3-Clause
"""The cost of processes compared with threads and with MPI alone, run in turns.

Four comparisons for each MPI: a ping-pong and raw MPI (one program interleaves both), the message
rate of 4 PEs as 2 processes of 2 threads and as 4 processes, the transposes of a 32^3 transform
over 16 PEs by exchanges and by messages, and DHFR on 2 ranks of one PE and on 2 PEs of one process.
Usage: processes.py [--build FOLDER] [--out FILE] [--rounds N] [--steps N] [--only NAME ...]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parts import children_seconds, machine_seconds

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

MPIS = ("openmpi", "mpich")
# Containers often have no user but root; Open MPI needs these variables then.
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@dataclass
class Setting:
    """The settings of a measurement."""

    mpi: str
    micro: Path
    rounds: int
    steps: int


def start(mpi: str, processes: int, command: list[str]) -> Any:
    """Run a program in some processes and return the JSON that it prints."""
    options = ["--oversubscribe", "--bind-to", "none"] if mpi == "openmpi" else []
    done = subprocess.run(
        [f"mpiexec.{mpi}", *options, "-n", str(processes), *command],
        env={**os.environ, **ROOT},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def in_turns(
    rounds: int, first: Callable[[], float], second: Callable[[], float]
) -> dict[str, Any]:
    """Return two figures that were measured in turns, and the ratio of the first to the second."""
    pairs = [(first(), second()) for _ in range(rounds)]
    return {
        "first": stored.spread([a for a, _ in pairs]),
        "second": stored.spread([b for _, b in pairs]),
        "ratio_of_medians": round(
            statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs), 3
        ),
        "ratio_in_pairs": stored.spread([round(a / b, 4) for a, b in pairs]),
    }


def ping_pong(setting: Setting) -> Any:
    """One way of a ping-pong, through the transport and through raw MPI."""
    return start(setting.mpi, 2, [str(setting.micro / f"transport/ping_pong_{setting.mpi}")])


def message_rate(setting: Setting) -> Any:
    """Million messages per second: first 2 processes of 2 threads, second 4 processes."""
    program = str(setting.micro / f"runtime/message_rate_{setting.mpi}")

    def rate(processes: int, threads: int) -> float:
        return float(start(setting.mpi, processes, [program, str(threads)])["million_per_second"])

    return in_turns(setting.rounds, lambda: rate(2, 2), lambda: rate(4, 1))


def exchange(setting: Setting) -> Any:
    """Messages against exchanges: 32^3 over 16^2 and 32^2 pencils, 1, 2 and 4 processes."""
    program = str(setting.micro / f"runtime/exchange_peers_{setting.mpi}")
    return [start(setting.mpi, n, [program, side]) for side in ("16", "32") for n in (1, 2, 4)]


def dhfr(setting: Setting) -> Any:
    """ns/day: first 2 ranks of one PE, second 2 PEs of one process."""
    command = [sys.executable, "-m", "finegrain", "bench", "dhfr", "--json"]
    command += ["--steps", str(setting.steps), "--warm-up", "100"]

    def speed(*options: str) -> float:
        done = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=True)
        return float(json.loads(done.stdout)["ns_per_day"])

    return in_turns(
        setting.rounds,
        lambda: speed("--ranks", "2", "--pes", "1", "--mpi", setting.mpi),
        lambda: speed("--pes", "2"),
    )


MEASURES = {
    "ping_pong": ping_pong,
    "message_rate": message_rate,
    "exchange": exchange,
    "dhfr": dhfr,
}


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="processes beside threads and raw MPI")
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--out", type=Path, default=Path("bench/results/processes.json"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--only", nargs="*", choices=MEASURES, default=list(MEASURES))
    given = parser.parse_args()
    from finegrain.engine import machine

    report: dict[str, Any] = {}
    if given.out.exists() and set(given.only) != set(MEASURES):
        report = stored.read(given.out)
    report |= {
        "benchmark": "processes",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "machine": machine.fingerprint(),
    }
    for name in given.only:
        for mpi in MPIS:
            if shutil.which(f"mpiexec.{mpi}") is None:
                continue
            print(f"processes: {name} {mpi}", flush=True)
            begin, others, own = time.monotonic(), machine_seconds(), children_seconds()
            found = MEASURES[name](
                Setting(mpi, given.build / "bench/micro", given.rounds, given.steps)
            )
            others = machine_seconds() - others - (children_seconds() - own)
            busy = round(max(others, 0.0) / (time.monotonic() - begin), 3)
            report[f"{name}_{mpi}"] = {
                "what": MEASURES[name].__doc__,
                "cores_busy_with_others": busy,
                "found": stored.compact(found),
            }
            stored.write(report, given.out)
            print(stored.text(report[f"{name}_{mpi}"]["found"]), end="", flush=True)


if __name__ == "__main__":
    main()
