# SPDX-License-Identifier: BSD-3-Clause
"""Buffers and malloc, the queue and other queues: run the comparisons and store the results.

The programs run all cases in turns and print JSON. This script adds what they cannot know, such as
how busy other processes kept the cores during the run. Usage: parts.py [--programs FOLDER] [--out
FOLDER] [PART ...]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

PARTS = ("buffer", "queue")
# A single header that does not contain its version.
PACKAGES = {"queue": "libconcurrentqueue-dev"}


def package_version(name: str) -> str | None:
    """Return the version of an installed Debian package, None where there is none."""
    if shutil.which("dpkg-query") is None:
        return None
    command = ["dpkg-query", "-W", "-f=${Version}", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 and done.stdout else None


def machine_seconds() -> float:
    """Return the core time that all processes and other guests of the host have used so far."""
    user, nice, system, _idle, _wait, *others = (
        int(ticks) for ticks in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


def children_seconds() -> float:
    """Return the core time that our own programs have used so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(part: str, programs: Path) -> dict[str, Any]:
    """Run the program of one part and return its report with date, load and machine."""
    from finegrain.engine import machine

    start, machine_before, own_before = time.monotonic(), machine_seconds(), children_seconds()
    done = subprocess.run(
        [programs / f"{part}_peers"], stdout=subprocess.PIPE, text=True, check=True
    )
    elapsed = time.monotonic() - start
    others = machine_seconds() - machine_before - (children_seconds() - own_before)
    found: dict[str, Any] = stored.compact(json.loads(done.stdout))
    entries = found.pop("entries")
    package = PACKAGES.get(part)
    return {
        "benchmark": found.pop("benchmark"),
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        **found,
        **({"packages": {package: package_version(package)}} if package else {}),
        # Figures from a busy machine are worthless; the reader can see the load.
        "cores_busy_with_others": round(max(others, 0.0) / elapsed, 3),
        "machine": machine.fingerprint(),
        "entries": entries,
    }


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="parts of the engine beside their peers")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--programs", type=Path, default=Path("build/release/bench/micro/runtime"))
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    for part in given.parts or PARTS:
        print(f"parts: {part}", flush=True)
        stored.write(measure(part, given.programs), given.out / f"{part}_peers.json")


if __name__ == "__main__":
    main()
