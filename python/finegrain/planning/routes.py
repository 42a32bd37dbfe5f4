# SPDX-License-Identifier: BSD-3-Clause
"""Platforms of SimGrid with a route for each pair of nodes, for machines that are no cluster of it.

Routes are those of `finegrain map` (engine/topology/machines): in the order of the dimensions on a
torus or a mesh, and around routers that are gone. Where a message is split over several ways there,
each pair of nodes has one of these here, as in `finegrain predict`. Two nodes of a torus at one
router have no link between them: their messages take the entry of the sender.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.engine.engine import load_engine
from finegrain.errors import InputError
from finegrain.machines.description import MachineDescription
from finegrain.machines.for_engine import engine_numbers
from finegrain.machines.simgrid import cluster_of, platform_file
from finegrain.words.report import as_finegrain_error

MOST_NODES = 512  # a route for each two of them


def refuse_too_large(machine: MachineDescription) -> None:
    """Refuse a machine that has more nodes than can be simulated.

    Raises
    ------
    InputError
        If it is no cluster of SimGrid, and has more nodes than a platform with a route for each two
        of them is good for.
    """
    nodes = len(machine.allocation.nodes)
    if nodes > MOST_NODES and cluster_of(machine) is None:
        raise InputError(
            "too many nodes for a simulation with a route for each two of them",
            where=machine.name,
            value=f"{nodes} nodes",
            limit=f"{MOST_NODES} nodes; more of a torus, a fat tree or a dragonfly that SimGrid "
            "knows: described in a machine file, without holes, with links that are all alike",
            hint="simulate fewer nodes",
        )


def routed_platform(machine: MachineDescription, operations: float = 1e9) -> str:
    """Return the platform file of the nodes of a job; host node-N is node N of the machine.

    Parameters
    ----------
    machine : MachineDescription
        Any machine, with the nodes of the job.
    operations : float
        The operations of a node in a second. They do not matter where work is charged by its time.

    Raises
    ------
    InputError
        If the engine refuses the machine.
    """
    nodes = sorted(machine.allocation.nodes)
    try:
        found: dict[str, Any] = load_engine().machine_ways(
            engine_numbers(machine), np.arange(len(nodes))
        )
    except Exception as error:
        raise as_finegrain_error(error) from error
    first, links = found["first"], found["links"]
    lines = [f'<host id="node-{node}" speed="{operations:.6g}f"/>' for node in nodes]
    lines += [
        _link(f"link-{link}", found["bandwidth"][link], found["latency"][link])
        for link in np.unique(links)
    ]
    entry = 1e9 * machine.injection_bandwidth, 1e-6 * machine.injection_latency
    lines += [_link(f"entry-{node}", *entry) for node in nodes]
    lines.append(_link("inside", operations, 0, ' sharing_policy="FATPIPE"'))
    for i, start in enumerate(nodes):
        for j, end in enumerate(nodes):
            way = links[first[i * len(nodes) + j] : first[i * len(nodes) + j + 1]]
            names = [f"link-{link}" for link in way] or [f"entry-{start}"]
            # The processor alone limits what a node sends itself.
            on_it = "".join(f'<link_ctn id="{one}"/>' for one in (names if i != j else ["inside"]))
            ends = f'src="node-{start}" dst="node-{end}"'
            lines.append(f'<route {ends} symmetrical="NO">{on_it}</route>')
    return platform_file("\n".join(['<zone id="machine" routing="Full">', *lines, "</zone>"]))


def _link(name: str, bandwidth: float, latency: float, more: str = "") -> str:
    speed = f'bandwidth="{bandwidth:.6g}Bps" latency="{1e9 * latency:.6g}ns"'
    return f'<link id="{name}" {speed}{more}/>'
