# SPDX-License-Identifier: BSD-3-Clause
"""Machines for SimGrid: the known figures of each, and the platform and options made from them.

The README.md of this folder gives the sources of the figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path


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
        return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="{self.name}" topology="{self.topology}" topo_parameters="{shape}"
           prefix="node-" radical="0-{hosts - 1}" suffix="" speed="{self.operations:.6g}f"
           bw="{self.bandwidth:.6g}Bps" lat="{self.hop * 1e9:.6g}ns" sharing_policy="SPLITDUPLEX"
           loopback_bw="{self.operations:.6g}Bps" loopback_lat="0"/>
</platform>
"""

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

    def options(self) -> list[str]:
        """Return SimGrid's options for this machine; they also make times repeatable."""
        # A message without bytes is one by which a process looks whether anything came.
        sends = f"0:0:0;1:{self.send:.6g}:{self.byte:.6g}"
        receives = f"0:0:0;1:{self.receive:.6g}:{self.byte:.6g}"
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
            "--cfg=surf/precision:1e-12",
            "--log=root.threshold:warning",
        ]

    def write(self, folder: Path, nodes: int, *, mesh: bool = False) -> tuple[Path, Path]:
        """Write the platform and the list of hosts; return their paths."""
        platform, hosts = folder / f"{self.name}-{nodes}.xml", folder / f"{self.name}-{nodes}.hosts"
        platform.write_text(self.platform(nodes, mesh=mesh))
        hosts.write_text("".join(f"node-{host}\n" for host in self.hosts(nodes, mesh=mesh)))
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
                8: "2,2,2",
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
                8: "2;4,2;1,4;1,1",
                64: "2;16,4;1,16;1,1",
                128: "2;16,8;1,16;1,1",
                256: "2;16,16;1,16;1,1",
                512: "2;16,32;1,16;1,1",
            },
        ),
    )
}
