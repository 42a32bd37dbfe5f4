# SPDX-License-Identifier: BSD-3-Clause
"""The networks of machines: how many nodes there are, and where each is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Torus:
    """A torus or mesh of any dimension.

    Nodes are numbered with the last coordinate fastest; the nodes of a router follow each other.

    Attributes
    ----------
    lengths : tuple of int
        Routers along each dimension.
    wraps : tuple of bool
        Whether the last router of a dimension has a link to the first.
    nodes_per_router : int
        Nodes at each router.
    gone : tuple of int
        Routers that take no messages, by number, ascending. All others do, also those whose nodes
        are holes.
    """

    kind: ClassVar[str] = "torus"

    lengths: tuple[int, ...]
    wraps: tuple[bool, ...]
    nodes_per_router: int = 1
    gone: tuple[int, ...] = ()

    @property
    def routers(self) -> int:
        """Number of places for routers."""
        return math.prod(self.lengths)

    @property
    def nodes(self) -> int:
        """Number of places for nodes, holes among them."""
        return self.routers * self.nodes_per_router

    @property
    def links(self) -> int:
        """Number of links, each of one direction, as if all dimensions wrapped."""
        return 2 * len(self.lengths) * self.routers

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """What has a bandwidth and a latency of its own: the links of each dimension."""
        return tuple(f"dimension {number}" for number in range(len(self.lengths)))

    def node_at(self, coordinates: Sequence[int], slot: int = 0) -> int:
        """Return the number of a node at the router with these coordinates."""
        router = 0
        for length, coordinate in zip(self.lengths, coordinates, strict=True):
            router = router * length + coordinate
        return router * self.nodes_per_router + slot

    def coordinates_of(self, node: int) -> tuple[int, ...]:
        """Return the coordinates of the router of a node."""
        router, found = node // self.nodes_per_router, []
        for length in reversed(self.lengths):
            router, coordinate = divmod(router, length)
            found.append(coordinate)
        return tuple(reversed(found))


@dataclass(frozen=True)
class FatTree:
    """A fat tree: levels of switches, the lowest first.

    Attributes
    ----------
    down : tuple of int
        What each switch has below it: nodes at the lowest level, switches of the level below at the
        others.
    up : tuple of int
        With how many switches above it a switch is connected, for each level but the last.
    cables : tuple of int
        Parallel cables of each such connection.
    """

    kind: ClassVar[str] = "fat-tree"

    down: tuple[int, ...]
    up: tuple[int, ...]
    cables: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return math.prod(self.down)

    @property
    def links(self) -> int:
        """Number of links, each of one direction; parallel cables are one link."""
        up = zip(self.switches, self.up, strict=False)
        return 2 * self.nodes + 2 * sum(switches * above for switches, above in up)

    @property
    def switches(self) -> tuple[int, ...]:
        """Number of switches of each level."""
        levels = range(len(self.down))
        return tuple(math.prod(self.down[i + 1 :]) * math.prod(self.up[:i]) for i in levels)

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """What has a bandwidth and a latency of its own: the cables up from each level."""
        return tuple(f"up from level {number}" for number in range(1, len(self.down)))


@dataclass(frozen=True)
class Dragonfly:
    """A dragonfly: all routers of a group, and all groups, are connected with each other.

    Attributes
    ----------
    groups, routers_per_group, nodes_per_router : int
        Their numbers; nodes are numbered router by router, group by group.
    links_per_pair_of_groups : int
        Links between each two groups.
    """

    kind: ClassVar[str] = "dragonfly"

    groups: int
    routers_per_group: int
    nodes_per_router: int
    links_per_pair_of_groups: int = 1

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.groups * self.routers_per_group * self.nodes_per_router

    @property
    def links(self) -> int:
        """Number of links between routers, each of one direction, and a few more."""
        inside = self.groups * self.routers_per_group**2
        return inside + self.groups**2 * self.links_per_pair_of_groups

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """What has a bandwidth and a latency of its own: links in a group, and between groups."""
        return ("in a group", "between groups")


@dataclass(frozen=True)
class Link:
    """The cables between two switches; None is the usual bandwidth (GB/s, of one cable)."""

    ends: tuple[int, int]
    cables: int = 1
    bandwidth: float | None = None


@dataclass(frozen=True)
class Graph:
    """Switches with any links between them.

    Attributes
    ----------
    switches : tuple of str
        Their names.
    links : tuple of Link
        One for each pair of connected switches.
    switch_of_node : tuple of int
        For each node the number of its switch.
    """

    kind: ClassVar[str] = "graph"

    switches: tuple[str, ...]
    links: tuple[Link, ...]
    switch_of_node: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.switch_of_node)

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """What has a bandwidth and a latency of its own: all links alike."""
        return ("between switches",)


@dataclass(frozen=True)
class OneNode:
    """One node alone, without a network."""

    kind: ClassVar[str] = "node"

    @property
    def nodes(self) -> int:
        """One."""
        return 1

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """None: there are no links."""
        return ()


@dataclass(frozen=True)
class Known:
    """The network of a machine that the engine knows by name.

    Attributes
    ----------
    name : str
        The machine.
    nodes : int
        Nodes of the job, by which the engine chooses the shape.
    """

    kind: ClassVar[str] = "known"

    name: str
    nodes: int

    @property
    def link_kinds(self) -> tuple[str, ...]:
        """None: the engine knows them."""
        return ()


Network = Torus | FatTree | Dragonfly | Graph | OneNode | Known
