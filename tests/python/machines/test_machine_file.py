# SPDX-License-Identifier: BSD-3-Clause
"""Machine files of each kind become the machines that they describe."""

import itertools

import pytest
from machine_texts import ALL, DRAGONFLY, FAT_TREE, GRAPH, NODE, TORUS, written

from finegrain.errors import InputError
from finegrain.machines import (
    Allocation,
    Dragonfly,
    FatTree,
    Graph,
    Link,
    NodeParts,
    OneNode,
    Processor,
    Torus,
    engine_numbers,
    read_machine,
)
from finegrain.machines.description import USUAL_BANDWIDTH, USUAL_LATENCY


def test_a_torus(tmp_path):
    machine = read_machine(written(tmp_path, TORUS))
    torus = Torus((4, 3, 8), (True, True, False), 2, gone=(3 * 24 + 2 * 8 + 7,))
    assert machine.network == torus
    assert machine.name == "a torus with holes"
    assert machine.kind == "torus"
    assert machine.nodes == 4 * 3 * 8 * 2
    # The last coordinate is fastest: the routers (3, 2, 0) to (3, 2, 7) are the last eight.
    assert machine.holes == (1, *range(192 - 16, 192))
    assert len(machine.free_nodes) == 192 - 17
    assert machine.parts == NodeParts(sockets=2, cores=16, threads_per_core=2)
    assert machine.parts.cores_per_socket == 8
    assert machine.link_bandwidth == (9.4, 4.7, 9.4)
    assert machine.link_latency == pytest.approx((0.1,) * 3)
    assert (machine.injection_bandwidth, machine.injection_latency) == (6.0, 0.5)
    assert machine.assumed == ()
    nodes = (*range(2 * 48, 3 * 48), 0, 5)
    assert machine.allocation.nodes == nodes
    # Nodes take turns.
    assert machine.allocation.node_of_rank == nodes * 2
    assert machine.ranks == 2 * len(nodes)
    assert machine.host_of_rank[:2] == ("nid00096", "nid00097")


def test_numbers_of_nodes_of_a_torus_are_those_of_a_count_with_the_last_digit_fastest():
    torus = Torus((3, 2, 4), (True,) * 3, nodes_per_router=2)
    places = itertools.product(range(3), range(2), range(4), range(2))
    for number, (*coordinates, slot) in enumerate(places):
        assert torus.node_at(coordinates, slot) == number
        assert torus.coordinates_of(number) == tuple(coordinates)
    assert number + 1 == torus.nodes


def test_a_fat_tree(tmp_path):
    machine = read_machine(written(tmp_path, FAT_TREE))
    assert machine.network == FatTree((16, 4, 2), (8, 2), (1, 2))
    assert machine.nodes == 128
    # 8 leaf switches; each group of 4 has 8 above it, with 2 different ones above each of these.
    assert machine.network.switches == (8, 16, 16)
    assert machine.link_bandwidth == (25.0, 25.0)
    assert machine.assumed == ("injection_bandwidth", "link_latency", "injection_latency")
    assert machine.injection_bandwidth == USUAL_BANDWIDTH
    assert machine.link_latency == (USUAL_LATENCY,) * 2
    assert machine.allocation == Allocation((*range(32), 40), (4,) * 33)
    # A node gets consecutive ranks.
    assert machine.allocation.node_of_rank[:9] == (0, 0, 0, 0, 1, 1, 1, 1, 2)
    assert machine.host_of_node(40) == "node40"


def test_a_dragonfly(tmp_path):
    machine = read_machine(written(tmp_path, DRAGONFLY))
    assert machine.network == Dragonfly(9, 4, 2, 1)
    assert machine.nodes == 72
    assert machine.link_bandwidth == (25.0, 12.5)
    assert machine.allocation == Allocation(tuple(range(72)), (1,) * 72)
    assert machine.name == "machine"  # that of the file


def test_a_graph(tmp_path):
    machine = read_machine(written(tmp_path, GRAPH))
    # Links in the order in which they are named; leaf0 has two cables to spine0.
    links = (Link((0, 2), 2), Link((0, 3)), Link((1, 2), 1, 25.0), Link((1, 3), 1, 25.0))
    names = ("leaf0", "leaf1", "spine0", "spine1")
    assert machine.network == Graph(names, links, (0, 0, 0, 0, 1, 1, 1, 1))
    assert machine.hosts == tuple(f"nid00{number}" for number in range(1, 9))
    assert machine.allocation.nodes == (4, 5, 0)
    hosts = ("nid005", "nid005", "nid006", "nid001", "nid001", "nid001")
    assert machine.host_of_rank == hosts


def test_nodes_of_a_switch_may_be_counted(tmp_path):
    text = '[machine]\nkind = "graph"\n[[switches]]\nname = "one"\nnodes = 3\n'
    machine = read_machine(written(tmp_path, text))
    assert machine.hosts == ("one-0", "one-1", "one-2")


def test_one_node(tmp_path):
    machine = read_machine(written(tmp_path, NODE))
    assert machine.network == OneNode()
    assert (machine.nodes, machine.ranks) == (1, 8)
    assert machine.parts == NodeParts(2, 64, 2)
    assert (machine.link_bandwidth, machine.assumed) == ((), ())


def test_the_speed_of_a_core_and_its_times_for_messages(tmp_path):
    assert read_machine(written(tmp_path, NODE)).processor == Processor(
        assumed=("core_speed", "send_time", "receive_time")
    )
    given = 'core_speed = 2\nsend_time = "700 ns"\nreceive_time = "1 us"\ncopy_bandwidth = "5 GB/s"'
    machine = read_machine(written(tmp_path, NODE.replace("sockets = 2", given)))
    assert machine.processor == Processor(2.0, pytest.approx(0.7), 1.0, 5.0)
    # The engine takes seconds.
    assert engine_numbers(machine)["processor"] == pytest.approx((2.0, 7e-7, 1e-6, 2e-10))


def test_ranges_name_the_nodes_that_coordinates_name_one_by_one(tmp_path):
    few = TORUS.replace('"2, 0:3, 0:8", "nid[00000,00005]"', '"1:3, 2, 6:, :"')
    long = [f'"{x}, 2, {z}, {slot}"' for x in (1, 2) for z in (6, 7) for slot in (0, 1)]
    many = TORUS.replace('"2, 0:3, 0:8", "nid[00000,00005]"', ", ".join(long))
    one, other = (read_machine(written(tmp_path, text)) for text in (few, many))
    assert one.allocation == other.allocation
    assert len(one.allocation.nodes) == 8


def test_nodes_in_a_file_with_their_coordinates(tmp_path):
    written(tmp_path, "# host x y\nb 0 1 # the second\na 0 0\n\nc 1 1\n", "places.txt")
    text = '[machine]\nkind = "torus"\nlengths = [2, 2]\ncoordinates = "places.txt"\n'
    machine = read_machine(written(tmp_path, text + '[allocation]\nnodes = ["c", "a"]\n'))
    assert machine.hosts == ("a", "b", "", "c")
    assert machine.holes == (2,)
    assert machine.allocation.nodes == (3, 0)


def test_a_job_of_the_first_free_nodes(tmp_path):
    machine = read_machine(written(tmp_path, TORUS)).with_first_nodes(3, 2)
    assert machine.allocation == Allocation((0, 2, 3), (2, 2, 2), "cyclic")
    with pytest.raises(InputError, match="limit 1 to 175"):
        machine.with_first_nodes(176, 1)


def test_nodes_of_routers_that_are_gone_are_holes(tmp_path):
    text = '[machine]\nkind = "torus"\nlengths = [4]\nnodes_per_router = 2\n'
    machine = read_machine(written(tmp_path, text + 'routers_gone = ["2"]\n'))
    assert machine.network.gone == (2,)
    assert machine.holes == (4, 5)
    assert machine.allocation.nodes == (0, 1, 2, 3, 6, 7)


def test_links_of_networks():
    """Counted one by one for small ones: each direction, and parallel cables once."""
    # 3 x 2 routers: each has two links along each dimension.
    assert Torus((3, 2), (True, True)).links == 6 * 2 * 2
    # 4 nodes at 2 leaf switches, each with a cable to 3 others above.
    assert FatTree((2, 2), (3,), (1,)).links == 2 * 4 + 2 * 2 * 3
    # 3 groups of 2 routers: 3 pairs in groups, 3 pairs of groups with 2 links each.
    assert Dragonfly(3, 2, 1, 2).links >= 2 * 3 + 2 * 3 * 2


@pytest.mark.parametrize("kind", ALL)
def test_kinds_are_named_as_in_the_file(tmp_path, kind):
    assert read_machine(written(tmp_path, ALL[kind])).kind == kind


def test_ranks_that_differ_take_turns_until_they_are_used_up():
    assert Allocation((7, 8, 9), (2, 1, 3), "cyclic").node_of_rank == (7, 8, 9, 7, 9, 9)
