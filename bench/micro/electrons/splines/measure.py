# SPDX-License-Identifier: BSD-3-Clause
"""Store the table of spline_table with the machine that it was measured on.

Usage: measure.py SPLINE_TABLE [--rounds N] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from finegrain.engine import machine

sys.path.append(str(Path(__file__).resolve().parents[3]))

import stored


def main() -> None:
    """Run the program on one core, and write its table."""
    parser = argparse.ArgumentParser(description="Processor time of ions, exactly and by splines.")
    parser.add_argument("program", type=Path, help="bench/micro/.../spline_table of a build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("bench/results/ion_splines.json"))
    options = parser.parse_args()
    command = ["env", "OPENBLAS_NUM_THREADS=1", options.program.resolve(), str(options.rounds)]
    found = subprocess.run(command, capture_output=True, check=True, text=True)
    report = {"machine": machine.fingerprint(), **json.loads(found.stdout)}
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
