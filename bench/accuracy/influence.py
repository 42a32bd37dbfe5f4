# SPDX-License-Identifier: BSD-3-Clause
"""Measure the error of forces with both influence functions, and write it as JSON.

DHFR in water (openmmtools), as it is distributed. The error is the root mean square difference from
the forces of a mesh of 0.4 Å and order 8, which are those of the exact Ewald sum up to 1e-7, with
the same cutoff and coefficient. It is divided by the root mean square force. The bytes and messages
are what processes send each other for the mesh in a step in mixed precision, counted for one PE in
each process. No figure depends on the machine.

Usage: influence.py [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import finegrain as fg
from finegrain.planning.job_traffic import traffic_of_job

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

SYSTEM = "openmmtools:DHFRExplicit"
EDGE = 62.23  # Å
FINE = 160  # points per axis, 0.39 Å
POINTS = {1: 64, 2: 32}  # per axis, for each spacing in Å
ORDERS = (4, 5, 6, 8)
FUNCTIONS = ("smooth", "optimal")
TOLERANCE_COEFFICIENT = 3.29  # times 1 / cutoff: erfc of it is 3e-6, the default's tolerance
PROCESSES = 64
PENCILS = (8, 8)
PHASES = ("charges", "potentials", "transposes")


def text_of(
    cutoff: float, points: int, order: int, function: str, precision: str = "double"
) -> str:
    """Return an input; only electrostatics matters, so the rest is as usual."""
    return f"""
[system]
kind = "classical"
topology = "{SYSTEM}"
[forces]
cutoff = "{cutoff} Å"
switch = "off"
electrostatics = "pme"
ewald_coefficient = "{TOLERANCE_COEFFICIENT / cutoff:.5f} 1/Å"
mesh = [{points}, {points}, {points}]
spline_order = {order}
influence_function = "{function}"
precision = "{precision}"
[mesh]
pencils = {list(PENCILS)}
"""


class Measured:
    """Errors and traffic of one state with many meshes."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "one.toml"
        self.job = folder / "one.job.h5"
        self.exact: dict[float, Any] = {}

    def forces(self, cutoff: float, points: int, order: int, function: str) -> Any:
        """Return the forces at the start."""
        self.source.write_text(text_of(cutoff, points, order, function), encoding="utf-8")
        return fg.energy(self.source).forces

    def error(self, cutoff: float, points: int, order: int, function: str) -> float:
        """Return the relative error of forces."""
        if cutoff not in self.exact:
            self.exact[cutoff] = self.forces(cutoff, FINE, 8, "smooth")
        exact = self.exact[cutoff]
        found = self.forces(cutoff, points, order, function)
        return float(f"{np.sqrt(((found - exact) ** 2).sum() / (exact**2).sum()):.2g}")

    def traffic(self, cutoff: float, points: int, order: int, function: str) -> dict[str, int]:
        """Count what processes send for the mesh in a step."""
        text = text_of(cutoff, points, order, function, "mixed")
        self.source.write_text(text, encoding="utf-8")
        self.job.unlink(missing_ok=True)
        fg.load(self.source, self.job)
        phases = traffic_of_job("DHFR", self.job.read_bytes(), PROCESSES).phases
        return {
            "bytes": round(sum(float(phases[name].bytes.sum()) for name in PHASES)),
            "messages": round(sum(float(phases[name].messages.sum()) for name in PHASES)),
        }


def main() -> None:
    """Measure all rows."""
    parser = argparse.ArgumentParser(description="Errors of forces with both influence functions.")
    parser.add_argument("--out", type=Path, default=Path("bench/results/influence.json"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        measured = Measured(Path(name))
        report = {
            "system": {"name": SYSTEM, "edge": EDGE, "processes": PROCESSES},
            "errors": [
                {"spacing": spacing, "function": function}
                | {f"order_{order}": measured.error(9, points, order, function) for order in ORDERS}
                for spacing, points in POINTS.items()
                for function in FUNCTIONS
            ],
            "coarse": [
                {"function": function, "spacing": spacing, "order": order}
                | {"error": measured.error(12, POINTS[spacing], order, function)}
                | measured.traffic(12, POINTS[spacing], order, function)
                for spacing, order in ((1, 4), (2, 8))
                for function in FUNCTIONS
            ],
        }
    stored.write(report, options.out)


if __name__ == "__main__":
    main()
