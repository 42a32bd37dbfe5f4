# SPDX-License-Identifier: BSD-3-Clause
"""What the engine gets of a machine: only the nodes of the job, in its own units and numbers."""

import re
from pathlib import Path

import pytest
from machine_texts import ALL, DRAGONFLY, FAT_TREE, GRAPH, NODE, TORUS, written

from finegrain.machines import engine_nodes, engine_numbers, read_machine
from finegrain.machines.graphs import MOST_SWITCHES
from finegrain.machines.host_lists import MOST_NODES
from finegrain.machines.input.networks import MOST_LINKS

HEADER = Path(__file__).parents[3] / "engine/topology/machines/description.hpp"


def test_a_torus(tmp_path):
    machine = read_machine(written(tmp_path, TORUS))
    found = engine_numbers(machine)
    assert found["lengths"] == [4, 3, 8]
    assert found["wraps"] == [True, True, False]
    assert found["gone"] == [[3, 2, 7]]
    assert found["speeds"] == [pytest.approx((g * 1e9, 1e-7)) for g in (9.4, 4.7, 9.4)]
    assert found["injection"] == pytest.approx((6e9, 5e-7))
    assert found["node"] == (2, 16, 2)
    job = set(machine.allocation.nodes)
    assert sorted(job | set(found["missing_nodes"])) == list(range(192))
    assert not job & set(found["missing_nodes"])


def test_ranks_are_on_the_engine_s_nodes_in_the_order_of_the_job(tmp_path):
    """The job has nodes 4, 5 and 0 with 2, 1 and 3 ranks; the engine counts 0, 4, 5."""
    machine = read_machine(written(tmp_path, GRAPH))
    assert engine_nodes(machine) == [1, 1, 2, 0, 0, 0]


def test_a_graph(tmp_path):
    found = engine_numbers(read_machine(written(tmp_path, GRAPH)))
    assert found["cables"] == [
        (0, 2, 2, pytest.approx((12.5e9, 1e-7))),
        (0, 3, 1, pytest.approx((12.5e9, 1e-7))),
        (1, 2, 1, pytest.approx((25e9, 1e-7))),
        (1, 3, 1, pytest.approx((25e9, 1e-7))),
    ]
    assert found["switch_of_node"] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert found["missing_nodes"] == [1, 2, 3, 6, 7]


def test_a_fat_tree_and_a_dragonfly(tmp_path):
    tree = engine_numbers(read_machine(written(tmp_path, FAT_TREE)))
    assert (tree["down"], tree["up"], tree["cables"]) == ([16, 4, 2], [8, 2], [1, 2])
    assert len(tree["speeds"]) == 2
    fly = engine_numbers(read_machine(written(tmp_path, DRAGONFLY)))
    assert fly["local"] == pytest.approx((25e9, 1e-7))
    assert fly["global"] == pytest.approx((12.5e9, 3e-7))


def test_one_node(tmp_path):
    found = engine_numbers(read_machine(written(tmp_path, NODE)))
    assert found["node"] == (2, 64, 2)
    assert found["processor"] == pytest.approx((1.0, 4e-7, 4e-7, 0.0))
    assert found["missing_nodes"] == []


@pytest.mark.parametrize("kind", ALL)
def test_the_engine_has_all_fields(tmp_path, kind):
    """Names are members of the engine's structures; `gone` is a flag of its holes."""
    words = set(re.findall(r"\w+", HEADER.read_text(encoding="utf-8")))
    found = engine_numbers(read_machine(written(tmp_path, ALL[kind])))
    assert found.keys() - words <= {"gone", "kind"}


def test_limits_are_those_of_the_engine():
    texts = [path.read_text(encoding="utf-8") for path in sorted(HEADER.parent.glob("*.hpp"))]
    limits = dict(re.findall(r"constexpr int (most_\w+) = ([\d <]+);", "\n".join(texts)))
    values = {
        name: int(number) << int(shift or 0)
        for name, (number, _, shift) in ((n, text.partition("<<")) for n, text in limits.items())
    }
    ours = {"nodes": MOST_NODES, "links": MOST_LINKS, "switches_of_graph": MOST_SWITCHES}
    assert {name: values[f"most_{name}"] for name in ours} == ours
