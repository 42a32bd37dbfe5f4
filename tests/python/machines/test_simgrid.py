# SPDX-License-Identifier: BSD-3-Clause
"""Platforms for SimGrid: the topology in its words, and machines that are no cluster of it."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from finegrain.machines.description import Allocation, MachineDescription, Processor
from finegrain.machines.networks import Dragonfly, FatTree, Graph, Network, Torus
from finegrain.machines.simgrid import cluster_of, host_list, smpi_options


def machine(network: Network) -> MachineDescription:
    kinds = len(network.link_kinds)
    return MachineDescription(
        name='a "cluster" & more',
        network=network,
        allocation=Allocation((0,), (1,)),
        link_bandwidth=(2.0,) * kinds,
        link_latency=(0.04,) * kinds,
        injection_bandwidth=2.0,
        injection_latency=0.04,
    )


TORUS = machine(Torus((2, 3, 4), (True, True, True)))


# SimGrid's words, from its manual of platforms: a torus has sides, the first one fastest; a fat
# tree levels;down;up;cables from the nodes up; a dragonfly groups;chassis;routers;nodes, each but
# the last with the links between them.
@pytest.mark.parametrize(
    ("network", "topology", "parameters", "hosts"),
    [
        (Torus((2, 3, 4), (True, True, True)), "TORUS", "4,3,2", 24),
        (Torus((2, 1, 4), (True, True, True)), "TORUS", "4,2", 8),
        (Torus((1, 1), (True, True)), "TORUS", "1", 1),
        (FatTree((16, 4), (8,), (2,)), "FAT_TREE", "2;16,4;1,8;1,2", 64),
        (FatTree((12,), (), ()), "FAT_TREE", "1;12;1;1", 12),
        (Dragonfly(4, 5, 2, 3), "DRAGONFLY", "4,3;1,1;5,1;2", 40),
    ],
)
def test_platforms_are_in_the_words_of_simgrid(
    network: Network, topology: str, parameters: str, hosts: int
) -> None:
    cluster = cluster_of(machine(network), 3e9)
    assert cluster is not None
    found = ElementTree.fromstring(cluster.platform()).find("cluster")
    assert found is not None
    assert found.get("id") == 'a "cluster" & more'
    assert found.get("topology") == topology
    assert found.get("topo_parameters") == parameters
    assert found.get("radical") == f"0-{hosts - 1}"
    assert found.get("speed") == "3e+09f"
    assert found.get("bw") == "2e+09Bps"
    assert found.get("lat") == "40ns"


def test_ranks_are_on_the_hosts_of_their_nodes() -> None:
    assert host_list([3, 0, 1]) == "node-3\nnode-0\nnode-1\n"


def test_a_message_takes_processor_time_at_both_ends() -> None:
    options = smpi_options(Processor(send_time=2.0, receive_time=3.0, copy_bandwidth=1.0))
    assert "--cfg=smpi/os:0:0:0;1:2e-06:1e-09" in options
    assert "--cfg=smpi/or:0:0:0;1:3e-06:1e-09" in options


@pytest.mark.parametrize(("ranks", "seconds"), [(1, "1e-12"), (128, "1e-12"), (129, "1e-07")])
def test_many_ranks_have_a_coarse_clock(ranks: int, seconds: str) -> None:
    assert f"--cfg=surf/precision:{seconds}" in smpi_options(Processor(), ranks=ranks)


@pytest.mark.parametrize(
    "other",
    [
        machine(Torus((2, 3), (True, False))),
        machine(Torus((2, 3), (True, True), 2)),
        machine(Dragonfly(5, 4, 2)),
        machine(Graph(("a",), (), (0, 0))),
        replace(TORUS, holes=(5,)),
        replace(TORUS, link_bandwidth=(2.0, 2.0, 1.0)),
        replace(machine(FatTree((4, 2), (2,), (1,))), injection_bandwidth=1.0),
    ],
    ids=["mesh", "two nodes a router", "many groups", "graph", "hole", "two speeds", "injection"],
)
def test_other_machines_are_no_cluster(other: MachineDescription) -> None:
    assert cluster_of(other) is None
