# SPDX-License-Identifier: BSD-3-Clause
"""Make two published tables again on simulated machines, and write them as JSON.

Fitch et al. (2005), table I, on Blue Gene/L, and Kumar et al. (2012), table I, on Blue Gene/Q.
Every row is a separate run under smpirun. It is written as soon as it is complete, and replaces the
same row of an earlier run. A row that takes longer than --seconds is left out, and the output names
it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "machines"))
from machines import MACHINES  # noqa: E402  (a folder of scripts, not a package)

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


def simulate(machine: str, nodes: int, program: Path, words: list[str], seconds: int) -> Any:
    """Run a program on a simulated machine; return what it printed, or None if it took too long."""
    with tempfile.TemporaryDirectory() as folder:
        platform, hosts = MACHINES[machine].write(Path(folder), nodes)
        command = ["smpirun", "-np", str(nodes), "-platform", str(platform)]
        command += ["-hostfile", str(hosts), *MACHINES[machine].options()]
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


def rows(table: str, most: int, meshes: list[int]) -> list[tuple[int, list[str], dict[str, Any]]]:
    """Return the rows of a table: nodes, arguments of the program, published values."""
    found: list[tuple[int, list[str], dict[str, Any]]] = []
    if table == "neighbourhood":
        for shape, published in NEIGHBOURHOOD.items():
            sides = [int(side) for side in shape.split()]
            names = ("broadcast_mpi_ms", "broadcast_spi_ms", "reduce_mpi_ms", "reduce_spi_ms")
            row: dict[str, Any] = dict(zip(names, published, strict=True))
            # 43,222 atoms at the density of water; (cutoff 9 + switch 1) / 2 angstrom.
            atoms, box = 43222, 75.6
            if math.prod(sides) > 512:
                # An eighth of the torus and of the atoms. The boundaries are periodic, so each node
                # has the same number of neighbours at the same distances. The whole would take
                # hours.
                row["stands_for_nodes"] = math.prod(sides)
                sides, atoms, box = [side // 2 for side in sides], round(atoms / 8), box / 2
            # Every round takes the same time, so one is enough.
            words = [*map(str, sides), str(atoms), str(box), "5", "1"]
            found.append((math.prod(sides), words, row))
    else:
        for by, column in (("exchanges", 1), ("messages", 0)):
            for mesh in meshes:
                for nodes, published_of in TRANSFORM.items():
                    words = [str(mesh), str(PENCILS), by, "1"]
                    found.append((nodes, words, {"published_us": published_of[mesh][column]}))
    return [row for row in found if row[0] <= most]


def place(row: dict[str, Any]) -> tuple[int, int, str]:
    """Return the key that identifies a row in its table and sorts the rows."""
    nodes = row.get("stands_for_nodes", row["nodes"])
    return (
        -row.get("mesh", 0),
        nodes if isinstance(nodes, int) else math.prod(nodes),
        row.get("by", ""),
    )


def put(report: dict[str, Any], row: dict[str, Any]) -> None:
    """Put a row in its place; it replaces an existing row with the same key."""
    others = [other for other in report["rows"] if place(other) != place(row)]
    report["rows"] = sorted([*others, row], key=place)


def main() -> None:
    """Make one table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("table", choices=("neighbourhood", "transform"))
    parser.add_argument("--programs", type=Path, default=ROOT / "build/simulated/bench/simulated")
    parser.add_argument("--least-nodes", type=int, default=1)
    parser.add_argument("--most-nodes", type=int, default=512)
    parser.add_argument("--meshes", type=int, nargs="+", default=[32, 64, 128])
    parser.add_argument("--by", default="", help="only messages, or only exchanges")
    parser.add_argument("--seconds", type=int, default=600, help="for a row")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    out = chosen.out or ROOT / f"bench/results/simulated_{chosen.table}.json"
    machine = "bluegene-l" if chosen.table == "neighbourhood" else "bluegene-q"
    report: dict[str, Any] = {"machine": machine, "rows": [], "left_out": []}
    if out.exists():
        report["rows"] = json.loads(out.read_text())["rows"]
    for nodes, words, published in rows(chosen.table, chosen.most_nodes, chosen.meshes):
        if nodes < chosen.least_nodes or (chosen.by and chosen.by not in words):
            continue
        begin = time.monotonic()
        program = (chosen.programs / f"{chosen.table}_table").resolve()
        result = simulate(machine, nodes, program, words, chosen.seconds)
        if result is None:
            row = {"nodes": nodes, "arguments": words}
            report["left_out"].append(row)
        else:
            took = round(time.monotonic() - begin, 1)
            row = {**result, **published, "simulated_in_s": took}
            put(report, row)
        out.write_text(json.dumps(report, indent=2) + "\n")
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
