# SPDX-License-Identifier: BSD-3-Clause
"""Make published tables again on simulated machines, and write them as JSON.

Fitch et al. (2005), table I, and Eleftheriou et al. (2005), table 1 and figures 2 to 5, on Blue
Gene/L; Kumar et al. (2012), table I, on Blue Gene/Q.
Every row is a separate run under smpirun. It is written as soon as it is complete, and replaces the
same row of an earlier run. A row that takes longer than --seconds is left out, and the output names
it.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / "machines"), str(ROOT / "bench")]
import stored  # noqa: E402
from machines import MACHINES, Machine  # noqa: E402  (a folder of scripts, not a package)

# Milliseconds: broadcast over MPI, over the low-level interface, reduce over either.
NEIGHBOURHOOD = {
    "8 8 8": (1.44, 0.67, 1.80, 0.84),
    "8 8 16": (2.25, 1.17, 2.69, 1.25),
    "16 8 16": (2.30, 0.73, 2.42, 0.81),
}
# Microseconds: messages and many-to-many, for meshes of 128, 64 and 32.
TRANSFORM = {
    64: {128: (3030, 1826), 64: (787, 507), 32: (457, 142)},
    128: {128: (2019, 1426), 64: (731, 459), 32: (398, 127)},
    256: {128: (1930, 944), 64: (625, 268), 32: (379, 110)},
    512: {128: (1785, 677), 64: (625, 229), 32: (376, 93)},
    1024: {128: (1560, 583), 64: (621, 208), 32: (377, 74)},
}
PENCILS = 32  # along a side, on any number of nodes

# Seconds of a forward transform on the torus of 512 nodes: over active packets, and their model.
VOLUMETRIC = {32: (85e-6, 24.7e-6), 64: (356e-6, 202e-6), 128: (2.52e-3, 1.65e-3)}
# The same without the links from one end of the torus to the other.
VOLUMETRIC_MESH = {32: (136e-6, 46.6e-6), 64: (594e-6, 377e-6), 128: (4.55e-3, 3.05e-3)}
# Operations of the machine for one of a transform: the transforms of Eleftheriou et al. reached
# 40 % of a processor's peak of 2.8 Gflop/s; the machine is said to do a tenth.
TRANSFORM_COST = 0.25
MACHINE_OF = {
    "neighbourhood": "bluegene-l",
    "volumetric": "bluegene-l",
    "transform": "bluegene-q",
}


def side_by_side(nodes: int) -> list[int]:
    """Return a rectangle of nodes that is as square as possible."""
    low = max(i for i in range(1, math.isqrt(nodes) + 1) if nodes % i == 0)
    return [low, nodes // low]


Row = tuple[int, list[str], dict[str, Any]]


def bound_us(mesh: int, torus: str) -> float:
    """Return the least time that links need for a transform of bricks, by Eleftheriou et al.

    An exchange takes V hops / (links BW f): the volume V that a node receives, a quarter of each
    side of the row or plane as hops on average, two links for each of its axes, f = 0.8. Their
    model counts three exchanges; from bricks to bricks there are four.
    """
    x, y, z = (int(side) for side in torus.split(","))
    received = 16 * mesh**3 / (x * y * z)
    hops_per_link = z / 8 + (y + z) / 16 + (x + y) / 16 + x / 8  # row, plane, plane, row
    bandwidth: float = MACHINES["bluegene-l"].bandwidth
    return 1e6 * received * hops_per_link / (bandwidth * 0.8)


def simulate(
    machine: Machine, nodes: int, program: Path, words: list[str], seconds: int, *, mesh: bool
) -> Any:
    """Run a program on a simulated machine; return what it printed, or None if it took too long."""
    with tempfile.TemporaryDirectory() as folder:
        platform, hosts = machine.write(Path(folder), nodes, mesh=mesh)
        command = ["smpirun", "-np", str(nodes), "-platform", str(platform)]
        command += ["-hostfile", str(hosts), *machine.options()]
        try:
            done = subprocess.run(
                ["timeout", str(seconds), *command, str(program), *words],
                check=True,
                capture_output=True,
                text=True,
                # smpirun puts a copy of the program for each process there
                env={**os.environ, "TMPDIR": folder},
            )
        except subprocess.CalledProcessError as error:
            if error.returncode == 124:
                return None
            raise SystemExit(f"{' '.join(words)} on {nodes} nodes:\n{error.stderr}") from error
    return json.loads(done.stdout)


def neighbourhood_rows() -> Iterator[Row]:
    """Yield the rows of Fitch et al."""
    for shape, published in NEIGHBOURHOOD.items():
        sides = [int(side) for side in shape.split()]
        names = ("broadcast_mpi_ms", "broadcast_spi_ms", "reduce_mpi_ms", "reduce_spi_ms")
        row: dict[str, Any] = dict(zip(names, published, strict=True))
        # 43,222 atoms at the density of water; (cutoff 9 + switch 1) / 2 angstrom.
        atoms, box = 43222, 75.6
        if math.prod(sides) > 512:
            # An eighth of the torus and of the atoms. The boundaries are periodic, so each node
            # has the same number of neighbours at the same distances. The whole would take hours.
            row["stands_for_nodes"] = math.prod(sides)
            sides, atoms, box = [side // 2 for side in sides], round(atoms / 8), box / 2
        # Every round takes the same time, so one is enough.
        words = [*map(str, sides), str(atoms), str(box), "5", "1"]
        yield math.prod(sides), words, row


def volumetric_rows(meshes: list[int], network: str) -> Iterator[Row]:
    """Yield the rows of Eleftheriou et al.: slabs stop where there are as many as planes.

    On a mesh only bricks, which the paper has there too.
    """
    for nodes, torus in MACHINES["bluegene-l"].shapes.items():
        shapes = {"slabs": [nodes], "pencils": side_by_side(nodes)}
        shapes["bricks"] = [int(side) for side in torus.split(",")]
        for mesh, kind in itertools.product(meshes, shapes):
            if (kind == "slabs" and nodes > mesh) or (network == "mesh" and kind != "bricks"):
                continue
            row: dict[str, Any] = {"torus": torus, "bound_us": bound_us(mesh, torus)}
            if network == "mesh":  # half of the bandwidth, as they count
                row |= {"network": network, "bound_us": 2 * bound_us(mesh, torus)}
            if nodes == 512 and kind == "bricks":
                packets, model = (VOLUMETRIC_MESH if network == "mesh" else VOLUMETRIC)[mesh]
                row |= {"published_us": packets * 1e6, "published_model_us": model * 1e6}
            parts = "x".join(map(str, shapes[kind]))
            words = [str(mesh), kind, parts, "messages", "forward", str(TRANSFORM_COST), "1"]
            yield nodes, words, row


def transform_rows(meshes: list[int]) -> Iterator[Row]:
    """Yield the rows of Kumar et al."""
    for by, column in (("exchanges", 1), ("messages", 0)):
        for mesh, (nodes, published) in itertools.product(meshes, TRANSFORM.items()):
            words = [str(mesh), "pencils", f"{PENCILS}x{PENCILS}", by, "both", "1", "1"]
            yield nodes, words, {"published_us": published[mesh][column]}


def rows(table: str, meshes: list[int], network: str) -> Iterator[Row]:
    """Yield the rows of a table: nodes, arguments of the program, published values."""
    if table == "neighbourhood":
        return neighbourhood_rows()
    return volumetric_rows(meshes, network) if table == "volumetric" else transform_rows(meshes)


def place(row: dict[str, Any]) -> tuple[int, int, str, str, int, str]:
    """Return the key that identifies a row in its table and sorts the rows."""
    nodes = row.get("stands_for_nodes", row["nodes"])
    return (
        -row.get("mesh", 0),
        nodes if isinstance(nodes, int) else math.prod(nodes),
        row.get("by", ""),
        row.get("decomposition", ""),
        row.get("senders", 1),
        row.get("network", ""),
    )


def put(report: dict[str, Any], row: dict[str, Any]) -> None:
    """Put a row in its place; it replaces an existing row with the same key."""
    others = [other for other in report["rows"] if place(other) != place(row)]
    report["rows"] = sorted([*others, row], key=place)


def main() -> None:
    """Make one table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("table", choices=tuple(MACHINE_OF))
    parser.add_argument("--programs", type=Path, default=ROOT / "build/simulated/bench/simulated")
    parser.add_argument("--least-nodes", type=int, default=1)
    parser.add_argument("--most-nodes", type=int, default=512)
    parser.add_argument("--meshes", type=int, nargs="+", default=[32, 64, 128])
    parser.add_argument("--senders", type=int, default=1, help="threads that send at once")
    parser.add_argument("--network", choices=("torus", "mesh"), default="torus")
    parser.add_argument("--by", default="", help="only messages, or only exchanges")
    parser.add_argument("--seconds", type=int, default=600, help="for a row")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    out = chosen.out or ROOT / f"bench/results/simulated_{chosen.table}.json"
    machine = MACHINES[MACHINE_OF[chosen.table]]
    if chosen.senders > 1:
        send, receive = machine.send / chosen.senders, machine.receive / chosen.senders
        machine = dataclasses.replace(machine, send=send, receive=receive)
    report: dict[str, Any] = {"machine": machine.name, "rows": [], "left_out": []}
    if out.exists():
        report["rows"] = stored.read(out)["rows"]
    for nodes, words, published in rows(chosen.table, chosen.meshes, chosen.network):
        if not chosen.least_nodes <= nodes <= chosen.most_nodes:
            continue
        if chosen.by and chosen.by not in words:
            continue
        begin = time.monotonic()
        name = "neighbourhood" if chosen.table == "neighbourhood" else "transform"
        program = (chosen.programs / f"{name}_table").resolve()
        mesh = chosen.network == "mesh"
        result = simulate(machine, nodes, program, words, chosen.seconds, mesh=mesh)
        if result is None:
            row = {"nodes": nodes, "arguments": words}
            report["left_out"].append(row)
        else:
            took = round(time.monotonic() - begin, 1)
            row = {**result, **published, "simulated_in_s": took}
            if chosen.senders > 1:
                row["senders"] = chosen.senders
            put(report, row)
        stored.write(report, out)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
