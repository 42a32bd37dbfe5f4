# SPDX-License-Identifier: BSD-3-Clause
"""A machine and the part of it that a job has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from finegrain.errors import InputError
from finegrain.machines.networks import Network

USUAL_BANDWIDTH, USUAL_LATENCY = 12.5, 0.1  # GB/s and us: the engine's defaults
USUAL_PROCESSING = 0.4  # us, the engine's default for a message


@dataclass(frozen=True)
class NodeParts:
    """What a node consists of.

    Attributes
    ----------
    sockets, cores : int
        Processors, and cores of all of them together.
    threads_per_core : int
        Hardware threads.
    """

    sockets: int = 1
    cores: int = 1
    threads_per_core: int = 1

    @property
    def cores_per_socket(self) -> int:
        """Cores of a socket."""
        return self.cores // self.sockets


@dataclass(frozen=True)
class Processor:
    """How fast a core is with the program's work, and with messages to other processes.

    Attributes
    ----------
    core_speed : float
        Relative to the core on which the times of counted work have been measured.
    send_time, receive_time : float
        What a processor does for a message at its sender and its receiver, in us.
    copy_bandwidth : float or None
        How fast it copies a message's bytes at either end, in GB/s; None: it need not.
    assumed : tuple of str
        The names of those of the first three that nobody gave.
    """

    core_speed: float = 1.0
    send_time: float = USUAL_PROCESSING
    receive_time: float = USUAL_PROCESSING
    copy_bandwidth: float | None = None
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Allocation:
    """The nodes of a job.

    Attributes
    ----------
    nodes : tuple of int
        Their numbers, in the order of the job.
    ranks : tuple of int
        Ranks (processes) on each of them.
    order : "block" or "cyclic"
        Whether a node gets consecutive ranks, or nodes take turns.
    """

    nodes: tuple[int, ...]
    ranks: tuple[int, ...]
    order: str = "block"

    @cached_property
    def place_of_rank(self) -> tuple[int, ...]:
        """For each rank the position of its node in `nodes`."""
        places = range(len(self.nodes))
        if self.order == "block":
            return tuple(place for place in places for _ in range(self.ranks[place]))
        rounds = range(max(self.ranks, default=0))
        return tuple(place for turn in rounds for place in places if turn < self.ranks[place])

    @property
    def node_of_rank(self) -> tuple[int, ...]:
        """For each rank the number of its node."""
        return tuple(self.nodes[place] for place in self.place_of_rank)


@dataclass(frozen=True)
class MachineDescription:
    """A machine, its network and the nodes of a job.

    Attributes
    ----------
    name : str
        For people.
    network : Torus, FatTree, Dragonfly, Graph or OneNode
        Where the nodes are.
    holes : tuple of int
        Nodes that no job can have: down, for input and output, of other jobs, or at routers that
        are gone. Messages pass the routers of the others. Ascending.
    hosts : tuple of str
        The name of each node; empty if the names are not known.
    parts : NodeParts
        Sockets, cores and threads of each node.
    processor : Processor
        Speed of its cores.
    link_bandwidth, link_latency : tuple of float
        GB/s in one direction of a cable, and us, for each of `network.link_kinds`.
    injection_bandwidth, injection_latency : float
        The same between a node and its router or switch.
    assumed : tuple of str
        The names of the values among these four that nobody gave.
    allocation : Allocation
        The nodes of the job.
    """

    name: str
    network: Network
    allocation: Allocation
    holes: tuple[int, ...] = ()
    hosts: tuple[str, ...] = ()
    parts: NodeParts = NodeParts()
    processor: Processor = Processor()
    link_bandwidth: tuple[float, ...] = ()
    link_latency: tuple[float, ...] = ()
    injection_bandwidth: float = USUAL_BANDWIDTH
    injection_latency: float = USUAL_LATENCY
    assumed: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """One of "torus", "fat-tree", "dragonfly", "graph" and "node"."""
        return self.network.kind

    @property
    def nodes(self) -> int:
        """Number of places for nodes, holes among them."""
        return self.network.nodes

    @property
    def free_nodes(self) -> tuple[int, ...]:
        """Nodes that are no holes, ascending."""
        return free_nodes(self.nodes, self.holes)

    @property
    def ranks(self) -> int:
        """Number of ranks of the job."""
        return sum(self.allocation.ranks)

    def host_of_node(self, node: int) -> str:
        """Return the name of a node; its number stands for a name that is not known."""
        return self.hosts[node] if self.hosts else f"node{node}"

    @property
    def host_of_rank(self) -> tuple[str, ...]:
        """For each rank the name of its node."""
        return tuple(self.host_of_node(node) for node in self.allocation.node_of_rank)

    def with_nodes(self, nodes: Sequence[int], ranks_per_node: int) -> MachineDescription:
        """Return the machine with other nodes for the job."""
        ranks = (ranks_per_node,) * len(nodes)
        return replace(self, allocation=Allocation(tuple(nodes), ranks, self.allocation.order))

    def with_first_nodes(self, count: int, ranks_per_node: int) -> MachineDescription:
        """Return the machine with the first nodes that are free for the job.

        Raises
        ------
        InputError
            If there are fewer.
        """
        free = self.free_nodes
        if not 1 <= count <= len(free):
            raise InputError(
                "is no number of nodes of this machine",
                where=self.name,
                value=f"{count:,} nodes",
                limit=f"1 to {len(free):,}",
                hint="ask for fewer nodes, or describe a larger machine",
            )
        return self.with_nodes(free[:count], ranks_per_node)


def free_nodes(nodes: int, holes: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers below `nodes` that are no holes, ascending."""
    taken = frozenset(holes)
    return tuple(node for node in range(nodes) if node not in taken)
