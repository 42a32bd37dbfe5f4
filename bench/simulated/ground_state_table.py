# SPDX-License-Identifier: BSD-3-Clause
"""Iterations of a ground state on simulated Blue Gene/L nodes, beside Bohm et al. (2008), table 1.

Waters at 70 Ry with BLYP and the pseudopotentials of `bench/peers/ground_states.py`: those of
`finegrain init ice` repeated to 32 or more, or a box of yours. The job is made once and has one
division into objects, as fine as the largest machine needs; its bits are the same on any number of
nodes, and the run says so. The engine computes all of it, but on the simulated machine its
arithmetic takes the time that it charges (engine/ab_initio/costs.hpp): an operation of transforms,
of products of matrices and of all else costs so many operations of the machine.

A row is the second iteration from random orbitals: the difference of runs with two and with one.

Usage: ground_state_table.py [--waters N] [--box FILE] [--nodes N ...] [--maps NAME ...]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / "machines"), str(ROOT / "bench" / "peers")]
import ground_states as peers  # noqa: E402  (a folder of scripts, not a package)
from machines import MACHINES, Machine  # noqa: E402

# Seconds of a step on so many nodes, with one processor each, all optimisations.
PUBLISHED = {
    8: {32: 0.22, 64: 0.10, 128: 0.082, 256: 0.071, 512: 0.046},
    32: {32: 2.71, 64: 1.52, 128: 0.95, 256: 0.44, 512: 0.26},
    64: {64: 6.62, 128: 3.75, 256: 1.88, 512: 0.87},
}
NAMES = (
    "state_grain",
    "wave_parts",
    "density_parts",
    "pair_groups",
    "tile_grain",
    "pair_chunks",
    "plane_pieces",
)
# Orbitals of a block, parts of waves and of the density, groups of pairs, side of a tile; chunks of
# waves for pairs and pieces of planes are 1.
CUTS = {8: (2, 8, 64, 2, 16), 32: (2, 8, 96, 4, 32), 64: (4, 8, 128, 4, 64)}
# Operations of the machine, which does a tenth of its peak, for one of transforms, products, other.
COSTS = (0.25, 0.125, 1.0)
SHAPES = {1: "1,1,1", 32: "4,4,2"}  # that other tables do not have


def write_job(waters: int, box: Path | None, cutoff: float, folder: Path, cut: list[int]) -> Path:
    """Write the job and return its path."""
    from ase.io import read

    from finegrain.ab_initio.job import make_job

    atoms = read(box) if box else peers.structure(waters, None)
    source = peers.finegrain_input(peers.task_of(atoms, cutoff), atoms, folder)
    lines = [f"{name} = {value}" for name, value in zip(NAMES, cut, strict=False)]
    with source.open("a") as file:
        file.write("\n".join(['start = "random"', "[objects]", *lines, ""]))
    job = folder / "job.h5"
    make_job(source, job)
    return job


def run(
    machine: Machine, nodes: int, words: list[str], costs: list[float], seconds: int, folder: Path
) -> dict[str, Any] | None:
    """Run the engine on simulated nodes; return its result, or None if it took too long."""
    platform, hosts = machine.write(folder, nodes)
    command = ["smpirun", "-np", str(nodes), "-platform", str(platform), "-hostfile", str(hosts)]
    done = subprocess.run(
        ["timeout", str(seconds), *command, *machine.options(), *words],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "TMPDIR": str(folder),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "FINEGRAIN_SIMULATED_COSTS": " ".join(map(str, costs)),
        },
    )
    if done.returncode == 124:
        return None
    for line in done.stdout.splitlines():
        if line.startswith("{") and "result" in (found := json.loads(line)):
            result: dict[str, Any] = found["result"]
            return result
    raise SystemExit(f"{' '.join(words)} on {nodes} nodes:\n{done.stdout}\n{done.stderr}")


def seconds_of(folder: Path) -> list[float]:
    """Return the times of the iterations."""
    from finegrain.ab_initio.ground_state import GroundState

    return [float(row[2]) for row in GroundState(folder).history]


def by_name(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return the seconds of phases or their parts."""
    return {row["name"]: row["seconds"] for row in rows}


def difference(long: dict[str, float], short: dict[str, float], nodes: int) -> dict[str, float]:
    """Return the seconds of a node for each phase, the longest first."""
    found = {name: (value - short.get(name, 0.0)) / nodes for name, value in long.items()}
    return {
        name: round(value, 6)
        for name, value in sorted(found.items(), key=lambda item: -item[1])
        if value > 1e-6
    }


def row_of(
    machine: Machine, nodes: int, map_: str, job: Path, chosen: argparse.Namespace, folder: Path
) -> dict[str, Any] | None:
    """Return a row of the table, or None if it took too long."""
    begin = time.monotonic()
    results: list[dict[str, Any]] = []
    times: list[list[float]] = []
    for iterations in (1, 2):
        out = folder / f"out-{iterations}"
        words = [str(chosen.engine), str(job), "--out", str(out), "--report", "json", "--quiet"]
        words += ["--overwrite", "--map", map_, "--steps", str(iterations)]
        done = run(machine, nodes, words, chosen.costs, chosen.seconds, folder)
        if done is None:
            return None
        results.append(done)
        times.append(seconds_of(out))
    short, long = results
    parts = difference(by_name(long["parts"]), by_name(short["parts"]), nodes)
    phases = difference(by_name(long["phases"]), by_name(short["phases"]), nodes)
    return {
        "waters": chosen.waters,
        "nodes": nodes,
        "map": map_,
        "seconds": round(times[1][2] - times[1][1], 6),
        "published": PUBLISHED.get(chosen.waters, {}).get(nodes),
        "messages": long["messages"] - short["messages"],
        "phases": phases,
        "parts": parts,
        "state_digest": long["state_digest"],
        "simulated_in_s": round(time.monotonic() - begin, 1),
        "peak_memory_gb": round(
            resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9, 2
        ),
    }


def map_of(name: str, machine: Machine, nodes: int, parts: int) -> str:
    """Return the engine's name of a map; "torus" is one of as many prisms as parts."""
    if name != "torus":
        return name
    x, y, z = machine.sides(nodes)
    return f"torus-{x}x{y}x{z}-{math.gcd(parts, x * y)}"


def main() -> None:
    """Make the rows and write them."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="Rows that are in the output file already and have the same settings are replaced. "
        "Eight waters on 8 to 128 nodes take about five minutes and 2.4 GB, 32 on 32 nodes about "
        "six minutes and 10 GB.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--waters", type=int, default=32, metavar="N", help="a multiple of the 8 of ice; 32"
    )
    parser.add_argument("--box", type=Path, metavar="FILE", help="a structure instead of ice")
    parser.add_argument(
        "--cutoff", type=float, default=peers.CUTOFF_RY, metavar="RY", help="of orbitals, 70"
    )
    parser.add_argument(
        "--nodes",
        type=int,
        nargs="+",
        default=[1, 8, 32, 64, 128, 256, 512],
        metavar="N",
        help="one processor each; 1 8 32 64 128 256 512",
    )
    parser.add_argument(
        "--maps",
        nargs="+",
        default=["plane"],
        metavar="NAME",
        help='of the engine, or "torus": as many prisms as parts of waves; plane',
    )
    parser.add_argument(
        "--cut",
        type=int,
        nargs="+",
        metavar="N",
        help="orbitals of a block, parts of waves, of the density, groups of pairs, side of a "
        "tile; then, or 1, chunks of the waves of a part for pairs, pieces of the density's planes",
    )
    parser.add_argument(
        "--costs",
        type=float,
        nargs=3,
        default=list(COSTS),
        metavar="X",
        help="operations of the machine for one of transforms, of products, of all else",
    )
    parser.add_argument(
        "--seconds", type=int, default=900, metavar="S", help="a run that takes longer is left out"
    )
    parser.add_argument(
        "--engine",
        type=Path,
        metavar="FILE",
        default=ROOT / "build/simulated/engine/app/finegrain-engine-smpi",
        help="made by `make build-simulated`",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        default=ROOT / "bench/results/simulated_ground_states.json",
        help="of all rows, as JSON",
    )
    chosen = parser.parse_args()
    if chosen.cut and len(chosen.cut) not in range(5, len(NAMES) + 1):
        parser.error(f"--cut takes 5 to {len(NAMES)} numbers, not {len(chosen.cut)}")
    usual = MACHINES["bluegene-l"]
    machine = dataclasses.replace(usual, shapes={**usual.shapes, **SHAPES})
    cut = chosen.cut or list(CUTS[chosen.waters])
    report: dict[str, Any] = {"machine": machine.name, "rows": [], "left_out": []}
    if chosen.out.exists():
        report["rows"] = json.loads(chosen.out.read_text())["rows"]
    with tempfile.TemporaryDirectory(prefix="simulated-") as name:
        folder = Path(name)
        job = write_job(chosen.waters, chosen.box, chosen.cutoff, folder / "input", cut)
        for nodes in chosen.nodes:
            for map_ in chosen.maps:
                named = map_of(map_, machine, nodes, cut[1])
                row = row_of(machine, nodes, named, job, chosen, folder)
                if row is None:
                    report["left_out"].append({"nodes": nodes, "map": named})
                    print(f"{nodes} nodes, {named}: took too long", flush=True)
                    continue
                row |= {
                    "cutoff_ry": chosen.cutoff,
                    "cut": cut,
                    "costs": chosen.costs,
                    "box": chosen.box.name if chosen.box else "ice",
                }
                same = ("waters", "nodes", "map", "cutoff_ry", "cut", "costs", "box")
                others = [one for one in report["rows"] if any(one.get(k) != row[k] for k in same)]
                report["rows"] = sorted(
                    [*others, row], key=lambda one: (one["waters"], one["map"], one["nodes"])
                )
                chosen.out.write_text(json.dumps(report, indent=1) + "\n")
                print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
