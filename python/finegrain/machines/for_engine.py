# SPDX-License-Identifier: BSD-3-Clause
"""The machine of a job in the plain numbers that the engine takes.

Names are those of engine/topology/machines/description.hpp. Bandwidths are in bytes per second,
latencies in seconds.
"""

from __future__ import annotations

from typing import Any

from finegrain.machines.description import MachineDescription, Processor
from finegrain.machines.networks import Dragonfly, FatTree, Graph, Known, Torus

_bytes_per_gigabyte, _seconds_per_microsecond = 1e9, 1e-6


def engine_numbers(machine: MachineDescription) -> dict[str, Any]:
    """Return the description of a machine that has only the nodes of its job.

    Returns
    -------
    dict
        Numbers, texts, and lists and tuples of them. A speed is a pair of bandwidth and latency.
        `node` is sockets, cores and threads of a core. A cable is two switches, the number of
        parallel cables and the speed of one. `processor` is the speed of a core, and its seconds
        for a message sent, for one received, and for a byte of either. The fields of the kind
        follow.
    """
    taken = set(machine.allocation.nodes)
    speeds = [
        _speed(*one) for one in zip(machine.link_bandwidth, machine.link_latency, strict=True)
    ]
    parts = machine.parts
    found: dict[str, Any] = {
        "name": machine.name,
        "kind": machine.kind,
        "missing_nodes": [node for node in range(machine.nodes) if node not in taken],
        "injection": _speed(machine.injection_bandwidth, machine.injection_latency),
        "node": (parts.sockets, parts.cores, parts.threads_per_core),
        "processor": _processor(machine.processor),
    }
    network = machine.network
    if isinstance(network, Torus):
        found["lengths"] = list(network.lengths)
        found["wraps"] = list(network.wraps)
        found["nodes_per_router"] = network.nodes_per_router
        first_nodes = [router * network.nodes_per_router for router in network.gone]
        found["gone"] = [list(network.coordinates_of(node)) for node in first_nodes]
        found["speeds"] = speeds
    elif isinstance(network, FatTree):
        for name in ("down", "up", "cables"):
            found[name] = list(getattr(network, name))
        found["speeds"] = speeds
    elif isinstance(network, Dragonfly):
        for name in ("groups", "routers_per_group", "nodes_per_router", "links_per_pair_of_groups"):
            found[name] = getattr(network, name)
        found["local"], found["global"] = speeds
    elif isinstance(network, Known):
        found["known"], found["nodes"] = network.name, network.nodes
    elif isinstance(network, Graph):
        found["switches"] = len(network.switches)
        found["names"] = list(network.switches)
        found["switch_of_node"] = list(network.switch_of_node)
        usual = machine.link_bandwidth[0], machine.link_latency[0]
        found["cables"] = [
            (*link.ends, link.cables, _speed(link.bandwidth or usual[0], usual[1]))
            for link in network.links
        ]
    return found


def engine_nodes(machine: MachineDescription) -> list[int]:
    """Return for each rank the number of its node in the engine, which leaves out missing nodes."""
    number_of = {node: number for number, node in enumerate(sorted(machine.allocation.nodes))}
    return [number_of[node] for node in machine.allocation.node_of_rank]


def _processor(of: Processor) -> tuple[float, float, float, float]:
    copied = of.copy_bandwidth
    return (
        of.core_speed,
        of.send_time * _seconds_per_microsecond,
        of.receive_time * _seconds_per_microsecond,
        0.0 if copied is None else 1 / (copied * _bytes_per_gigabyte),
    )


def _speed(bandwidth: float, latency: float) -> tuple[float, float]:
    return bandwidth * _bytes_per_gigabyte, latency * _seconds_per_microsecond
