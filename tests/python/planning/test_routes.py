# SPDX-License-Identifier: BSD-3-Clause
"""Platforms with a route for each pair of nodes, on networks whose ways can be counted by hand."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from finegrain.errors import InputError
from finegrain.machines.description import Allocation, MachineDescription
from finegrain.machines.networks import FatTree, Network, Torus
from finegrain.planning.routes import MOST_NODES, refuse_too_large, routed_platform


def machine(network: Network, nodes: tuple[int, ...], *speeds: float) -> MachineDescription:
    """Return a machine with one rank on each of these nodes, and links of so many GB/s."""
    return MachineDescription(
        name='a "machine" & more',
        network=network,
        allocation=Allocation(nodes, (1,) * len(nodes)),
        link_bandwidth=speeds,
        link_latency=(0.5,) * len(speeds),
        injection_bandwidth=3.0,
        injection_latency=0.25,
    )


def routes_of(one: MachineDescription) -> tuple[list[str], dict[tuple[str, str], list[tuple]]]:
    """Return the hosts, and for each pair of them the bandwidth and latency of each link."""
    zone = ElementTree.fromstring(routed_platform(one)).find("zone")
    assert zone is not None
    assert zone.get("routing") == "Full"
    links = {
        link.get("id"): (link.get("bandwidth"), link.get("latency")) for link in zone.iter("link")
    }
    routes = {}
    for route in zone.iter("route"):
        assert route.get("symmetrical") == "NO"
        way = [(part.get("id"), *links[part.get("id")]) for part in route.iter("link_ctn")]
        routes[str(route.get("src")), str(route.get("dst"))] = way
    return [str(host.get("id")) for host in zone.iter("host")], routes


def test_a_line_with_a_node_missing_has_the_links_of_its_way() -> None:
    # Nodes 0, 1 and 3 of a line of four; messages pass the router of node 2.
    hosts, routes = routes_of(machine(Torus((4,), (False,)), (0, 1, 3), 2.0))
    assert hosts == ["node-0", "node-1", "node-3"]
    assert len(routes) == 9
    assert [link[0] for link in routes["node-3", "node-3"]] == ["inside"]
    assert [len(routes["node-0", f"node-{end}"]) for end in (1, 3)] == [1, 3]
    between = [way for (start, end), way in routes.items() if start != end]
    assert {link[1:] for way in between for link in way} == {("2e+09Bps", "500ns")}
    # A link carries messages of one direction.
    there, back = routes["node-1", "node-3"], routes["node-3", "node-1"]
    assert not {link[0] for link in there} & {link[0] for link in back}
    assert there == routes["node-0", "node-3"][1:]


def test_dimensions_have_their_own_speeds_and_come_in_their_order() -> None:
    _, routes = routes_of(machine(Torus((3, 3), (True, True)), tuple(range(9)), 2.0, 1.0))
    # From (0, 0) to (1, 1): first along X.
    assert [link[1] for link in routes["node-0", "node-4"]] == ["2e+09Bps", "1e+09Bps"]


def test_a_node_below_a_switch_enters_by_its_own_link() -> None:
    _, routes = routes_of(machine(FatTree((2, 2), (1,), (1,)), (0, 1, 2, 3), 2.0))
    own, between = ("3e+09Bps", "250ns"), ("2e+09Bps", "500ns")
    assert [link[1:] for link in routes["node-0", "node-1"]] == [own, own]
    assert [link[1:] for link in routes["node-0", "node-3"]] == [own, between, between, own]


def test_two_nodes_at_a_router_have_the_entry_of_the_sender_between_them() -> None:
    _, routes = routes_of(machine(Torus((3,), (True,), 2), (0, 1, 2), 2.0))
    assert [link[0] for link in routes["node-0", "node-1"]] == ["entry-0"]
    assert [link[0] for link in routes["node-1", "node-0"]] == ["entry-1"]
    assert routes["node-0", "node-1"][0][1:] == ("3e+09Bps", "250ns")
    assert [link[1:] for link in routes["node-0", "node-2"]] == [("2e+09Bps", "500ns")]


def test_too_many_nodes_are_refused() -> None:
    many = tuple(range(MOST_NODES + 1))
    with pytest.raises(InputError, match="too many nodes") as refused:
        refuse_too_large(machine(Torus((MOST_NODES + 1,), (False,)), many, 2.0))
    assert f"{MOST_NODES} nodes" in refused.value.limit
    assert refused.value.hint
    refuse_too_large(machine(Torus((MOST_NODES + 1,), (True,)), many, 2.0))  # SimGrid knows it
