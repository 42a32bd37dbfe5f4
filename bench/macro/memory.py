# SPDX-License-Identifier: BSD-3-Clause
"""The memory that each process of a large run takes: copies of DHFR in water, made by `repeat`.

Every run has 20 steps with one PE in each process. The figure is the largest resident memory that
the kernel has seen of a process, its share of libraries included.

Usage: memory.py --files FOLDER [--copies X Y Z] [--mpi NAME] [--engines FOLDER] [--out FILE]
--files holds JAC.prmtop and JAC.inpcrd; --engines the engine's programs, if not those installed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored
from repeated_dhfr import input_text

from finegrain import _engine, api
from finegrain.engine.machine import fingerprint
from finegrain.engine.mpi import Mpi, find_mpi

STEPS = 20
COPIES = (5, 5, 4)  # along each vector
RANKS = (2, 1)

REST = """\
[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = {steps}
temperature = "300 K"

[patches]
pes = 2

[output]
energy_interval = 10
trajectory_interval = 0
"""


def run_and_note(words: list[str]) -> None:
    """Run a program as a rank, and write its peak memory into the folder that comes first."""
    folder, *command = words
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    _, status, used = os.wait4(program.pid, 0)
    (Path(folder) / f"{program.pid}.json").write_text(json.dumps(1024 * used.ru_maxrss), "utf-8")
    sys.exit(os.waitstatus_to_exitcode(status))


def measured(job: Path, ranks: int, engines: Path, mpi: Mpi, folder: Path) -> dict[str, Any]:
    """Return the peak memory of each process, the largest first, and the digest of the run."""
    peaks = folder / f"peaks-{ranks}"
    peaks.mkdir()
    program = "finegrain-engine" if ranks == 1 else f"finegrain-engine-{mpi.name}"
    engine = [str(engines / program), str(job)]
    engine += ["--out", str(folder / f"out-{ranks}"), "--pin", "none"]
    launcher = [str(mpi.launcher), "-n", str(ranks)] if ranks > 1 else []
    command = [*launcher, sys.executable, str(Path(__file__).resolve()), "--rank", str(peaks)]
    done = subprocess.run([*command, *engine], check=True, capture_output=True, text=True)
    (digest,) = re.findall(r"^state_digest (\w+)", done.stdout, re.MULTILINE)
    found = sorted((json.loads(file.read_text("utf-8")) for file in peaks.iterdir()), reverse=True)
    return {"ranks": ranks, "peak_bytes": found, "state_digest": digest}


def rows(files: Path, repeat: list[int], engines: Path, mpi: Mpi) -> list[dict[str, Any]]:
    """Return a row for each number of processes."""
    with tempfile.TemporaryDirectory(prefix="finegrain-memory-") as name:
        folder = Path(name)
        text = input_text(files, repeat, REST.format(steps=STEPS))
        (folder / "in.toml").write_text(text, "utf-8")
        job = api.load(folder / "in.toml", folder / "job.h5")
        size = {"atoms": job.atoms, "copies": repeat, "job_bytes": job.path.stat().st_size}
        return [size | measured(job.path, ranks, engines, mpi, folder) for ranks in RANKS]


def main() -> None:
    """Measure and write the report."""
    if sys.argv[1:2] == ["--rank"]:
        run_and_note(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--copies", type=int, nargs=3, default=list(COPIES))
    parser.add_argument("--mpi", default="openmpi")
    parser.add_argument("--engines", type=Path, default=Path(_engine.__file__).parent / "bin")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    report: dict[str, Any] = {"date": datetime.date.today().isoformat(), "machine": fingerprint()}
    report["steps"] = STEPS
    report["rows"] = rows(options.files, options.copies, options.engines, find_mpi(options.mpi))
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
