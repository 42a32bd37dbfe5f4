# SPDX-License-Identifier: BSD-3-Clause
"""A machine in the form that the engine takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.machines.description import MachineDescription
from finegrain.machines.networks import Dragonfly, FatTree, Graph, OneNode, Torus

GIGA, MICRO = 1e9, 1e-6


def engine_machine(machine: MachineDescription) -> dict[str, Any]:
    """Return the description as ``_engine.link_loads`` and others take it, in byte/s and s."""
    parts = machine.parts
    common = {
        "name": machine.name,
        "missing_nodes": list(machine.holes),
        "injection": (machine.injection_bandwidth * GIGA, machine.injection_latency * MICRO),
        "node": (parts.sockets, parts.cores, parts.threads_per_core),
        "speeds": [
            (bandwidth * GIGA, latency * MICRO)
            for bandwidth, latency in zip(machine.link_bandwidth, machine.link_latency, strict=True)
        ],
    }
    return common | _network(machine)


def _network(machine: MachineDescription) -> dict[str, Any]:
    network = machine.network
    match network:
        case Torus():
            return {
                "kind": "torus",
                "lengths": list(network.lengths),
                "wraps": list(network.wraps),
                "nodes_per_router": network.nodes_per_router,
                "gone": [
                    list(network.coordinates_of(router * network.nodes_per_router))
                    for router in network.gone
                ],
            }
        case FatTree():
            return {
                "kind": "fat-tree",
                "down": list(network.down),
                "up": list(network.up),
                "cables": list(network.cables),
            }
        case Dragonfly():
            return {
                "kind": "dragonfly",
                "groups": network.groups,
                "routers_per_group": network.routers_per_group,
                "nodes_per_router": network.nodes_per_router,
                "links_per_pair_of_groups": network.links_per_pair_of_groups,
            }
        case Graph():
            bandwidth, latency = machine.link_bandwidth[0], machine.link_latency[0]
            return {
                "kind": "graph",
                "switches": len(network.switches),
                "names": list(network.switches),
                "switch_of_node": list(network.switch_of_node),
                "cables": [
                    (
                        *link.ends,
                        link.cables,
                        (link.bandwidth or bandwidth) * GIGA,
                        latency * MICRO,
                    )
                    for link in network.links
                ],
            }
        case OneNode():
            return {
                "kind": "graph",
                "switches": 1,
                "names": ["the node"],
                "switch_of_node": [0],
                "cables": [],
            }


def engine_nodes(machine: MachineDescription) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the node of each rank, of shape (ranks,), by the engine's numbers without holes."""
    numbers = np.full(machine.nodes, -1, np.int64)
    free = np.array(machine.free_nodes, np.int64)
    numbers[free] = np.arange(len(free))
    return numbers[np.array(machine.allocation.node_of_rank, np.int64)]
