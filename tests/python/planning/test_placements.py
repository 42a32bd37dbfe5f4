# SPDX-License-Identifier: BSD-3-Clause
"""Loads of links and places of ranks, on machines whose numbers can be counted by hand."""

from pathlib import Path

import numpy as np
import pytest

from finegrain.errors import InputError
from finegrain.machines import read_machine
from finegrain.machines.traffic.traffic import traffic_of
from finegrain.planning import USUAL_RELIEF, plan_places

MACHINES = {
    "ring": 'kind = "torus"\nlengths = [8]',
    "fat tree": 'kind = "fat-tree"\ndown = [2, 4]\nup = [2]',
    "dragonfly": 'kind = "dragonfly"\ngroups = 2\nrouters_per_group = 2\nnodes_per_router = 2',
}


def machine(folder: Path, text: str, ranks_per_node: int = 1):
    path = folder / "machine.toml"
    path.write_text(
        f'[machine]\n{text}\n[allocation]\nnodes = "all"\nranks_per_node = {ranks_per_node}\n'
    )
    return read_machine(path)


def neighbours(ranks: int):
    """Return what ranks in a ring send to the next one: 1,000 bytes each."""
    senders = np.arange(ranks)
    return traffic_of(ranks, senders, (senders + 1) % ranks, [1000.0] * ranks, [2.0] * ranks)


def test_neighbours_on_a_ring_take_one_link_each(tmp_path):
    plan = plan_places(machine(tmp_path, MACHINES["ring"]), neighbours(8))
    native = plan.placements["native"].loads
    assert native["hop_bytes"] == 8000
    assert native["most_bytes"] == 1000  # the links back are idle
    assert native["mean_bytes"] == 500
    assert native["most_messages"] == 2
    random = plan.placements["random"].loads
    assert random["hop_bytes"] > 8000
    assert plan.placements["adapted"].loads["hop_bytes"] == 8000


@pytest.mark.parametrize("kind", MACHINES)
def test_the_adapted_placement_is_never_worse(kind, tmp_path):
    random = np.random.default_rng(3)
    traffic = traffic_of(
        8,
        random.integers(0, 8, 40),
        random.integers(0, 8, 40),
        random.integers(1, 10000, 40),
        np.ones(40),
    )
    plan = plan_places(machine(tmp_path, MACHINES[kind]), traffic, relief=0)
    found = {name: one.loads["hop_bytes"] for name, one in plan.placements.items()}
    assert found["adapted"] <= min(found.values())
    for one in plan.placements.values():
        assert sorted(one.place_of_rank) == list(range(8))


def test_relief_takes_bytes_off_the_heaviest_link_within_its_share(tmp_path):
    random = np.random.default_rng(5)
    traffic = traffic_of(
        48,
        random.integers(0, 48, 400),
        random.integers(0, 48, 400),
        random.integers(1, 10000, 400),
        np.ones(400),
    )
    mesh = machine(tmp_path, 'kind = "torus"\nlengths = [6, 8]\nwraps = [false, false]')
    without, usual, most = (
        plan_places(mesh, traffic, relief=relief).placements["adapted"].loads
        for relief in (0, USUAL_RELIEF, 0.3)
    )
    assert most["most_bytes"] < 0.95 * without["most_bytes"]
    assert usual["most_bytes"] < without["most_bytes"]
    assert usual["hop_bytes"] <= (1 + USUAL_RELIEF) * without["hop_bytes"]
    assert most["hop_bytes"] <= 1.3 * without["hop_bytes"]


@pytest.mark.parametrize("relief", [-0.1, 1.5, float("nan")])
def test_a_relief_that_is_no_share_is_refused(relief, tmp_path):
    with pytest.raises(InputError, match="is a share of the hop-bytes") as error:
        plan_places(machine(tmp_path, MACHINES["ring"]), neighbours(8), relief=relief)
    assert "0 to 1" in str(error.value)


def test_two_ranks_of_a_node_need_no_link(tmp_path):
    plan = plan_places(machine(tmp_path, MACHINES["ring"], 2), neighbours(16))
    assert plan.placements["native"].loads["hop_bytes"] == 8000
    assert plan.placements["adapted"].loads["hop_bytes"] == 8000


def test_holes_change_no_numbers_of_other_nodes(tmp_path):
    text = 'kind = "torus"\nlengths = [8]\nholes = ["0", "3"]'
    plan = plan_places(machine(tmp_path, text), neighbours(6))
    # Nodes 1 2 4 5 6 7: two ranks beside holes take two links.
    assert plan.placements["native"].loads["hop_bytes"] == 1000 * (1 + 2 + 1 + 1 + 1 + 2)
    hosts = [place.host for place in plan.rank_places("native")]
    assert hosts == ["node1", "node2", "node4", "node5", "node6", "node7"]


def test_cores_of_a_node_go_to_its_ranks_in_turn(tmp_path):
    plan = plan_places(machine(tmp_path, MACHINES["ring"], 2), neighbours(16))
    places = plan.rank_places("native", cores=3)
    assert [place.cores for place in places[:4]] == [(0, 1, 2), (3, 4, 5)] * 2


def test_more_ranks_than_places_are_refused(tmp_path):
    with pytest.raises(InputError, match="fewer places") as error:
        plan_places(machine(tmp_path, MACHINES["ring"]), neighbours(9))
    assert "9 ranks" in str(error.value)
