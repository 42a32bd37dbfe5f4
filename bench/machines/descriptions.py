# SPDX-License-Identifier: BSD-3-Clause
"""The same machines as `finegrain map` knows machines, for placements of ranks on them."""

from __future__ import annotations

from machines import Machine

from finegrain.machines.description import Allocation, MachineDescription
from finegrain.machines.networks import FatTree, Torus


def description_of(machine: Machine, nodes: int) -> MachineDescription:
    """Return a machine whose nodes have the numbers of SimGrid's hosts, with a rank on each."""
    network: Torus | FatTree
    if machine.topology == "TORUS":
        # SimGrid's first side varies fastest, here it is the last one.
        sides = tuple(reversed(machine.sides(nodes)))
        network = Torus(sides, (True,) * len(sides))
    else:
        _, down, up, cables = (
            tuple(map(int, part.split(","))) for part in machine.shape(nodes).split(";")
        )
        # SimGrid also tells how many switches a node is connected with: one.
        network = FatTree(down, up[1:], cables[1:])
    kinds = len(network.link_kinds)
    bandwidth, hop = machine.bandwidth / 1e9, machine.hop * 1e6
    # On SimGrid's torus a node sends over all its links at once, without a way to its router.
    alone = isinstance(network, Torus)
    return MachineDescription(
        name=machine.name,
        network=network,
        allocation=Allocation(tuple(range(nodes)), (1,) * nodes),
        link_bandwidth=(bandwidth,) * kinds,
        link_latency=(hop,) * kinds,
        injection_bandwidth=2 * kinds * bandwidth if alone else bandwidth,
        injection_latency=0.0 if alone else hop,
        processor=machine.processor,
    )
