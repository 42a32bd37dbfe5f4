# SPDX-License-Identifier: BSD-3-Clause
"""Machines for SimGrid: the known figures of each, and the platform and options made from them.

The README.md of this folder gives the sources of the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finegrain.machines.description import Processor
from finegrain.machines.simgrid import Cluster, host_list, smpi_options

# A tenth of the peak of one core with two units of AVX-512 at 4 GHz, in double precision.
FIT_OPERATIONS = 0.1 * 128e9


@dataclass(frozen=True)
class Machine:
    """Nodes with one process each, and the network between them; seconds, bytes, operations."""

    name: str
    operations: float  # of a node per second, sustained
    bandwidth: float  # of a link, in either direction
    hop: float  # latency of a link
    send: float  # processor time for a message at its sender
    receive: float  # processor time for a message at its receiver
    byte: float  # processor time for each byte, at either end
    shapes: dict[int, str]  # nodes: SimGrid's topo_parameters
    topology: str = "TORUS"

    @property
    def speed(self) -> float:
        """How fast a node is beside the core to which the times of counted work are fitted."""
        return self.operations / FIT_OPERATIONS

    @property
    def processor(self) -> Processor:
        """The same figures as `finegrain predict` knows them."""
        return Processor(
            core_speed=self.speed,
            send_time=1e6 * self.send,
            receive_time=1e6 * self.receive,
            copy_bandwidth=1e-9 / self.byte if self.byte else None,
        )

    def shape(self, nodes: int) -> str:
        """Return SimGrid's parameters for this number of nodes."""
        if nodes not in self.shapes:
            raise ValueError(f"{self.name} has no shape of {nodes} nodes, but {list(self.shapes)}")
        return self.shapes[nodes]

    def sides(self, nodes: int) -> list[int]:
        """Return the sides of a torus of this number of nodes; the first one varies fastest."""
        if self.topology != "TORUS":
            raise ValueError(f"{self.name} is no torus")
        return [int(side) for side in self.shape(nodes).split(",")]

    def platform(self, nodes: int, *, mesh: bool = False) -> str:
        """Return the platform file for this number of nodes.

        A mesh has no links from one end of a side to the other. It is the corner of a torus with
        sides of twice the length, in which no shortest way goes round.
        """
        shape, hosts = self.shape(nodes), nodes
        if mesh:
            sides = [2 * side for side in self.sides(nodes)]
            shape, hosts = ",".join(map(str, sides)), math.prod(sides)
        return Cluster(
            name=self.name,
            topology=self.topology,
            parameters=shape,
            hosts=hosts,
            operations=self.operations,
            bandwidth=self.bandwidth,
            latency=self.hop,
        ).platform()

    def hosts(self, nodes: int, *, mesh: bool = False) -> list[int]:
        """Return the host of each process, by its number in the platform."""
        if not mesh:
            return list(range(nodes))
        numbers = [0]
        apart = 1
        for side in self.sides(nodes):
            numbers = [at + apart * step for step in range(side) for at in numbers]
            apart *= 2 * side
        return numbers

    def options(self, *, ranks: int = 1) -> list[str]:
        """Return SimGrid's options for this machine; they also make times repeatable."""
        return smpi_options(self.processor, ranks=ranks)

    def write(
        self, folder: Path, nodes: int, *, mesh: bool = False, order: Sequence[int] | None = None
    ) -> tuple[Path, Path]:
        """Write the platform and the list of hosts; return their paths.

        With an `order` it gives the node of each process; else they are on the nodes in order.
        """
        platform, hosts = folder / f"{self.name}-{nodes}.xml", folder / f"{self.name}-{nodes}.hosts"
        platform.write_text(self.platform(nodes, mesh=mesh))
        of_node = self.hosts(nodes, mesh=mesh)
        places = range(nodes) if order is None else order
        hosts.write_text(host_list([of_node[node] for node in places]))
        return platform, hosts


MACHINES = {
    machine.name: machine
    for machine in (
        Machine(
            name="bluegene-l",
            operations=0.28e9,
            bandwidth=175e6,
            hop=100e-9,
            send=1.35e-6,
            receive=1.35e-6,
            byte=1 / 700e6,
            shapes={
                8: "2,2,2",
                32: "4,4,2",
                64: "4,4,4",
                128: "4,4,8",
                256: "8,4,8",
                512: "8,8,8",
                1024: "8,8,16",
            },
        ),
        Machine(
            name="bluegene-q",
            operations=20e9,
            bandwidth=1.8e9,
            hop=40e-9,
            send=1.4e-6,
            receive=1.4e-6,
            byte=0,
            shapes={
                1: "1",
                8: "2,2,2",
                16: "2,2,2,2",
                32: "2,2,2,2,2",
                64: "2,2,4,2,2",
                128: "2,2,4,4,2",
                256: "4,2,4,4,2",
                512: "4,4,4,4,2",
                1024: "4,4,4,8,2",
            },
        ),
        # Two levels of 40-port switches: leaf switches with 16 nodes and 16 uplinks.
        Machine(
            name="fat-tree",
            operations=200e9,
            bandwidth=24e9,
            hop=150e-9,
            send=0.4e-6,
            receive=0.4e-6,
            byte=0,
            topology="FAT_TREE",
            shapes={
                1: "1;1;1;1",
                8: "2;4,2;1,4;1,1",
                16: "2;4,4;1,4;1,1",
                32: "2;16,2;1,16;1,1",
                64: "2;16,4;1,16;1,1",
                128: "2;16,8;1,16;1,1",
                256: "2;16,16;1,16;1,1",
                512: "2;16,32;1,16;1,1",
            },
        ),
    )
}
