# SPDX-License-Identifier: BSD-3-Clause
"""How near `finegrain predict` comes to measured steps and to simulated ones.

Measured: DHFR in water and two cubes of water, on one and two PEs and on two ranks of this machine.
The machine's `core_speed` for one job is that with which another job's step on one PE comes out
right, so no prediction has seen a time of its own job. Times are the least of several runs in turn,
with all their rebuilds of lists. All jobs are relaxed first. How fast a process copies a message's
bytes comes from the ping-pong between processes (`cmake --build build/release` builds it).

Simulated: the steps of bench/results/predictions/simulated_classical.json, on the same machines,
with ranks on the same nodes. The predictions in that file are made again, too.

Ab initio: iterations and steps on this machine, of jobs that had no part in the fit of
ab_initio_work.py. The speed of a core is that which the two classical jobs give. With
--keep-measured the times of the report stay, and only predictions are made again.

Ground states: the iterations of bench/results/simulated_ground_states.json whose messages share the
links, with the costs of operations that the simulated machines had.

Usage: prediction.py [--parts measured simulated ab-initio ground-states] [--rounds N] [--steps N]
    [--prefix WORDS] [--keep-measured] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from finegrain import api
from finegrain.engine import machine
from finegrain.machines.description import Allocation, MachineDescription, NodeParts, Processor
from finegrain.machines.networks import OneNode
from finegrain.planning import predict_step

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / part) for part in ("machines", "simulated", "")]
import ab_initio_jobs as ab_initio  # noqa: E402  (folders of scripts, not packages)
import classical_table as simulated  # noqa: E402
import simulated_waters  # noqa: E402
import stored  # noqa: E402
from descriptions import description_of  # noqa: E402
from engine_runs import lines_of  # noqa: E402
from machines import FIT_OPERATIONS, MACHINES  # noqa: E402

OUT = ROOT / "bench/results/predictions/steps.json"
PING_PONG = ROOT / "build/release/bench/micro/transport/ping_pong_openmpi"
GROUND_STATES = ROOT / "bench/results/simulated_ground_states.json"
SIMULATED = ROOT / "bench/results/predictions/simulated_classical.json"
# For each the edge of a cube of water in nm, or 0 for DHFR, and the job that gives the speed of a
# core.
JOBS = {"dhfr": (0.0, "water"), "water": (6.2, "dhfr"), "small-water": (2.5, "water")}
AB_INITIO_JOBS = (
    ab_initio.Case("ice", 55, moves=True),
    ab_initio.Case("silicon", 25, (2, 2, 2)),
    ab_initio.Case("silicon", 25, (2, 2, 2), moves=True, pes=16),
    ab_initio.Case("molecule", 70),
    ab_initio.Case("ice", 55, moves=True, splines=True),
    ab_initio.Case("silicon", 20, (2, 2, 2), moves=True, splines=True),
    ab_initio.Case("ice", 55, moves=True, cell_moves=True),
    ab_initio.Case("silicon", 20, (2, 2, 2), moves=True, splines=True, cell_moves=True),
)
PLACES = ((1, 1), (1, 2), (2, 1))  # ranks, PEs of each
INPUT = """\
[system]
kind = "classical"
{system}
[forces]
cutoff = "9 Å"
switch = "off"
electrostatics = "pme"
mesh_spacing = "1 Å"
constraints = "h-bonds"
rigid_water = true
{relax}
[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = {steps}
temperature = "300 K"
friction = "5 1/ps"
seed = 1
[output]
trajectory_interval = 0
energy_interval = {steps}
"""
RELAX = '[minimise]\nmethod = "l-bfgs"\nsteps = 60'


def write_job(edge: float, steps: int, folder: Path) -> Path:
    """Relax a system; return the job that begins there."""
    lines = system_of(edge, folder)
    relaxing, source = folder / "relaxing.toml", folder / f"{edge}.toml"
    relaxing.write_text(INPUT.format(system=lines, relax=RELAX, steps=steps), encoding="utf-8")
    api.run(relaxing, folder / "relaxed", overwrite=True)
    system = lines.splitlines()[0]
    start = f'{system}\ncoordinates = "{folder / "relaxed" / "checkpoint.h5"}"'
    source.write_text(INPUT.format(system=start, relax="", steps=steps), encoding="utf-8")
    job = source.with_suffix(".h5")
    api.load(source, job)
    return job


def system_of(edge: float, folder: Path) -> str:
    """Return the lines of the input, after writing a cube of rigid TIP3P water with this edge."""
    if edge == 0:
        return 'topology = "openmmtools:DHFRExplicit"'
    import openmm
    from openmm import app, unit
    from openmmtools import testsystems

    made = testsystems.WaterBox(box_edge=edge * unit.nanometer, cutoff=0.9 * unit.nanometer)
    system, positions = folder / f"water-{edge}.xml", folder / f"water-{edge}.pdb"
    system.write_text(openmm.XmlSerializer.serialize(made.system), encoding="utf-8")
    with positions.open("w") as file:
        app.PDBFile.writeFile(made.topology, made.positions, file)
    return f'topology = "{system}"\ncoordinates = "{positions}"'


def node(ranks: int, pes: int, speed: float, copies: float | None = None) -> MachineDescription:
    """Return this machine with so many ranks, whose messages are copied at so many GB/s."""
    return MachineDescription(
        name="one node",
        network=OneNode(),
        allocation=Allocation((0,), (ranks,)),
        parts=NodeParts(cores=ranks * pes),
        processor=Processor(core_speed=speed, copy_bandwidth=copies),
    )


def copy_bandwidth(prefix: list[str]) -> float:
    """Return how fast a process copies the bytes of a message, at either end, in GB/s.

    It is what 4 kB take longer than 8 bytes, one way: the sender writes, the receiver reads them.
    """
    if not PING_PONG.exists():
        raise SystemExit(f"{PING_PONG} is not there: cmake --build build/release")
    words = ["mpiexec.openmpi", "--oversubscribe", "--bind-to", "none", "-n", "2", str(PING_PONG)]
    done = subprocess.run([*prefix, *words], stdout=subprocess.PIPE, text=True, check=True)
    ns = {row["bytes"]: row["transport"] for row in json.loads(done.stdout)["one_way_written_ns"]}
    return round(2 * (4096 - 8) / (ns[4096] - ns[8]), 1)


def seconds_of(job: Path, ranks: int, pes: int, prefix: list[str]) -> float:
    """Return the seconds per step of a run."""
    lines = lines_of(job, ranks, pes, prefix, "--quiet")
    return float(next(one["result"]["seconds_per_step"] for one in lines if "result" in one))


def measured_rows(rounds: int, steps: int, prefix: list[str]) -> dict[str, Any]:
    """Measure and predict steps on this machine."""
    measured: dict[tuple[str, int, int], float] = {}
    alone: dict[str, float] = {}  # predicted on one PE of the core of the fit
    rows: list[dict[str, Any]] = []
    copies = copy_bandwidth(prefix)
    with tempfile.TemporaryDirectory(prefix="prediction-") as folder:
        jobs = {name: write_job(edge, steps, Path(folder)) for name, (edge, _) in JOBS.items()}
        for name, job in jobs.items():
            alone[name] = predict_step(name, job.read_bytes(), node(1, 1, 1.0), 1).seconds
        for _ in range(rounds):
            for name, job in jobs.items():
                for ranks, pes in PLACES:
                    seconds = seconds_of(job, ranks, pes, prefix)
                    key = (name, ranks, pes)
                    measured[key] = min(seconds, measured.get(key, seconds))
        for name, job in jobs.items():
            other = JOBS[name][1]
            speed = alone[other] / measured[other, 1, 1]
            for ranks, pes in PLACES:
                here = node(ranks, pes, speed, copies)
                found = predict_step(name, job.read_bytes(), here, pes)
                rows.append(
                    {
                        "job": name,
                        "ranks": ranks,
                        "pes": pes,
                        "core_speed": round(speed, 4),
                        "measured_ms": milliseconds(measured[name, ranks, pes]),
                        "predicted_ms": milliseconds(found.seconds),
                    }
                )
                print(json.dumps(rows[-1]), flush=True)
    return {"rounds": rounds, "steps": steps, "copy_bandwidth": copies, "rows": rows}


def update_simulated() -> None:
    """Predict the steps that have been simulated."""
    report = stored.read(SIMULATED)
    known: dict[tuple[str, str, int], dict[str, simulated.Placed]] = {}
    with tempfile.TemporaryDirectory(prefix="prediction-") as folder:
        for row in report["rows"]:
            key = (row["job"], row["machine"], row["nodes"])
            if key not in known:
                job = simulated.write_job(row["job"], Path(folder) / row["job"])
                machine_of_row = MACHINES[row["machine"]]
                known[key] = simulated.placed(machine_of_row, row["speed"], row["nodes"], job)
            row["predicted_seconds"] = known[key][row["placement"]].figures["predicted_seconds"]
            print(json.dumps(row), flush=True)
    stored.write(report, SIMULATED)


def milliseconds(seconds: float) -> float:
    """Return a time with as many digits as it is known with."""
    return float(f"{1e3 * seconds:.4g}")


def ab_initio_rows(rounds: int, prefix: list[str]) -> dict[str, Any]:
    """Measure and predict iterations and steps of ab initio jobs on this machine."""
    rows: list[dict[str, Any]] = []
    copies = copy_bandwidth(prefix)
    with tempfile.TemporaryDirectory(prefix="prediction-") as name:
        folder = Path(name)
        speed = core_speed(folder, rounds, prefix)
        for case in AB_INITIO_JOBS:
            job = case.write(folder)
            for ranks, pes in PLACES:
                turns = [ab_initio.seconds_of(job, ranks, pes, prefix) for _ in range(rounds)]
                here = node(ranks, pes, speed, copies)
                found = predict_step(job.name, job.read_bytes(), here, pes)
                rows.append(
                    {
                        "job": case.name,
                        "ranks": ranks,
                        "pes": pes,
                        "measured_ms": milliseconds(min(turns)),
                        "predicted_ms": milliseconds(found.seconds),
                    }
                )
                print(json.dumps(rows[-1]), flush=True)
    return {"rounds": rounds, "core_speed": round(speed, 4), "copy_bandwidth": copies, "rows": rows}


def ab_initio_rows_again(report: dict[str, Any]) -> dict[str, Any]:
    """Predict the measured iterations and steps of a report again."""
    cases = {case.name: case for case in AB_INITIO_JOBS}
    with tempfile.TemporaryDirectory(prefix="prediction-") as name:
        jobs = {one: case.write(Path(name)) for one, case in cases.items()}
        for row in report["rows"]:
            known = report["core_speed"], report.get("copy_bandwidth")
            here = node(row["ranks"], row["pes"], *known)
            job = jobs[row["job"]]
            found = predict_step(job.name, job.read_bytes(), here, row["pes"])
            row["predicted_ms"] = milliseconds(found.seconds)
            print(json.dumps(row), flush=True)
    return report


def core_speed(folder: Path, rounds: int, prefix: list[str]) -> float:
    """Return how fast a core of this machine does the work of two classical jobs."""
    speeds = []
    for name in ("dhfr", "water"):
        job = write_job(JOBS[name][0], 200, folder)
        least = min(seconds_of(job, 1, 1, prefix) for _ in range(rounds))
        speeds.append(predict_step(name, job.read_bytes(), node(1, 1, 1.0), 1).seconds / least)
    return statistics.fmean(speeds)


def times_of(costs: list[float]) -> list[float]:
    """Return the times of operations [ps] in a run with these costs."""
    transforms, products, other = (1e12 * cost / FIT_OPERATIONS for cost in costs)
    # Transforms of the density cost the same as others. Ions and messages between objects cost
    # nothing.
    return [transforms, products, other, transforms, 0.0, 0.0]


def ground_state_rows() -> list[dict[str, Any]]:
    """Predict the iterations of ground states that have been simulated with shared links."""
    rows: list[dict[str, Any]] = []
    jobs: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="prediction-") as name:
        for row in stored.read(GROUND_STATES)["rows"]:
            if row["links"] != "shared" or row["box"] != "ice":
                continue
            key = "-".join(map(str, (row["waters"], row["cutoff_ry"], *row["division"])))
            if key not in jobs:
                asked = argparse.Namespace(
                    waters=row["waters"],
                    box=None,
                    cutoff=row["cutoff_ry"],
                    division=row["division"],
                )
                jobs[key] = Path(name) / f"{key}.h5"
                api.load(simulated_waters.write_input(asked, Path(name) / key), jobs[key])
            machine_of_row = simulated_waters.machine_of(row["machine"], row["links"])
            found = predict_step(
                key,
                jobs[key].read_bytes(),
                description_of(machine_of_row, row["nodes"]),
                map=row["map"],
                operation_times=times_of(row["costs"]),
            )
            rows.append(
                {name: row[name] for name in ("machine", "waters", "nodes", "map")}
                | {
                    "simulated_ms": milliseconds(row["seconds"]),
                    "predicted_ms": milliseconds(found.seconds),
                }
            )
            print(json.dumps(rows[-1]), flush=True)
    return rows


def main() -> None:
    """Make the parts that are asked for, and keep the others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    parts = ("measured", "simulated", "ab-initio", "ground-states")
    add("--parts", nargs="+", choices=parts, default=list(parts), metavar="NAME")
    add("--rounds", type=int, default=5, metavar="N", help="runs of which the least counts")
    add("--steps", type=int, default=200, metavar="N", help="of each of these runs")
    add("--prefix", default="", metavar="WORDS", help="before each run, such as for its priority")
    add("--keep-measured", action="store_true", help="of ab initio jobs: predict only")
    add("--out", type=Path, default=OUT, metavar="FILE")
    chosen = parser.parse_args()
    report = stored.read(chosen.out) if chosen.out.exists() else {}
    if "measured" in chosen.parts:
        made = measured_rows(chosen.rounds, chosen.steps, chosen.prefix.split())
        report["measured"] = stored.rounded({"machine": machine.fingerprint(), **made})
    if "simulated" in chosen.parts:
        update_simulated()
    if "ab-initio" in chosen.parts:
        if chosen.keep_measured:
            ab_initio_rows_again(report["ab_initio"])
        else:
            found = ab_initio_rows(min(chosen.rounds, 3), chosen.prefix.split())
            report["ab_initio"] = stored.rounded({"machine": machine.fingerprint(), **found})
    if "ground-states" in chosen.parts:
        report["ground_states"] = stored.rounded(ground_state_rows())
    stored.write(report, chosen.out)


if __name__ == "__main__":
    main()
