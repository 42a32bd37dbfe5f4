# SPDX-License-Identifier: BSD-3-Clause
"""What a step of 21 million atoms puts on the links of Blue Gene/Q and Titan, placed in three ways.

The atoms are DHFR in water, 9 x 10 x 10 times, as many as the 21 million of Phillips et al., SC
2014, figure 3; their box is nearly cubic, where the paper's is 5 x 2 x 2. Each node has a process
with a PE on each core. Messages are counted from the places of the objects of the job. Nothing
runs, so the job may be larger than this machine. The division is the usual one of the input. No
time of a step is estimated to look for a better one: many estimates of so many atoms take long.

Usage: classical_maps.py --files FOLDER [--copies X Y Z] [--machines NAME:NODES ...] [--out FILE]
--files holds JAC.prmtop and JAC.inpcrd. With --out, rows that the file has of other machines stay.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "bench"))
import stored  # noqa: E402  (a folder of scripts, not a package)
from repeated_dhfr import input_text  # noqa: E402

from finegrain.classical.preparation.job import job_image  # noqa: E402
from finegrain.classical.preparation.prepare import prepare  # noqa: E402
from finegrain.engine.machine import fingerprint  # noqa: E402
from finegrain.planning import known_machine, plan_places, traffic_of_job  # noqa: E402

COPIES = (9, 10, 10)  # along each vector
PES = 16 * 1024  # for which the job is divided
MACHINES = ("blue-gene-q:1024", *(f"titan:{4**power}" for power in range(3, 8)))
FIGURES = ("hop_bytes", "most_bytes", "mean_bytes", "most_messages")
MORE_RELIEF = 0.15  # by how much hop-bytes may grow for the rows "relieved"

REST = """\
[patches]
pes = {pes}

[dynamics]
ensemble = "nve"
timestep = "2 fs"
steps = 10
velocities = "zero"
"""


def job_of(files: Path, copies: list[int]) -> tuple[int, list[int], bytes]:
    """Return the atoms, the patches and the job."""
    with tempfile.TemporaryDirectory(prefix="finegrain-maps-") as name:
        source = Path(name) / "dhfr.toml"
        text = input_text(files, copies, REST.format(pes=PES))
        source.write_text(text, "utf-8")
        prepared = prepare(source)
        patches = [int(side) for side in prepared.division.patch_grid]
        return prepared.system.all_atoms, patches, job_image(prepared)


def row_of(job: bytes, name: str, nodes: int) -> dict[str, Any]:
    """Return the figures of a machine, with the times of a processor."""
    machine = known_machine(name, nodes)
    start = time.process_time()
    traffic = traffic_of_job("dhfr", job, nodes, machine.parts.cores)
    counted = time.process_time()
    whole, positions = traffic.whole, traffic.positions
    summed = time.process_time() - counted
    row: dict[str, Any] = {
        "machine": name,
        "nodes": nodes,
        "bytes_of_node": float(whole.bytes.sum() / nodes),
        "messages_of_node": float(whole.messages.sum() / nodes),
        "imbalance": traffic.imbalance,
        "ranks_without_patch": traffic.without_cell,
        "core_seconds_to_count": counted - start,
    }
    del traffic  # by phases it is as large as all that is needed from here on
    start = time.process_time()
    plan = plan_places(machine, whole, positions)
    row["core_seconds_to_place"] = summed + time.process_time() - start
    placements = dict(plan.placements)
    relieved = plan_places(machine, whole, positions, relief=MORE_RELIEF)
    placements["relieved"] = relieved.placements["adapted"]
    for way, one in placements.items():
        row[way] = {figure: float(one.loads[figure]) for figure in FIGURES}
    return row


def main() -> None:
    """Count the rows that are asked for, and write the file after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--copies", type=int, nargs=3, default=list(COPIES))
    parser.add_argument("--machines", nargs="+", default=list(MACHINES), metavar="NAME:NODES")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    atoms, patches, job = job_of(chosen.files, chosen.copies)
    print(f"{atoms:,} atoms in {patches} patches", file=sys.stderr, flush=True)
    asked = [(name, int(nodes)) for name, nodes in (one.split(":") for one in chosen.machines)]
    rows = []
    if chosen.out is not None and chosen.out.exists():
        rows = json.loads(chosen.out.read_text("utf-8"))["rows"]
        rows = [row for row in rows if (row["machine"], row["nodes"]) not in asked]
    for name, nodes in asked:
        rows.append(row_of(job, name, nodes))
        rows.sort(key=lambda row: (row["machine"], row["nodes"]))
        report = {
            "machine": fingerprint(),
            "atoms": atoms,
            "copies": chosen.copies,
            "patches": patches,
            "peak_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
            "rows": rows,
        }
        stored.write(report, chosen.out)


if __name__ == "__main__":
    main()
