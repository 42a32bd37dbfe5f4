# SPDX-License-Identifier: BSD-3-Clause
"""A machine file of each kind, and what tests of refusals share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from finegrain.errors import InputError, Problem

TORUS = """\
[machine]
kind = "torus"
name = "a torus with holes"
lengths = [4, 3, 8]
wraps = [true, true, false]
nodes_per_router = 2
holes = ["3, 2, 0:8", "0, 0, 0, 1"]
routers_gone = ["3, 2, 7"]
hosts = "nid[00000-00191]"
link_bandwidth = ["9.4 GB/s", "4.7 GB/s", "9.4 GB/s"]
link_latency = "0.1 us"
injection_bandwidth = "6 GB/s"
injection_latency = "0.5 us"

[node]
sockets = 2
cores = 16
threads_per_core = 2

[allocation]
nodes = ["2, 0:3, 0:8", "nid[00000,00005]"]
ranks_per_node = 2
order = "cyclic"
"""
FAT_TREE = """\
[machine]
kind = "fat-tree"
down = [16, 4, 2]
up = [8, 2]
cables = [1, 2]
holes = ["100:128"]
link_bandwidth = "200 Gb/s"

[allocation]
nodes = ["0:32", "40"]
ranks_per_node = 4
"""
DRAGONFLY = """\
[machine]
kind = "dragonfly"
groups = 9
routers_per_group = 4
nodes_per_router = 2
links_per_pair_of_groups = 1
link_bandwidth = ["25 GB/s", "12.5 GB/s"]
link_latency = ["0.1 us", "0.3 us"]
"""
GRAPH = """\
[machine]
kind = "graph"
link_bandwidth = "12.5 GB/s"

[[switches]]
name = "leaf0"
nodes = "nid[001-004]"
links = ["spine[0-1]", "spine0"]

[[switches]]
name = "leaf1"
nodes = "nid[005-008]"
links = "spine[0-1]"
link_bandwidth = "25 GB/s"

[[switches]]
name = "spine0"

[[switches]]
name = "spine1"

[allocation]
nodes = ["nid[005-006]", "nid001"]
ranks_per_node = [2, 1, 3]
"""
NODE = """\
[machine]
kind = "node"

[node]
sockets = 2
cores = 64
threads_per_core = 2

[allocation]
ranks_per_node = 8
"""
ALL = {
    "torus": TORUS,
    "fat-tree": FAT_TREE,
    "dragonfly": DRAGONFLY,
    "graph": GRAPH,
    "node": NODE,
}


def problems_of(call: Callable[..., Any], *words: Any) -> list[Problem]:
    """Return the problems of a call that ends with an `InputError`."""
    with pytest.raises(InputError) as caught:
        call(*words)
    return caught.value.problems


def written(folder: Path, text: str, name: str = "machine.toml") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
