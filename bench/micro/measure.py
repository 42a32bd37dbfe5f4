# SPDX-License-Identifier: BSD-3-Clause
"""Run a program of the benchmark library, and store the median of each benchmark with the machine.

Usage: measure.py PROGRAM [--repeats N] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

# What the library says of a benchmark besides its times and counters.
NAMES = ("name", "run_name", "run_type", "family_index", "per_family_instance_index", "repetitions")
NAMES += ("threads", "iterations", "aggregate_name", "aggregate_unit", "time_unit")


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """Return medians of times and counters, and the coefficient of variation of the time.

    Parameters
    ----------
    report : dict
        What a program prints with ``--benchmark_report_aggregates_only=true``.
    """
    rows = report["benchmarks"]
    medians = [row for row in rows if row["aggregate_name"] == "median"]
    scatter = {row["run_name"]: row["real_time"] for row in rows if row["aggregate_name"] == "cv"}
    return {
        "date": report["context"]["date"].partition("T")[0],
        "benchmarks": [
            {
                "name": row["run_name"],
                "repetitions": row["repetitions"],
                "unit": row["time_unit"],
                **{key: stored.rounded(row[key]) for key in row if key not in NAMES},
                "variation": stored.rounded(scatter[row["run_name"]]),
            }
            for row in medians
        ],
    }


def main() -> None:
    """Run the program, and write its table."""
    parser = argparse.ArgumentParser(description="Medians of a program of the benchmark library.")
    parser.add_argument("program", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    from finegrain.engine import machine

    command = [
        str(given.program.resolve()),
        f"--benchmark_repetitions={given.repeats}",
        "--benchmark_report_aggregates_only=true",
        "--benchmark_format=json",
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    stored.write({**summary(json.loads(done.stdout)), "machine": machine.fingerprint()}, given.out)


if __name__ == "__main__":
    main()
