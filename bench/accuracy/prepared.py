# SPDX-License-Identifier: BSD-3-Clause
"""Whole systems from raw files to 20 ps at constant pressure, by two commands each.

The systems are those of tests/python/building/whole_systems.py. The commands are `finegrain prepare
FILE`, and `finegrain run INPUT.toml --scale 0.002`, whose last stage has 20 ps. Energies of what
was prepared are held against OpenMM's Reference platform. What is found is stored in
bench/results/systems/prepared.json. A run that is complete in FOLDER is not made again.

Usage: prepared.py FOLDER [--only NAME ...] [--pes N] [--out FILE]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests/python/building"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tests/python/engine"))

import stored
from openmm_reference import relative_rms
from prepared_energies import energies_beside_openmm
from whole_systems import SYSTEMS

import finegrain as fg
from finegrain.engine import machine

RESULTS = Path(__file__).resolve().parents[2] / "bench/results/systems/prepared.json"
SCALE = 0.002  # of 10 ns


def finegrain(folder: Path, *words: str) -> float:
    """Run a command; return its processor seconds."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "finegrain", *words], cwd=folder, check=True)
    after = os.times()
    return after.children_user + after.children_system - sum(before[2:4])


def entry_of(name: str, folder: Path, pes: int) -> dict[str, Any]:
    """Prepare and run a system, and compare its energies; return what is stored of it."""
    folder.mkdir(parents=True, exist_ok=True)
    source, options = SYSTEMS[name](folder)
    spent = finegrain(folder, "prepare", source.name, *options, "--overwrite")
    made = source.with_suffix(".toml")
    last = folder / "out/5-produce"
    if not (last.exists() and fg.Run(last).finished):
        run = ("run", made.name, "--out", "out", "--quiet", "--overwrite", "--pes", str(pes))
        finegrain(folder, *run, "--scale", str(SCALE))
    result = fg.Run(last).result
    ours, theirs = energies_beside_openmm(made)
    return {
        "system": name,
        "command": " ".join(["prepare", source.name, *options]),
        "atoms": result["atoms"],
        "prepare_core_seconds": spent,
        "picoseconds": result["steps"] * result["timestep_fs"] / 1000,
        "pes": result["pes"],
        "ns_per_day": result["ns_per_day"],
        "temperature": result["temperature"],
        "density": result["density"],
        "energy_against_openmm": abs(ours.total / theirs.whole - 1),
        "forces_against_openmm": relative_rms(ours.forces, theirs.forces),
        "digest": result["state_digest"],
    }


def main() -> None:
    """Measure, and store what is found after each system."""
    parser = argparse.ArgumentParser(description="Whole systems from raw files to 20 ps.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=list(SYSTEMS), help="these systems")
    parser.add_argument("--pes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    report = stored.read(options.out) if options.out.exists() else {}
    rows = {row["system"]: row for row in report.get("systems", [])}
    for name in options.only or SYSTEMS:
        rows[name] = stored.rounded(entry_of(name, options.folder / name, options.pes))
        stored.write(
            {
                "versions": {"finegrain": machine.version()},
                "machine": machine.fingerprint(),
                "systems": [rows[one] for one in SYSTEMS if one in rows],
            },
            options.out,
        )


if __name__ == "__main__":
    main()
