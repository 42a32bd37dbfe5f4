# SPDX-License-Identifier: BSD-3-Clause
"""A ground state on 1 and 2 PEs, 2 and 4 ranks, in turns, written as JSON.

The same job each time, so all have to end with the same digest; otherwise the run fails. Times are
those of the iterations that the engine tells, so that neither the start of Python nor mpiexec
counts, and of the whole command.

Usage: ground_state_processes.py [--waters N] [--boxes FOLDER] [--cutoff RY] [--repeats N] [--out F]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import ground_states
import pw
import stored
from measured import measure
from parts import children_seconds, machine_seconds

# How the processors are used: options of the command.
LAYOUTS = {
    "1 PE": ["--pes", "1"],
    "2 PEs": ["--pes", "2"],
    "2 ranks": ["--pes", "1", "--ranks", "2"],
    "4 ranks": ["--pes", "1", "--ranks", "4"],
}
RANK_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(source: Path, layout: str) -> dict[str, Any]:
    """Compute it once and return times, digest and shares."""
    results = source.parent / "run"
    shutil.rmtree(results, ignore_errors=True)
    command = [sys.executable, "-m", "finegrain", "run", source.name, "--json"]
    done = measure(
        [*command, "--out", results.name, *LAYOUTS[layout]],
        source.parent,
        {**pw.SERIAL, **RANK_ENV},
    )
    if done.status:
        sys.exit(f"{layout}: finegrain failed:\n{done.output[-3000:]}\n{done.errors[-3000:]}")
    found = json.loads(done.output)
    iterations = found["iterations"]
    return {
        "seconds": done.seconds,
        "core_seconds": done.core_seconds,
        "peak_of_a_process": done.peak,
        # That of the engine holds all that it does before, between and after the iterations.
        "engine_seconds": found["seconds"],
        "seconds_of_an_iteration": found["seconds_per_step"],
        "iterations": iterations,
        "messages": found["messages"],
        "overhead_share": found["overhead_share"],
        "idle_share": found["idle_share"],
        "energy": found["total_energy"],
        "state_digest": found["state_digest"],
    }


def compare(source: Path, layouts: list[str], repeats: int) -> dict[str, Any]:
    """Run all layouts in turns; return their runs, and what belongs to pairs of them."""
    runs: dict[str, list[dict[str, Any]]] = {layout: [] for layout in layouts}
    for round_ in range(repeats):
        for layout in layouts:
            done = run(source, layout)
            runs[layout].append(done)
            print(
                f"round {round_ + 1}/{repeats}  {layout:<8} {done['engine_seconds']:8.2f} s"
                f"  idle {done['idle_share']:.3f}  {done['state_digest'][:12]}",
                file=sys.stderr,
                flush=True,
            )
    digests = {one["state_digest"] for all_ in runs.values() for one in all_}
    if len(digests) != 1:
        sys.exit(f"ground_state_processes: {len(digests)} digests of the same job: {digests}")
    ratios = {}
    for faster, slower in (("2 PEs", "1 PE"), ("2 ranks", "2 PEs"), ("4 ranks", "2 PEs")):
        if faster in runs and slower in runs:
            pairs = zip(runs[slower], runs[faster], strict=True)
            ratios[f"speed of {faster} over {slower}"] = stored.spread(
                [one["engine_seconds"] / other["engine_seconds"] for one, other in pairs]
            )
    return {
        "state_digest": digests.pop(),
        "layouts": [{"layout": layout, **summary(some)} for layout, some in runs.items()],
        "ratios": ratios,
    }


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is stored of the runs of a layout; `seconds` are those of the engine."""
    spreads = ("seconds", "core_seconds", "seconds_of_an_iteration", "overhead_share", "idle_share")
    engine = [{**one, "seconds": one["engine_seconds"]} for one in runs]
    return {
        **stored.spreads(engine, *spreads),
        "seconds_of_the_command": stored.spread([one["seconds"] for one in runs]),
        "peak_of_a_process": max(one["peak_of_a_process"] for one in runs),
        **{key: runs[-1][key] for key in ("iterations", "messages", "energy")},
    }


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--waters", type=int, default=ground_states.OURS)
    parser.add_argument("--boxes", type=Path, help="folder with waterN.xyz; else ice, repeated")
    parser.add_argument("--cutoff", type=float, default=ground_states.CUTOFF_RY, help="Ry")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    from finegrain.engine import machine
    from finegrain.engine.engine import load_engine

    load = os.getloadavg()[0]
    begin, others, own = time.monotonic(), machine_seconds(), children_seconds()
    atoms = ground_states.structure(given.waters, given.boxes)
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        task = ground_states.task_of(atoms, given.cutoff)
        source = ground_states.finegrain_input(task, atoms, Path(name))
        found = compare(source, given.layouts, given.repeats)
    others = machine_seconds() - others - (children_seconds() - own)
    report = {
        "benchmark": "a ground state on PEs and ranks",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "what": "seconds of the engine for the same job, in turns",
        "waters": given.waters,
        "box": "ice" if given.boxes is None else given.boxes.name,
        "cutoff_ry": given.cutoff,
        "repeats": given.repeats,
        "load_average_before": load,
        "cores_busy_with_others": round(max(others, 0.0) / (time.monotonic() - begin), 3),
        **found,
        "machine": machine.fingerprint(load_engine().doctor()),
    }
    stored.write(report, given.out)


if __name__ == "__main__":
    main()
