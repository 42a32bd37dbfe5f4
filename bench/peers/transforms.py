# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of grids over processes beside FFTW's own over MPI, mpi4py-fft and dtFFT.

In one process `finegrain bench fft` times complex and real points in both precisions beside FFTW,
MKL and ducc. For each number of ranks two programs, in each of which all contestants take turns:
the C++ library beside FFTW (bench/micro/fft/rank_peers.cpp), and finegrain.fft beside the packages
for Python (`finegrain bench fft`). Also real points beside complex ones, and 32 fields as one batch
beside 32 single transforms. It takes about five minutes on two free cores.
Usage: transforms.py [--build FOLDER] [--out FILE] [--rounds N] [--ranks N ...]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parts import children_seconds, machine_seconds
from processes import start

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

MPI = "openmpi"  # the one with which Debian's FFTW is built
SIZES = (32, 64, 100, 128)
ALONE = (32, 64, 72, 97, 100, 128)


def in_cpp(micro: Path, ranks: int, rounds: int) -> tuple[str, list[dict[str, Any]]]:
    """Return FFTW's version and the entries of the C++ program."""
    found = start(MPI, ranks, [str(micro / "fft/rank_peers"), str(rounds)])
    return found["fftw"], [
        with_spread({"ranks": ranks, "language": "C++", **entry}, entry["runs"])
        for entry in found["entries"]
    ]


def with_spread(entry: dict[str, Any], runs: Sequence[float]) -> dict[str, Any]:
    """Return an entry with median and range of its runs instead of the runs."""
    return {key: value for key, value in entry.items() if key != "runs"} | {
        "us": stored.spread(runs)
    }


def bench_fft(sizes: Sequence[int], rounds: int, *options: str) -> dict[str, Any]:
    """Return the report of `finegrain bench fft`."""
    command = [sys.executable, "-m", "finegrain", "bench", "fft", "--json"]
    command += ["--repeats", str(rounds), "--mpi", MPI, *options]
    for n in sizes:
        command += ["--grid", str(n)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def versions_in(report: dict[str, Any]) -> dict[str, str]:
    """Return the versions of the programs, and why others were left out."""
    versions = {entry["program"]: entry["version"] for entry in report["entries"]}
    return versions | {f"{name} left out": why for name, why in report["left_out"].items()}


def entries_of(report: dict[str, Any], **which: Any) -> list[dict[str, Any]]:
    """Return the entries of a report, as they are stored."""
    return [
        with_spread(
            {**which, "n": entry["grid"][0], "program": entry["program"]},
            entry["microseconds"]["runs"],
        )
        for entry in report["entries"]
    ]


def in_python(ranks: int, rounds: int) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the versions and the entries of complex transforms over processes."""
    report = bench_fft(SIZES, rounds, "--ranks", str(ranks))
    return versions_in(report), entries_of(report, ranks=ranks, language="Python", kind="complex")


def in_one_process(rounds: int) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the versions and the entries of both kinds and precisions in one process."""
    versions: dict[str, str] = {}
    entries: list[dict[str, Any]] = []
    for kind in ("complex", "real"):
        for precision in ("double", "single"):
            options = ["--real"] * (kind == "real") + ["--single"] * (precision == "single")
            report = bench_fft(ALONE, rounds, *options)
            versions |= versions_in(report)
            entries += entries_of(report, kind=kind, precision=precision)
    return versions, entries


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="transforms over processes, in turns with peers")
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--out", type=Path, default=Path("bench/results/transform_peers.json"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    given = parser.parse_args()
    from finegrain.engine import machine

    begin, others, own = time.monotonic(), machine_seconds(), children_seconds()
    entries: list[dict[str, Any]] = []
    versions: dict[str, str] = {"finegrain": machine.version()}
    with tempfile.TemporaryDirectory(prefix="peers-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # measured now, not remembered from a busy day
        print("transforms: one process", file=sys.stderr, flush=True)
        named, alone = in_one_process(given.rounds)
        versions |= named
        for ranks in given.ranks:
            print(f"transforms: {ranks} ranks", file=sys.stderr, flush=True)
            versions["FFTW"], found = in_cpp(given.build / "bench/micro", ranks, given.rounds)
            entries += found
            if ranks > 1:
                named, found = in_python(ranks, given.rounds)
                versions |= named
                entries += found
    others = machine_seconds() - others - (children_seconds() - own)
    report = {
        "benchmark": "transforms over processes",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "what": "microseconds of a transform forward and one back, per field, slowest process",
        "rounds": given.rounds,
        "mpi": MPI,
        "versions": versions,
        "cores_busy_with_others": round(max(others, 0.0) / (time.monotonic() - begin), 3),
        "entries": entries,
        "one_process": alone,
        "machine": machine.fingerprint(),
    }
    stored.write(report, given.out)


if __name__ == "__main__":
    main()
