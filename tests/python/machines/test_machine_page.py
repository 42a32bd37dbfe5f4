# SPDX-License-Identifier: BSD-3-Clause
"""docs/reference/machine-file.md says what the reader does: its examples, keys and lists."""

import re
from pathlib import Path

import pytest
from machine_texts import written

from finegrain.machines import read_machine, read_matrix
from finegrain.machines.description import USUAL_BANDWIDTH, USUAL_LATENCY, USUAL_PROCESSING
from finegrain.machines.host_lists import host_names
from finegrain.machines.input.keys import KINDS, AllocationKeys, MachineKeys, NodeKeys, SwitchKeys

PAGE = (Path(__file__).parents[3] / "docs/reference/machine-file.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
TABLES = {"[machine]": MachineKeys, "[node]": NodeKeys, "[allocation]": AllocationKeys}


def test_there_is_an_example_for_each_kind():
    kinds = [re.search(r'kind = "([^"]*)"', text)[1] for text in EXAMPLES]
    assert kinds == list(KINDS)


# Kind, nodes, holes and ranks: by hand from the text of each example.
FACTS = [
    ("torus", 4 * 3 * 8 * 2, 2 * 8 * 2, 4 * 3 * 8 * 2 - 32),
    ("fat-tree", 32 * 18, 0, 64 * 2),
    ("dragonfly", 9 * 16 * 16, 0, 9 * 16 * 16),
    ("graph", 32, 0, 32),
    ("node", 1, 0, 8),
]


@pytest.mark.parametrize("number", range(len(FACTS)))
def test_examples_are_the_machines_that_the_page_says(tmp_path, number):
    machine = read_machine(written(tmp_path, EXAMPLES[number]))
    found = (machine.kind, machine.nodes, len(machine.holes), machine.ranks)
    assert found == FACTS[number]


def test_the_fat_tree_has_the_switches_that_the_page_says(tmp_path):
    assert read_machine(written(tmp_path, EXAMPLES[1])).network.switches == (18, 16)


def rows(text: str) -> list[str]:
    """Return the keys in the tables of a part of the page."""
    return re.findall(r"^\| `(\w+)` \|.*\|.*\|.*\|$", text, re.MULTILINE)


def test_the_page_lists_all_keys_and_no_others():
    parts = dict(re.findall(r"^## (\[\w+\])\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
    machine, _, rest = parts["[machine]"].partition("### Any graph of switches")
    assert rows(rest.partition("### One node")[0]) == list(SwitchKeys.model_fields)
    parts["[machine]"] = machine
    for name, model in TABLES.items():
        assert set(rows(parts[name])) == set(model.model_fields), name


def test_defaults_are_those_of_the_page():
    for unit, value in (
        ("bandwidth", f"{USUAL_BANDWIDTH} GB/s"),
        ("latency", f"{USUAL_LATENCY} us"),
    ):
        for of in ("link", "injection"):
            row = re.search(rf"^\| `{of}_{unit}` .*$", PAGE, re.MULTILINE)[0]
            assert row.endswith(f'`"{value}"` |')
    for key in ("send_time", "receive_time"):
        row = re.search(rf"^\| `{key}` .*$", PAGE, re.MULTILINE)[0]
        assert row.endswith(f'`"{USUAL_PROCESSING} us"` |')


def test_the_list_of_hosts_is_that_of_the_page():
    text, names = re.search(r"^`(\S+)` is six hosts: (.*?)\.$", PAGE, re.M | re.S).groups()
    assert host_names(text) == re.findall(r"`(\w+)`", names)


def test_the_matrix_of_the_page_is_read(tmp_path):
    text = re.search(r"```\n(# from to.*?)```", PAGE, re.DOTALL)[1]
    traffic = read_matrix(written(tmp_path, text))
    assert (traffic.ranks, traffic.bytes.tolist()) == (2, [65536, 65536])
    assert traffic.messages.tolist() == [4, 4]


# The table of ways to name nodes, on a torus of 5 x 6 x 24 routers of two nodes.
PLACES = {
    '"0:64"': 64,
    '"3, 4, 17"': 2,
    '"3, 4, 0:24"': 48,
    '"3, :, 2:"': 2 * 6 * 22,
    '"3, 4, 17, 1"': 1,
    '"nid[001-004]"': 4,
    '"17"': 1,
    "17": 1,
}


@pytest.mark.parametrize("place", PLACES)
def test_ways_to_name_nodes(tmp_path, place):
    assert f"`{place}`" in PAGE
    text = '[machine]\nkind = "torus"\nlengths = [5, 6, 24]\nnodes_per_router = 2\n'
    text += f'hosts = "nid[0001-1440]"\n[allocation]\nnodes = [{place}]\n'
    text = text.replace("nid[0001-1440]", "nid[001-999],nid[1000-1440]")
    assert len(read_machine(written(tmp_path, text)).allocation.nodes) == PLACES[place]
