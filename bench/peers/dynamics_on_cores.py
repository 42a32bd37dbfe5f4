# SPDX-License-Identifier: BSD-3-Clause
"""Car-Parrinello steps of water on more and more PEs, by how finely the job is divided, as JSON.

The box, cutoff and files of dynamics.py, orbitals held by constraints. `[objects] pes` divides a
job; each job runs on each number of PEs, and has to end with the same digest on all of them. Times
are those of a step, without the way to the ground state, as finegrain tells them.

Usage: dynamics_on_cores.py [--waters N] [--boxes FOLDER] [--divided-for N ...] [--pes N ...]
    [--steps N] [--repeats N] [--cutoff RY] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import dynamics
import ground_states
import stored

OF_A_JOB = ("state_grain", "wave_parts", "density_parts")


def divided(source: Path, divided_for: int) -> Path:
    """Write an input whose job is divided for so many PEs."""
    written = source.with_name(f"for-{divided_for}.toml")
    written.write_text(f"{source.read_text()}[objects]\npes = {divided_for}\n")
    return written


def run(source: Path, pes: int) -> dict[str, Any]:
    """Run it once; return the time of a step, the digest and the idle share."""
    _, told = ground_states.run_command(source, pes)
    return {
        "seconds_of_a_step": told["seconds_per_step"],
        "idle_share": told["idle_share"],
        "state_digest": told["state_digest"],
    }


def division(source: Path) -> dict[str, int]:
    """Return how a run's job is divided."""
    from finegrain.ab_initio.job import AbInitioJob

    division = AbInitioJob(source.parent / "run").division
    return {name: int(division[name]) for name in OF_A_JOB}


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is stored of the runs of a job, which have to end with the same digest."""
    digests = {run["state_digest"] for run in runs}
    if len(digests) != 1:
        sys.exit(f"dynamics_on_cores: {len(digests)} digests of the same job: {digests}")
    return {
        **stored.spreads(runs, "seconds_of_a_step", "idle_share"),
        "state_digest": digests.pop(),
    }


def measure(source: Path, divided_for: int, pes: int, repeats: int) -> dict[str, Any]:
    """Return an entry: a job on so many PEs."""
    runs = []
    for round_ in range(repeats):
        runs.append(run(source, pes))
        print(
            f"divided for {divided_for}, {pes} PEs, run {round_ + 1}/{repeats}: "
            f"{runs[-1]['seconds_of_a_step']:.4f} s a step, {runs[-1]['state_digest'][:12]}",
            file=sys.stderr,
            flush=True,
        )
    return {
        "divided_for": divided_for,
        "division": division(source),
        "pes": pes,
        **summary(runs),
    }


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--waters", type=int, default=ground_states.OURS)
    parser.add_argument("--boxes", type=Path, help="folder with waterN.xyz; else ice, repeated")
    parser.add_argument("--divided-for", type=int, nargs="+", default=[4, 8])
    parser.add_argument("--pes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--cutoff", type=float, default=ground_states.CUTOFF_RY, help="Ry")
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    from finegrain.engine import machine
    from finegrain.engine.engine import load_engine

    load = os.getloadavg()[0]
    atoms = ground_states.structure(given.waters, given.boxes)
    entries = []
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        task = ground_states.task_of(atoms, given.cutoff)
        ground = ground_states.finegrain_input(task, atoms, Path(name))
        source = dynamics.finegrain_input(ground, "constrained", given.steps)
        for divided_for in given.divided_for:
            job = divided(source, divided_for)
            some = [measure(job, divided_for, pes, given.repeats) for pes in given.pes]
            digests = {entry["state_digest"] for entry in some}
            if len(digests) != 1:
                sys.exit(f"dynamics_on_cores: {len(digests)} digests of the same job: {digests}")
            entries += some
    report = {
        "benchmark": "Car-Parrinello steps by PEs and division",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "waters": given.waters,
        "box": "ice" if given.boxes is None else given.boxes.name,
        "cutoff_ry": given.cutoff,
        "steps": given.steps,
        "repeats": given.repeats,
        "load_average_before": load,
        "entries": entries,
        "machine": machine.fingerprint(load_engine().doctor()),
    }
    stored.write(report, given.out)


if __name__ == "__main__":
    main()
