# SPDX-License-Identifier: BSD-3-Clause
"""Placements in words, as data, and as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from finegrain.errors import InputError
from finegrain.machines.drawings.bisection import (
    BisectionStage,
    draw_bisection,
    draw_patches,
)
from finegrain.machines.drawings.links import LinkLoads, draw_links
from finegrain.machines.rank_files import KINDS, write_rank_file
from finegrain.machines.traffic.traffic import Traffic
from finegrain.planning.job_traffic import JobTraffic
from finegrain.planning.placements import Placement, PlacementPlan
from finegrain.words.report import table_text

# The names of the files that `write_files` writes.
RANK_FILES = {
    "slurm": "hostfile.slurm",
    "open-mpi": "rankfile.openmpi",
    "open-mpi-hosts": "hostfile.openmpi",
    "mpich": "machinefile.mpich",
}
PICTURE = "links.png"
# Pictures of the nodes on which the cells of a job are, by what these cells are.
CELLS = {"patches": "patches.png", "parts of orbitals": "parts.png"}

_sums = ("hop_bytes", "most_bytes", "mean_bytes", "most_messages", "mean_messages")


def as_dict(plan: PlacementPlan, job: JobTraffic | None) -> dict[str, Any]:
    """Return it for ``--json``."""
    report: dict[str, Any] = {
        "machine": plan.machine.name,
        "ranks": plan.traffic.ranks,
        "relief": plan.relief,
        "placements": {
            name: {key: one.loads[key] for key in (*_sums, "heaviest_link")}
            | {"way": one.way, "seconds": one.seconds, "place_of_rank": one.place_of_rank.tolist()}
            for name, one in plan.placements.items()
        },
    }
    if job is not None:
        report["phases"] = {name: _phase_figures(traffic) for name, traffic in job.phases.items()}
        report["step"] = job.step
        report["imbalance"] = job.imbalance
    return report


def lines_of(plan: PlacementPlan, job: JobTraffic | None) -> list[str]:
    """Return what the command prints."""
    machine = plan.machine
    nodes = len(machine.allocation.nodes)
    lines = [f"{machine.name}: {plan.traffic.ranks:,} ranks on {nodes:,} nodes"]
    if job is not None:
        lines += ["", *_phase_lines(job)]
    step = "a step" if job is None else _one(job)
    rows = [["placement", "hop-bytes / MB", "heaviest link / kB", "mean link / kB", "messages"]]
    for name, one in plan.placements.items():
        loads = one.loads
        rows.append(
            [
                name,
                f"{loads['hop_bytes'] / 1e6:.4g}",
                f"{loads['most_bytes'] / 1e3:.4g}",
                f"{loads['mean_bytes'] / 1e3:.4g}",
                f"{loads['most_messages']:.4g}",
            ]
        )
    lines += [
        "",
        f"On the links of the machine, in {step}; messages are those of the busiest link:",
    ]
    lines += table_text(rows, numbers=(1, 2, 3, 4)).splitlines()
    lines.append(
        f"The adapted placement may have {100 * plan.relief:g} % more hop-bytes to relieve its "
        "heaviest link (--relief)."
    )
    return [*lines, "", *_advice(plan)]


def _phase_figures(traffic: Traffic) -> dict[str, float]:
    messages = np.bincount(traffic.sender, traffic.messages, traffic.ranks)
    partners = np.bincount(traffic.sender, minlength=traffic.ranks)
    size = np.bincount(traffic.sender, traffic.bytes, traffic.ranks)
    return {
        "messages": float(messages.mean()),
        "most_messages": float(messages.max()),
        "most_partners": int(partners.max()),
        "bytes": float(size.mean()),
        "most_bytes": float(size.max()),
    }


def _phase_lines(job: JobTraffic) -> list[str]:
    rows = [["phase", "messages", "most", "partners", "kB", "most"]]
    for name, traffic in job.phases.items():
        found = _phase_figures(traffic)
        rows.append(
            [
                name,
                f"{found['messages']:.4g}",
                f"{found['most_messages']:.4g}",
                f"{found['most_partners']}",
                f"{found['bytes'] / 1e3:.4g}",
                f"{found['most_bytes'] / 1e3:.4g}",
            ]
        )
    shape = " x ".join(str(side) for side in job.process_of_cell.shape)
    head = f"{shape} {job.cells}, {job.objects.sum():,} objects; the fullest PE has "
    head += f"{job.imbalance:.3g} times the mean work."
    lines = [head]
    if job.without_cell:
        lines.append(f"{job.without_cell} ranks have no {_REMEDIES[job.cells]}")
    lines += ["", f"What a rank sends to others in {_one(job)}, on the average and at most:"]
    return [*lines, *table_text(rows, numbers=(1, 2, 3, 4, 5)).splitlines()]


# The words for ranks without a cell.
_REMEDIES = {
    "patches": "patch: with more [patches] pes in the input, the job is divided further, as far as "
    "its cutoff allows.",
    "parts of orbitals": "part of an orbital: with more [objects] pes in the input, the job is "
    "divided further.",
}


def _one(job: JobTraffic) -> str:
    return f"an {job.step}" if job.step[0] in "aeiou" else f"a {job.step}"


def _advice(plan: PlacementPlan) -> list[str]:
    adapted = plan.placements["adapted"]
    lines = []
    for other in ("native", "random"):
        heaviest, all_links = (
            _share(adapted, plan.placements[other], key) for key in ("most_bytes", "hop_bytes")
        )
        lines.append(
            f"The adapted placement puts {heaviest} of the bytes of the {other} one on its "
            f"heaviest link, and {all_links} on all links."
        )
    return lines


def _share(one: Placement, other: Placement, key: str) -> str:
    return f"{100 * one.loads[key] / max(other.loads[key], 1):.0f} %"


def write_files(plan: PlacementPlan, job: JobTraffic | None, folder: Path, cores: int) -> list[str]:
    """Write pictures, and the adapted placement for launchers, into an existing folder.

    Parameters
    ----------
    plan, job
        As from `plan_places` and `traffic_of_job`; `job` is None for other programs.
    folder : Path
        Where.
    cores : int
        Cores of each rank, for files that name them.

    Returns
    -------
    list of str
        A line for each file that was left out, with the reason.
    """
    draw_links(
        {
            name: LinkLoads(one.loads["most_bytes_of_node"], one.loads["mean_bytes_of_node"])
            for name, one in plan.placements.items()
        },
        folder / PICTURE,
        title=plan.machine.name,
    )
    if job is not None:
        place = plan.placements["adapted"].place_of_rank
        nodes = np.array(plan.machine.allocation.node_of_rank)[place]
        picture = folder / CELLS[job.cells]
        if job.process_of_cell.ndim == 3:
            draw_patches(nodes[job.process_of_cell], picture, title=plan.machine.name)
        else:
            stage = BisectionStage(
                nodes[job.process_of_cell.T],
                title="nodes: blocks of orbitals to the right, parts down",
            )
            draw_bisection([stage], picture, title=plan.machine.name)
    left_out = []
    places = plan.rank_places("adapted", cores)
    for kind, name in RANK_FILES.items():
        try:
            write_rank_file(folder / name, KINDS[kind](places))
        except InputError as error:
            left_out.append(f"{name} is not written: {error}")
    return left_out
