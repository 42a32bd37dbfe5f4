# SPDX-License-Identifier: BSD-3-Clause
"""Machines as SimGrid reads them: the platform, and the options of its MPI.

Topologies are those of the tag ``cluster``: https://simgrid.org/doc/latest/Platform_examples.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from finegrain.machines.description import MachineDescription, Processor
from finegrain.machines.networks import Dragonfly, FatTree, Network, Torus

FINE_TIME, COARSE_TIME = 1e-12, 1e-7  # s
RANKS_IN_FULL = 128


@dataclass(frozen=True)
class Cluster:
    """Nodes that are all alike, and links that are all alike.

    Attributes
    ----------
    name : str
        Hosts are node-0, node-1, ...
    topology, parameters : str
        SimGrid's ``topology`` and ``topo_parameters``.
    hosts : int
        The number of nodes.
    operations : float
        The operations of a node in a second.
    bandwidth, latency : float
        A link in either direction: bytes in a second; seconds.
    """

    name: str
    topology: str
    parameters: str
    hosts: int
    operations: float
    bandwidth: float
    latency: float

    def platform(self) -> str:
        """Return the platform file; the processor alone limits what a node sends itself."""
        latency = 1e9 * self.latency
        return platform_file(f"""\
  <cluster id={quoteattr(self.name)} topology="{self.topology}" topo_parameters="{self.parameters}"
           prefix="node-" radical="0-{self.hosts - 1}" suffix="" speed="{self.operations:.6g}f"
           bw="{self.bandwidth:.6g}Bps" lat="{latency:.6g}ns" sharing_policy="SPLITDUPLEX"
           loopback_bw="{self.operations:.6g}Bps" loopback_lat="0"/>""")


def platform_file(zone: str) -> str:
    """Return a platform file with one zone or cluster."""
    return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
{zone}
</platform>
"""


def host_list(nodes: Sequence[int]) -> str:
    """Return the file of hosts for ``smpirun``: the node of each rank, in order of the ranks."""
    return "".join(f"node-{node}\n" for node in nodes)


def cluster_of(machine: MachineDescription, operations: float = 1e9) -> Cluster | None:
    """Return a machine as one of SimGrid's clusters; its host node-N is node N of the machine.

    Parameters
    ----------
    machine : MachineDescription
        The machine.
    operations : float
        The operations of a node in a second. They do not matter where work is charged by its time.

    Returns
    -------
    Cluster or None
        None if SimGrid has no such cluster: other networks than torus, fat tree and dragonfly,
        holes, meshes, several nodes at a router of a torus, more groups than routers in one of
        them, or links of several speeds.
    """
    words = _words_of(machine.network)
    speeds = set(zip(machine.link_bandwidth, machine.link_latency, strict=True))
    if not isinstance(machine.network, Torus):  # here a node has a link, which is like the others
        speeds.add((machine.injection_bandwidth, machine.injection_latency))
    if words is None or machine.holes or len(speeds) > 1:
        return None
    bandwidth, latency = speeds.pop()
    return Cluster(
        name=machine.name,
        topology=words[0],
        parameters=words[1],
        hosts=machine.nodes,
        operations=operations,
        bandwidth=1e9 * bandwidth,
        latency=1e-6 * latency,
    )


def _words_of(network: Network) -> tuple[str, str] | None:
    """Return SimGrid's ``topology`` and ``topo_parameters`` of a network, if it has them."""
    if isinstance(network, Torus):
        if not all(network.wraps) or network.nodes_per_router > 1:
            return None
        # Its first side varies fastest, ours the last one. It takes several sides of 1 for faults.
        sides = [length for length in reversed(network.lengths) if length > 1] or [1]
        return "TORUS", ",".join(map(str, sides))
    if isinstance(network, FatTree):
        # It also tells with how many switches a node is connected.
        lists = (
            ",".join(map(str, numbers))
            for numbers in (network.down, (1, *network.up), (1, *network.cables))
        )
        return "FAT_TREE", ";".join([str(len(network.down)), *lists])
    if isinstance(network, Dragonfly) and network.groups <= network.routers_per_group:
        # It has chassis between groups and routers, and puts the links to group N at router N.
        return "DRAGONFLY", (
            f"{network.groups},{network.links_per_pair_of_groups};1,1;"
            f"{network.routers_per_group},1;{network.nodes_per_router}"
        )
    return None


def smpi_options(processor: Processor, *, ranks: int = 1) -> list[str]:
    """Return SimGrid's options for what messages cost; they also make times repeatable.

    Above `RANKS_IN_FULL` ranks SimGrid takes ends of messages for one that are `COARSE_TIME` apart.
    It shares the links among all messages on their way whenever its clock moves on. Thousands are
    on their way in a step, so this is most of what a simulation of so many ranks costs.
    """
    resolution = COARSE_TIME if ranks > RANKS_IN_FULL else FINE_TIME
    byte = 1e-9 / processor.copy_bandwidth if processor.copy_bandwidth else 0
    # A message without bytes is one by which a process looks whether anything came.
    sends = f"0:0:0;1:{1e-6 * processor.send_time:.6g}:{byte:.6g}"
    receives = f"0:0:0;1:{1e-6 * processor.receive_time:.6g}:{byte:.6g}"
    return [
        "--cfg=smpi/simulate-computation:no",
        f"--cfg=smpi/os:{sends}",
        f"--cfg=smpi/ois:{sends}",
        f"--cfg=smpi/or:{receives}",
        "--cfg=smpi/lat-factor:0:1",
        "--cfg=smpi/bw-factor:0:1",
        "--cfg=smpi/async-small-thresh:65536",
        "--cfg=smpi/test:0",
        "--cfg=smpi/iprobe:0",
        "--cfg=smpi/wtime:0",
        "--cfg=network/TCP-gamma:0",
        "--cfg=network/loopback-lat:0",
        "--cfg=network/crosstraffic:0",
        "--cfg=smpi/privatization:dlopen",
        f"--cfg=surf/precision:{resolution:g}",
        "--log=root.threshold:warning",
    ]
