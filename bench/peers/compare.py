# SPDX-License-Identifier: BSD-3-Clause
"""DHFR, or another system, with finegrain, GROMACS and OpenMM in turns, written as JSON.

One round runs every program once, so that a machine that is busy for a while slows all of them.
A speed claim is the ratio of medians over at least five rounds. Programs that are not installed are
left out, and the output names them. Each program has its own default for the drift that pair lists
may cause: 5e-5 kJ/mol/ps an atom in finegrain, 0.005 in GROMACS; --tolerance gives both the same.
A package of GROMACS may be built for an older processor than
this one: --gmx takes other builds, and each is named with the SIMD level that it reports.

Usage: compare.py [--threads N ...] [--steps N] [--repeats N] [--out FILE] [--gmx PATH ...]
                  [--without NAME ...] [--system NAME] [--long-range N ...] [--tolerance X]
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import boxes
import dhfr
import gromacs
import openmm_cpu
import phases

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

Runner = Callable[[], dict[str, Any]]

OURS, OURS_RESCALED = "finegrain", "finegrain-v-rescale"
# Objects as fine as the threads of the run need, not 8 PEs.
OURS_COARSE, OURS_COARSE_RESCALED = "finegrain-coarse", "finegrain-coarse-v-rescale"
LONG_RANGE, TOLERANCE = "dynamics.long_range_interval", "forces.pair_list_tolerance"

# A step on OpenMM's CPU platform takes many times as long; this is enough for its rate.
OPENMM_SHARE_OF_STEPS = 0.2


@dataclass(frozen=True)
class Compared:
    """A system and where its files are."""

    name: str
    mesh: tuple[int, int, int]
    folder: Path


def finegrain_runner(
    system: Compared, folder: Path, threads: int, steps: int, keys: Mapping[str, Any]
) -> tuple[dict[str, Any], Runner]:
    """Return a function that times finegrain with these keys, and a description of it."""
    from finegrain import api
    from finegrain.classical.job import Job
    from finegrain.engine import machine
    from finegrain.engine.engine import load_engine
    from finegrain.terminal import benchmark

    about = load_engine().doctor()
    folder.mkdir(exist_ok=True)
    made = folder / f"{system.name}.job.h5"
    if not made.exists():
        source = system.folder / f"{folder.name}-{system.name}.toml"  # beside the system's files
        dhfr_box = system.name == "dhfr"
        of_system = benchmark.DHFR if dhfr_box else boxes.keys_of(boxes.SYSTEMS[system.name])
        benchmark.write_input(source, of_system, keys)
        api.load(source, made)
    job = Job(made)
    long_range = int(keys.get(LONG_RANGE, 1))

    def run() -> dict[str, Any]:
        keep = ("ns_per_day", "seconds_per_step", "state_digest", "phases", "energy_drift")
        warm_up = steps // 4 // long_range * long_range  # a run ends on a step with the mesh
        done = benchmark.time_job(job, folder, pes=threads, steps=steps, warm_up=warm_up)
        return {name: done.get(name) for name in keep}

    described = ("compiler", "build_type", "simd_target")
    return {
        "version": machine.version(),
        **{key: about.get(key, "") for key in described},
        "thermostat": "langevin" if "dynamics.friction" in keys else "v-rescale",
        **({"long_range_interval": long_range} if long_range > 1 else {}),
    }, run


def gromacs_runner(
    system: Compared,
    gmx: str,
    folder: Path,
    threads: int,
    steps: int,
    thermostat: str,
    tolerance: float | None,
) -> tuple[dict[str, Any], Runner]:
    """Return a function that times GROMACS with a thermostat, and a description of it."""
    folder.mkdir(exist_ok=True)  # a build reads only its own version's input
    if system.name != "dhfr":
        for end in (".top", ".gro"):
            shutil.copy(system.folder / (system.name + end), folder)
    prepared = gromacs.prepare(gmx, folder, thermostat, steps, system.name, system.mesh, tolerance)
    about = {**gromacs.version(gmx), "thermostat": thermostat}
    return about, lambda: gromacs.run(prepared, threads)


def openmm_runner(threads: int, steps: int) -> tuple[dict[str, Any], Runner]:
    """Return a function that times OpenMM, and a description of it."""
    count = max(int(steps * OPENMM_SHARE_OF_STEPS), 20)
    simulation = openmm_cpu.Simulation(threads, warm_up=20)
    return openmm_cpu.version(), lambda: simulation.run(count)


def runners(
    system: Compared,
    folder: Path,
    threads: int,
    steps: int,
    gmx: list[Path],
    without: list[str],
    long_range: list[int],
    tolerance: float | None,
) -> dict[str, tuple[dict[str, Any], Runner]]:
    """Return every program that is installed and wanted."""
    from finegrain.terminal.benchmark import LANGEVIN, VELOCITY_RESCALING

    buffer = {} if tolerance is None else {TOLERANCE: f"{tolerance:g} kJ/mol/ps"}
    ours: dict[str, dict[str, Any]] = {
        OURS: {**LANGEVIN},
        OURS_COARSE: {**LANGEVIN, "patches.pes": threads},
        OURS_RESCALED: {**VELOCITY_RESCALING},
        OURS_COARSE_RESCALED: {**VELOCITY_RESCALING, "patches.pes": threads},
    }
    for every in long_range:
        ours[f"{OURS}-mesh-every-{every}"] = {**LANGEVIN, LONG_RANGE: every}
    # The job of a folder serves all threads, but for that which is made for them.
    coarse = (OURS_COARSE, OURS_COARSE_RESCALED)
    at = {name: name for name in ours} | {name: f"{name}-{threads}" for name in coarse}
    makers: dict[str, Callable[[], tuple[dict[str, Any], Runner]]] = {
        name: partial(finegrain_runner, system, folder / at[name], threads, steps, keys | buffer)
        for name, keys in ours.items()
    }
    if system.name == "dhfr":
        makers["openmm"] = lambda: openmm_runner(threads, steps)
    builds = gromacs.programs(gmx)
    for name, path in builds.items():
        for thermostat in gromacs.THERMOSTATS:
            makers[f"{name}-{thermostat}"] = partial(
                gromacs_runner, system, path, folder / name, threads, steps, thermostat, tolerance
            )
    if not builds:
        print("compare: gromacs is not installed and left out", file=sys.stderr)
    return {name: make() for name, make in makers.items() if name not in without}


def counts_of(system: Compared, folder: Path, atoms: int) -> dict[str, float]:
    """Return what the time of a part is divided by; nothing without finegrain's job."""
    from finegrain.classical.job import Job

    job = folder / OURS / f"{system.name}.job.h5"
    if not job.exists():
        return {}
    made = Job(job)
    pairs = phases.pairs_within(made.positions, made.box, dhfr.CUTOFF_NM)
    return {"pair": pairs, "atom": atoms, "point": math.prod(system.mesh)}


def summary(
    name: str,
    about: dict[str, Any],
    runs: list[dict[str, Any]],
    threads: int,
    counts: dict[str, float],
) -> dict[str, Any]:
    """Return the figures of one program; parts, digest and lists are of the run in the middle."""
    rates = [run["ns_per_day"] for run in runs]
    middle = sorted(runs, key=lambda run: float(run["ns_per_day"]))[len(runs) // 2]
    quarters = statistics.quantiles(rates, n=4) if len(rates) > 1 else [rates[0]] * 3
    parts = []
    if counts and middle.get("phases"):
        step = float(middle["seconds_per_step"])
        parts = phases.parts_of(middle["phases"], step, threads, counts)
    return {
        "program": name,
        **about,
        "threads": threads,
        "ns_per_day_median": stored.rounded(statistics.median(rates)),
        "ns_per_day_min": stored.rounded(min(rates)),
        "ns_per_day_max": stored.rounded(max(rates)),
        "ns_per_day_quartiles": stored.rounded([quarters[0], quarters[2]]),
        **{key: middle[key] for key in ("state_digest", "nstlist") if middle.get(key)},
        "parts": stored.rounded(parts),
    }


def prepared_system(name: str, folder: Path) -> tuple[Compared, int]:
    """Write the files of a system; return it with its number of atoms."""
    if name == "dhfr":
        return Compared(name, (dhfr.MESH,) * 3, folder), dhfr.ATOMS
    gmx = gromacs.programs([]).get("gromacs")
    if gmx is None:
        raise SystemExit(f"compare: gromacs makes {name}; install it with tools/setup.sh --bench")
    chosen, files = boxes.SYSTEMS[name], folder / "files"
    files.mkdir()
    atoms = boxes.write(chosen, gmx, files)
    return Compared(name, chosen.mesh, files), atoms


def compare(
    name: str,
    threads: list[int],
    steps: int,
    repeats: int,
    gmx: list[Path],
    without: list[str],
    long_range: list[int],
    tolerance: float | None,
) -> dict[str, Any]:
    """Run all programs in turns, each on every number of threads, and return the report."""
    from finegrain.engine import machine

    load = os.getloadavg()[0]  # stored for the reader: figures from a busy machine are worthless
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        system, atoms = prepared_system(name, Path(folder))
        programs = {
            (program, count): runner
            for count in threads
            for program, runner in runners(
                system, Path(folder), count, steps, gmx, without, long_range, tolerance
            ).items()
        }
        for (program, _count), (about, _run) in programs.items():
            simd = about.get("simd") or about.get("simd_target") or "unknown"
            print(f"{program:<20} {about.get('version', '')}, SIMD {simd}", file=sys.stderr)
        runs: dict[tuple[str, int], list[dict[str, Any]]] = {key: [] for key in programs}
        for round_ in range(repeats):
            for (program, count), (_about, run) in programs.items():
                done = run()
                runs[program, count].append(done)
                line = f"round {round_ + 1}/{repeats}  {program:<20} {count} threads"
                print(f"{line}  {done['ns_per_day']:8.2f} ns/day", file=sys.stderr, flush=True)
        counts = counts_of(system, Path(folder), atoms)
    figures = [
        summary(program, about, runs[program, count], count, counts)
        for (program, count), (about, _run) in programs.items()
    ]
    ours = {(entry["program"], entry["threads"]): entry["ns_per_day_median"] for entry in figures}
    for entry in figures:
        # The same thermostat, if it was timed.
        rescaled = (OURS_RESCALED, entry["threads"])
        alike = entry.get("thermostat") == "v-rescale" and rescaled in ours
        key = rescaled if alike else (OURS, entry["threads"])
        if not entry["program"].startswith(OURS) and key in ours:
            entry["finegrain_ratio"] = stored.rounded(ours[key] / entry["ns_per_day_median"])
    return {
        "benchmark": name,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "atoms": atoms,
        "threads": threads,
        "steps": steps,
        "repeats": repeats,
        "settings": {
            "cutoff_nm": dhfr.CUTOFF_NM,
            "mesh": list(system.mesh),
            "spline_order": dhfr.SPLINE_ORDER,
            "timestep_fs": dhfr.TIMESTEP_FS,
            "temperature_k": dhfr.TEMPERATURE_K,
            "pair_list_tolerance_kj_per_mol_ps": tolerance,
        },
        "counts": counts,
        "load_average_before": load,
        "programs": figures,
        "machine": machine.fingerprint(),
    }


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="One system with several programs in turns")
    names = ("dhfr", *boxes.SYSTEMS)
    parser.add_argument("--system", choices=names, default="dhfr", help="dhfr if not given")
    parser.add_argument("--threads", type=int, nargs="+", default=[2])
    parser.add_argument("--steps", type=int, default=1000, help="timed steps of each run")
    parser.add_argument("--repeats", type=int, default=5, help="rounds")
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    parser.add_argument("--gmx", type=Path, nargs="*", default=[], help="other builds of GROMACS")
    parser.add_argument("--without", nargs="*", default=[], metavar="NAME", help="leave these out")
    parser.add_argument(
        "--long-range", type=int, nargs="*", default=[], metavar="N",
        help="finegrain also with the mesh on every N-th step (dhfr)",
    )  # fmt: skip
    parser.add_argument(
        "--tolerance", type=float, metavar="X",
        help="drift by pair lists, kJ/mol/ps an atom, for both programs; their own defaults",
    )  # fmt: skip
    given = parser.parse_args()
    if given.long_range and given.system != "dhfr":
        parser.error("--long-range is for dhfr")
    report = compare(
        given.system,
        given.threads,
        given.steps,
        given.repeats,
        given.gmx,
        given.without,
        given.long_range,
        given.tolerance,
    )
    stored.write(report, given.out)


if __name__ == "__main__":
    main()
