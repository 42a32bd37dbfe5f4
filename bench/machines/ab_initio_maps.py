# SPDX-License-Identifier: BSD-3-Clause
"""What a Car-Parrinello step of water puts on the links of Blue Gene/L, under several maps.

The waters are those of `bench/simulated/simulated_waters.py`, at 70 Ry. Messages are counted from
the places of the objects; nothing runs, so a job may be larger than this machine. Each node has one
process with one PE, in the order of the nodes, first coordinate fastest, or at random.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / part) for part in ("simulated", "peers", "")]
import ground_states as peers  # noqa: E402  (a folder of scripts, not a package)
import stored  # noqa: E402
from simulated_waters import NAMES  # noqa: E402

SIDES = {
    64: (4, 4, 4),
    128: (8, 4, 4),
    256: (8, 8, 4),
    512: (8, 8, 8),
    1024: (8, 8, 16),
    2048: (8, 16, 16),
    4096: (16, 16, 16),
    8192: (16, 16, 32),
    16384: (16, 32, 32),
}
NODES = {32: (64, 128, 256, 512, 1024), 256: (1024, 2048, 4096, 8192, 16384)}
DIVISIONS = {32: (2, 16, 96, 4, 32, 1, 1), 256: (4, 64, 192, 8, 128, 1, 4)}
SEED = 1  # of the random placement


def job_of(waters: int) -> bytes:
    """Return the job of a dynamics with free orbitals."""
    from finegrain.ab_initio.preparation.job import job_image
    from finegrain.ab_initio.preparation.prepare import prepare

    lines = (
        "[dynamics]",
        'kind = "car-parrinello"',
        'timestep = "0.1 fs"',
        "steps = 10",
        'temperature = "300 K"',
        'orthonormality = "free"',
        "[objects]",
        *(f"{name} = {value}" for name, value in zip(NAMES, DIVISIONS[waters], strict=True)),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        atoms = peers.structure(waters, None)
        source = peers.finegrain_input(peers.task_of(atoms), atoms, folder)
        with source.open("a") as file:
            file.write("\n".join([*lines, ""]))
        return job_image(prepare(source))


def machine_of(nodes: int) -> dict[str, Any]:
    """Return a torus for the engine."""
    from finegrain.machines import read_machine
    from finegrain.machines.for_engine import engine_numbers

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "torus.toml"
        path.write_text(
            f'[machine]\nkind = "torus"\nlengths = {[*SIDES[nodes]]}\nlink_bandwidth = "175 MB/s"\n'
            '[allocation]\nnodes = "all"\nranks_per_node = 1\n'
        )
        return engine_numbers(read_machine(path))


def rows_of(job: bytes, waters: int, nodes: int) -> list[dict[str, Any]]:
    """Return one row for each map and placement."""
    from finegrain.engine.engine import load_engine

    engine, machine = load_engine(), machine_of(nodes)
    x, y, z = SIDES[nodes]
    rank = np.arange(nodes)
    # The machine numbers nodes with the last coordinate fastest.
    in_order = ((rank % x) * y + rank // x % y) * z + rank // (x * y)
    random = np.array(engine.random_places(nodes, SEED), np.int64)
    prisms = DIVISIONS[waters][1]
    rows = []
    for name in ("block", "hybrid", "plane", f"torus-{x}x{y}x{z}-{prisms}"):
        found = engine.job_traffic(f"{waters} waters", job, name, nodes, 1)
        traffic = engine.sum_traffic(nodes, list(found["phases"].values()))
        placements = {"native": in_order}
        if name == "plane":
            placements["random"] = in_order[random]
        for placement, node in placements.items():
            loads = engine.link_loads(machine, np.ascontiguousarray(node, np.int64), traffic)
            rows.append(
                {
                    "waters": waters,
                    "nodes": nodes,
                    "sides": [x, y, z],
                    "map": name.split("-")[0],
                    "placement": placement,
                    "bytes_of_node": float(traffic[2].sum() / nodes),
                    "messages_of_node": float(traffic[3].sum() / nodes),
                    "hop_bytes": loads["hop_bytes"],
                    "most_bytes": loads["most_bytes"],
                    "mean_bytes": loads["mean_bytes"],
                }
            )
    return rows


def main() -> None:
    """Count the rows that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waters", type=int, nargs="+", default=[*NODES], choices=[*NODES])
    parser.add_argument("--nodes", type=int, nargs="+", help="by default all of the tables")
    parser.add_argument("--out", type=Path, help="a file for the JSON")
    chosen = parser.parse_args()
    rows = []
    for waters in chosen.waters:
        job = job_of(waters)
        for nodes in chosen.nodes or NODES[waters]:
            rows += rows_of(job, waters, nodes)
            print(waters, nodes, file=sys.stderr)
    divisions = {str(waters): [*DIVISIONS[waters]] for waters in chosen.waters}
    report = {"cutoff_ry": peers.CUTOFF_RY, "division": divisions, "rows": rows}
    stored.write(stored.rounded(report), chosen.out)


if __name__ == "__main__":
    main()
