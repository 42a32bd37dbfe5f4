# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong with a machine file is reported at once, each with line, value and remedy."""

import pytest
from machine_texts import ALL, DRAGONFLY, FAT_TREE, GRAPH, NODE, TORUS, problems_of, written

from finegrain.machines import read_machine

# The file, what is replaced by what; then the line, and words of the complaint, limit and hint.
CASES = {
    "a key with a typing error": (TORUS, "wraps =", "wrap =", 5, "unknown key", "did you mean"),
    "a kind with a typing error": (TORUS, '"torus"', '"taurus"', 2, "not a known value", '"torus"'),
    "no lengths": (TORUS, "lengths = [4, 3, 8]", "", 1, "missing key", "lengths = [8, 8, 8]"),
    "a length of 0": (TORUS, "[4, 3, 8]", "[4, 0, 8]", 4, "out of range", "at least 1"),
    "too many dimensions": (TORUS, "[4, 3, 8]", f"{[1] * 17}", 4, "needs 16 values", "such as"),
    "a huge torus": (TORUS, "[4, 3, 8]", "[4000, 3000, 8]", 1, "nodes", "4,194,304"),
    "too many links": (
        TORUS,
        "[4, 3, 8]\nwraps = [true, true, false]\nnodes_per_router = 2",
        "[4194304, 1, 1, 1, 1, 1, 1, 1, 1]",
        1,
        "has 75,497,472 links",
        "at most 16,777,216",
    ),
    "wraps of another number": (TORUS, "[true, true, false]", "[true, true]", 5, "2 values", "3"),
    "wraps that are numbers": (TORUS, "[true, true, false]", "[1, 1, 0]", 5, "not true", "true,"),
    "a hole outside": (TORUS, '"3, 2, 0:8"', '"4, 2, 0:8"', 7, "outside", "coordinate 0 is 0 to 3"),
    "a range too long": (TORUS, '"3, 2, 0:8"', '"3, 2, 0:9"', 7, "outside", '"0:8" is all'),
    "a hole twice": (TORUS, '"0, 0, 0, 1"', '"3, 2, 4"', 7, "(3, 2, 4) twice", "once"),
    "a hole of two coordinates": (TORUS, '"0, 0, 0, 1"', '"0, 0"', 7, "no place", "3 coordinates"),
    "a hole of words": (TORUS, '"0, 0, 0, 1"', '"nid00900"', 7, "no host of", "did you mean nid"),
    "holes everywhere": (TORUS, '["3, 2, 0:8", "0, 0, 0, 1"]', '":"', 7, "leave no node", "fewer"),
    "a router cut off": (
        TORUS,
        'routers_gone = ["3, 2, 7"]',
        'routers_gone = ["0:3, 0:3, 6", "3, 0:3, 6"]',
        8,
        "(0, 0, 7) without a way",
        "name that router as well",
    ),
    "too few hosts": (TORUS, "00191]", "00190]", 9, "names 191 hosts", "192, one for each node"),
    "a host twice": (TORUS, "[00000-00191]", "[0-190,7]", 9, "names nid7 twice", "own name"),
    "a bracket without its half": (TORUS, "00191]", "00191", 9, "bracket", "nid[001-004,007]"),
    "speeds of another number": (TORUS, '"9.4 GB/s", "4.7', '"4.7', 10, "2 values", "dimension 2"),
    "a speed without a unit": (TORUS, '"6 GB/s"', "6", 12, "has no unit", "6 GB/s"),
    "a speed in another unit": (TORUS, '"6 GB/s"', '"6 GB"', 12, "not the unit", "25 GB/s"),
    "a negative latency": (TORUS, '"0.5 us"', '"-1 us"', 13, "not be negative", "1.2 us"),
    "a latency of an hour": (TORUS, '"0.5 us"', '"1 h"', 13, "out of range", "at most 1 s"),
    "cores that do not fill": (TORUS, "cores = 16", "cores = 15", 17, "do not fill", "multiple"),
    "no sockets": (TORUS, "sockets = 2", "sockets = 0", 16, "out of range", "at least 1"),
    "a core without speed": (NODE, "sockets = 2", "core_speed = 0", 5, "out of range", "at least"),
    "a speed in words": (
        NODE,
        "sockets = 2",
        'core_speed = "fast"',
        5,
        "not a",
        "core_speed = 0.5",
    ),
    "a core of no number": (NODE, "sockets = 2", "core_speed = nan", 5, "", "core_speed = 0.5"),
    "a time of no unit": (NODE, "sockets = 2", "send_time = 0.4", 5, "has no unit", "us"),
    "a negative time": (NODE, "sockets = 2", 'receive_time = "-1 us"', 5, "not be negative", "us"),
    "no copies": (NODE, "sockets = 2", 'copy_bandwidth = "0 GB/s"', 5, "must be positive", "GB/s"),
    "a node twice in the job": (TORUS, '"2, 0:3', '"nid00005", "2, 0:3', 21, "twice", "once"),
    "a hole in the job": (TORUS, '"2, 0:3', '"nid00180", "2, 0:3', 21, "names a hole", "node 180"),
    "a node outside in the job": (TORUS, '"2, 0:3', '192, "2, 0:3', 21, "outside", "0 to 191"),
    "an empty job": (TORUS, '["2, 0:3, 0:8", "nid[00000,00005]"]', "[]", 21, "no node", '"all"'),
    "ranks for other nodes": (
        TORUS,
        "ranks_per_node = 2",
        "ranks_per_node = [2, 3]",
        22,
        "2",
        "50",
    ),
    "no rank on a node": (TORUS, "ranks_per_node = 2", "ranks_per_node = 0", 22, "range", "1 to"),
    "an order of another name": (TORUS, '"cyclic"', '"cycle"', 23, "not a known", '"cyclic"'),
    "a key of another kind": (FAT_TREE, "down =", "groups = 2\ndown =", 3, "no use", "dragonfly"),
    "levels that do not match": (FAT_TREE, "up = [8, 2]", "up = [8]", 4, "1 values", "2: one for"),
    "too many switches": (FAT_TREE, "[8, 2]", "[3000, 3000]", 4, "too many switches", "at most"),
    "a hole beside a tree": (FAT_TREE, "100:128", "100:129", 6, "outside", "nodes are 0 to 127"),
    "coordinates in a tree": (FAT_TREE, "100:128", "1, 2", 6, "no place", "a number or a range"),
    "hosts without names": (FAT_TREE, '"40"', '"nid40"', 10, "no names", "add machine.hosts"),
    "links of the other style": (
        DRAGONFLY,
        "links_per_pair_of_groups",
        "global_links",
        6,
        "un",
        "per_pair",
    ),
    "no groups": (DRAGONFLY, "groups = 9\n", "", 1, "missing key", "groups = 9"),
    "three speeds of two": (DRAGONFLY, '["25 GB/s", ', '["1 GB/s", "2 GB/s", ', 7, "3", "between"),
    "a link to nowhere": (GRAPH, '"spine[0-1]", "spine0"', '"spine[0-2]"', 8, "spine2", "spine"),
    "links to nowhere": (GRAPH, "spine[0-1]", "spine[0-9999]", 8, "spine2 and 9,997 more", "spine"),
    "a link from both ends": (
        GRAPH,
        '"spine0"\n',
        '"spine0"\nlinks = "leaf1"\n',
        18,
        "second",
        "one end",
    ),
    "a link to itself": (GRAPH, '"spine0"\n', '"spine0"\nlinks = "spine0"\n', 18, "itself", "out"),
    "a switch twice": (GRAPH, 'name = "spine1"', 'name = "spine0"', 20, "two switches", "line 17"),
    "a node at two switches": (GRAPH, "005-008", "004-008", 12, "nid004", "one of its switches"),
    "no switch": ('[machine]\nkind = "graph"\n', "", "", 1, "has no switches", "[[switches]]"),
    "switches of a torus": (
        TORUS,
        "[node]",
        '[[switches]]\nname = "a"\n[node]',
        15,
        "no use",
        "graph",
    ),
    "hosts beside switches": (
        GRAPH,
        'kind = "graph"',
        'kind = "graph"\nhosts = "a[1-8]"',
        3,
        "",
        "",
    ),
    "links of one node": (
        NODE,
        '"node"',
        '"node"\nlink_latency = "1 us"',
        3,
        "no use",
        "no network",
    ),
    "a section of another name": (NODE, "[node]", "[nodes]", 4, "unknown section", "[node]"),
    "no machine": (NODE, '[machine]\nkind = "node"', "", 1, "missing section", "machine-file.md"),
    "no TOML": (NODE, '"node"', "node", 2, "is not valid TOML", "quotes"),
    "a list of numbers for a name": (
        NODE,
        'kind = "node"',
        'kind = "node"\nname = 3',
        3,
        "not text",
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_file_is_refused_with_line_and_remedy(tmp_path, case):
    text, old, new, line, said, remedy = CASES[case]
    assert old in text
    found = problems_of(read_machine, written(tmp_path, text.replace(old, new, 1)))
    fits = [
        one
        for one in found
        if one.where in (f"machine.toml:{line}", "machine.toml")
        and said in f"{one.what} {one.value}"
        and remedy in f"{one.limit} {one.hint} {one.what}"
    ]
    assert fits, found
    assert all(one.hint or one.limit for one in fits)


def test_all_problems_come_at_once(tmp_path):
    text = TORUS
    for old, new in (
        ("[true, true, false]", "[true, true]"),
        ("0:8", "0:9"),
        ('"6 GB/s"', "6"),
        ("cores = 16", "cores = 15"),
        ('"cyclic"', '"cycle"'),
        ("nid[00000,00005]", "nid[00000,00500]"),
    ):
        text = text.replace(old, new, 1)
    found = problems_of(read_machine, written(tmp_path, text))
    lines = [int(one.where.partition(":")[2]) for one in found]
    assert lines == [5, 7, 12, 17, 21, 23]  # in the order of the file


def test_a_disconnected_graph_is_refused(tmp_path):
    text = GRAPH.replace('links = ["spine[0-1]", "spine0"]', 'links = ["spine0"]')
    text = text.replace('links = "spine[0-1]"', 'links = "spine1"')
    (found,) = problems_of(read_machine, written(tmp_path, text))
    assert found.where == "machine.toml:10"
    assert found.what == "leaf1 has no way to leaf0: the network is not connected"


@pytest.mark.parametrize("kind", ALL)
def test_every_key_of_the_tables_is_checked_for_its_type(tmp_path, kind):
    """A table in the place of any value is a problem at its line, and no other error."""
    lines = ALL[kind].splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if equals:
            changed = [*lines[:number], f"{key} = {{ a = 1 }}", *lines[number + 1 :]]
            found = problems_of(read_machine, written(tmp_path, "\n".join(changed)))
            assert any(one.where == f"machine.toml:{number + 1}" for one in found), (line, found)


def test_no_file(tmp_path):
    (found,) = problems_of(read_machine, tmp_path / "none.toml")
    assert found.what == "cannot be read: no such file or directory"
    assert "machine-file.md" in found.hint


COORDINATES = {
    "a 0 0\nb 0 0\n": (2, "are the coordinates of two nodes", "line 1"),
    "a 0 0\na 0 1\n": (2, "is given twice", "line 1"),
    "a 0 2\n": (1, "is outside the machine", "2 is above 1"),
    "a 0 0 0\n": (1, "has 4 words", "3: a host, 2 coordinates"),
    "a 0 x\n": (1, "x is no coordinate", "whole numbers"),
    "a[0-1] 0 0\n": (1, "names several hosts", "a line"),
    "a -1 0\n": (1, "-1 is no coordinate", "whole numbers"),
    "# nothing\n": (None, "names no node", "host and its coordinates"),
}


@pytest.mark.parametrize("text", COORDINATES)
def test_wrong_files_of_coordinates(tmp_path, text):
    line, what, remedy = COORDINATES[text]
    written(tmp_path, text, "places.txt")
    machine = '[machine]\nkind = "torus"\nlengths = [2, 2]\ncoordinates = "places.txt"\n'
    found = problems_of(read_machine, written(tmp_path, machine))[0]
    assert found.where == ("places.txt" if line is None else f"places.txt:{line}")
    assert found.what == what
    assert remedy in f"{found.limit} {found.hint}"


def test_a_file_of_coordinates_that_is_not_there(tmp_path):
    machine = '[machine]\nkind = "torus"\nlengths = [2, 2]\ncoordinates = "places.txt"\n'
    found = problems_of(read_machine, written(tmp_path, machine))[0]
    assert (found.where, found.what) == (
        "machine.toml:4",
        "cannot be read: no such file or directory",
    )
