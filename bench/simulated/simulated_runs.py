# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the engine on simulated nodes: what all tables of them share."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.planning.simulated import smpi_command, smpi_environment

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / part) for part in ("peers", "")]
import stored  # noqa: E402  (a folder of scripts, not a package)
from measured import measure  # noqa: E402

ENGINE = ROOT / "build/simulated/engine/app/finegrain-engine-smpi"


@dataclass(frozen=True)
class Run:
    """The result of a run, where it wrote, and what the simulation took."""

    result: dict[str, Any]
    out: Path
    core_seconds: float
    peak: int


def simulate(
    engine: Path,
    job: Path,
    machine: tuple[Path, Path],
    words: Sequence[str],
    *,
    out: Path,
    options: Sequence[str],
    environment: dict[str, str],
    seconds: int,
) -> Run | None:
    """Run a job on simulated nodes; return None if it took too long.

    `machine` is the platform and the list of hosts, one for each process, `options` are SimGrid's,
    `words` the engine's, and `environment` tells what arithmetic costs.
    """
    command = smpi_command(engine, job, out, *machine, options, words)
    usual = smpi_environment(out.parent)
    done = measure(["timeout", str(seconds), *command], out.parent, usual | environment)
    if done.status == 124:
        return None
    for line in done.output.splitlines():
        if line.startswith("{") and "result" in (found := json.loads(line)):
            return Run(found["result"], out, done.core_seconds, done.peak)
    raise SystemExit(f"{' '.join(command)}:\n{done.output}\n{done.errors}")


def of_step(
    long: dict[str, Any], short: dict[str, Any], table: str, nodes: int
) -> dict[str, float]:
    """Return the seconds of a node for each row of a table, the longest first.

    They are the difference of two results, of runs that differ by a step.
    """
    before = {row["name"]: row["seconds"] for row in short[table]}
    found = {
        row["name"]: (row["seconds"] - before.get(row["name"], 0.0)) / nodes for row in long[table]
    }
    return {
        name: round(value, 6)
        for name, value in sorted(found.items(), key=lambda item: -item[1])
        if value > 1e-6
    }


class Report:
    """The rows of a file; a new one takes the place of that with the same settings.

    `settings` make a row another one, and rows are in the order of those of `order`.
    """

    def __init__(self, path: Path, settings: tuple[str, ...], order: tuple[str, ...]) -> None:
        self.path, self.settings, self.order = path, settings, order
        self.found: dict[str, Any] = {"rows": [], "left_out": []}
        if path.exists():
            self.found = stored.read(path)

    def add(self, kept: str, made: dict[str, Any]) -> None:
        """Add one to the rows, or to what was left out, and write the file."""
        for rows in (self.found["rows"], self.found["left_out"]):
            rows[:] = [one for one in rows if any(one.get(k) != made[k] for k in self.settings)]
        self.found[kept].append(made)
        self.found[kept].sort(key=lambda one: tuple(one[name] for name in self.order))
        stored.write(self.found, self.path)
