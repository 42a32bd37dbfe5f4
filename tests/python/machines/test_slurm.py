# SPDX-License-Identifier: BSD-3-Clause
"""The nodes of a Slurm job, and the network that topology.conf describes."""

import pytest
from machine_texts import GRAPH, TORUS, problems_of, written

from finegrain.machines import (
    Allocation,
    Graph,
    Link,
    in_slurm_job,
    machine_from_slurm,
    read_machine,
    read_topology,
    slurm_hosts,
)

JOB = {"SLURM_JOB_NODELIST": "nid[001-002,005],gpu1", "SLURM_TASKS_PER_NODE": "4(x3),2"}
TREE = """\
# the fabric
SwitchName=leaf1 Nodes=nid[001-004] LinkSpeed=100
SwitchName=leaf2 Nodes=nid005,gpu1
switchname=top SWITCHES=leaf[1-2]
"""


def test_hosts_and_ranks_of_a_job():
    hosts, ranks = slurm_hosts(JOB)
    assert hosts == ("nid001", "nid002", "nid005", "gpu1")
    assert ranks == (4, 4, 4, 2)
    assert slurm_hosts({"SLURM_NODELIST": "a", "SLURM_TASKS_PER_NODE": "1"}) == (("a",), (1,))


@pytest.mark.parametrize(
    ("changes", "what", "hint"),
    [
        ({"SLURM_JOB_NODELIST": ""}, "is not set", "inside a job"),
        ({"SLURM_TASKS_PER_NODE": ""}, "is not set", "inside a job"),
        ({"SLURM_JOB_NODELIST": "nid[1-"}, "has a bracket without its other half", "nid[001-004"),
        ({"SLURM_TASKS_PER_NODE": "4(x"}, "is no list of numbers", "4(x3),2"),
        ({"SLURM_TASKS_PER_NODE": "4(x2),2"}, "name 4 hosts but the ranks of 3", "same job"),
        ({"SLURM_JOB_NODELIST": "a[1-3],a2"}, "names a2 twice", "each node once"),
        ({"SLURM_TASKS_PER_NODE": "4(x3),0"}, "has a host without ranks", "at least one"),
        (
            {"SLURM_JOB_NUM_NODES": "3"},
            "is not the number of hosts in SLURM_JOB_NODELIST, 4",
            "same job",
        ),
    ],
)
def test_lists_that_do_not_match_are_refused(changes, what, hint):
    found = problems_of(slurm_hosts, {**JOB, **changes})
    fits = [one for one in found if one.what == what]
    assert fits, found
    assert hint in fits[0].hint
    assert fits[0].where == "environment"
    assert "SLURM_" in fits[0].value


def test_both_lists_are_named_when_both_are_wrong():
    found = problems_of(slurm_hosts, {"SLURM_JOB_NODELIST": "[", "SLURM_TASKS_PER_NODE": "x"})
    assert len(found) == 2


def test_a_tree_of_switches(tmp_path):
    graph, hosts = read_topology(written(tmp_path, TREE, "topology.conf"))
    links = (Link((0, 2)), Link((1, 2)))
    assert graph == Graph(("leaf1", "leaf2", "top"), links, (0, 0, 0, 0, 1, 1))
    assert hosts == ("nid001", "nid002", "nid003", "nid004", "nid005", "gpu1")


def test_what_scontrol_prints_is_the_same_tree(tmp_path):
    """It has levels, and repeats nodes at the switches above."""
    printed = """\
SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=nid[001-004]
SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=nid005,gpu1
SwitchName=top Level=1 LinkSpeed=1 Nodes=nid[001-005],gpu1 Switches=leaf[1-2]
"""
    one = read_topology(written(tmp_path, TREE, "a.conf"))
    assert read_topology(written(tmp_path, printed, "b.conf")) == one


def test_a_line_may_be_continued_and_name_several_switches(tmp_path):
    text = "SwitchName=s[0-1] Switches=\nSwitchName=s2 \\\n  Switches=s[0-1] \\\n\n"
    text += "SwitchName=s3 Nodes=a\nSwitchName=s4 Switches=s[2-3]\n"
    graph, hosts = read_topology(written(tmp_path, text))
    assert graph.switches == ("s0", "s1", "s2", "s3", "s4")
    assert hosts == ("a",)


def test_blocks_are_connected_by_a_switch_above_them(tmp_path):
    text = "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n"
    graph, hosts = read_topology(written(tmp_path, text))
    assert graph.links == (Link((0, 2)), Link((1, 2)))
    assert graph.switch_of_node == (0, 0, 1, 1)
    assert hosts == ("n1", "n2", "n3", "n4")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "names no switch"),
        ("# a torus: nothing is written here\n", None, "names no switch"),
        ("SwitchName=a\n", 1, "has neither Nodes nor Switches"),
        ("Nodes=n1\n", 1, "has no SwitchName"),
        ("SwitchName=a Node=n1\n", 1, "has an unknown key: node"),
        ("SwitchName=a Nodes=n[1-\n", 1, "has a bracket without its other half"),
        ("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n", 2, "is a second switch of this name"),
        ("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\n", 2, "has node n1, which another"),
        ("SwitchName=a Nodes=n1\nSwitchName=t Switches=a,b\n", 2, "names no switch: b"),
        ("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n", 2, "has no way to a: the network"),
        ("SwitchName=a Nodes=n1\nSwitchName=t Switches=a,t\n", 2, "has itself below it"),
        ("SwitchName=a Nodes=n1\nSwitchName=t Switches=a Nodes=n2\n", 2, "has node n2, which no"),
        ("SwitchName=a Nodes=n1 Nodes=n2\n", 1, "has Nodes twice"),
        ("SwitchName=a Nodes=n1\nBlockName=b Nodes=n2\n", 2, "mixes lines of switches"),
        ("---\n- topology: default\n  tree:\n", 1, "is no line of a topology"),
        ("SwitchName=a Nodes=n1 n2\n", 1, "is no line of a topology"),
    ],
)
def test_wrong_topologies_are_refused_with_their_line(tmp_path, text, line, what):
    found = problems_of(read_topology, written(tmp_path, text, "topology.conf"))[0]
    assert found.where == ("topology.conf" if line is None else f"topology.conf:{line}")
    assert found.what.startswith(what)
    assert found.hint


def test_at_most_twenty_problems_are_reported(tmp_path):
    text = "SwitchName=a Nodes=n1\nSwitchName=t Switches=a,x[0-9999]\n"
    assert len(problems_of(read_topology, written(tmp_path, text))) == 20


def test_a_topology_without_coordinates_says_what_to_do_for_a_torus(tmp_path):
    found = problems_of(read_topology, written(tmp_path, "\n", "topology.conf"))[0]
    assert "write a machine file with the torus" in found.hint


def test_no_topology_file(tmp_path):
    found = problems_of(read_topology, tmp_path / "none")[0]
    assert "scontrol show topology" in found.hint


def test_the_machine_of_a_job(tmp_path):
    path = written(tmp_path, TREE, "topology.conf")
    machine = machine_from_slurm(path, {**JOB, "SLURM_DISTRIBUTION": "cyclic"})
    assert machine.allocation == Allocation((0, 1, 4, 5), (4, 4, 4, 2), "cyclic")
    assert machine.host_of_rank[:4] == ("nid001", "nid002", "nid005", "gpu1")
    assert machine.parts.cores == 4
    plain = machine_from_slurm(environment=JOB)
    assert plain.network == Graph(("switch",), (), (0,) * 4)
    assert plain.allocation.order == "block"


def test_a_job_with_a_node_that_the_topology_lacks(tmp_path):
    path = written(tmp_path, TREE.replace("gpu1", "gpu2"), "topology.conf")
    found = problems_of(machine_from_slurm, path, JOB)[0]
    assert found.what == "has no node gpu1, which the job has"
    assert "did you mean gpu2?" in found.hint


def test_a_machine_file_with_the_nodes_of_a_job(tmp_path):
    machine = read_machine(written(tmp_path, GRAPH))
    job = {"SLURM_JOB_NODELIST": "nid[002,006]", "SLURM_TASKS_PER_NODE": "3,1"}
    assert in_slurm_job(machine, job).allocation == Allocation((1, 5), (3, 1))
    found = problems_of(in_slurm_job, machine, JOB)
    assert [(one.value, one.what) for one in found] == [
        ("gpu1", "is no host of this machine"),
    ]
    torus = read_machine(written(tmp_path, TORUS))
    job = {"SLURM_JOB_NODELIST": "nid00001", "SLURM_TASKS_PER_NODE": "1"}
    (found,) = problems_of(in_slurm_job, torus, job)
    assert (found.value, found.what) == ("nid00001", "is a hole of this machine")
