# SPDX-License-Identifier: BSD-3-Clause
"""Slurm's description of a network: topology.conf, or what ``scontrol show topology`` prints.

The plugins "tree" and "block" write down who is connected with whom. The plugin for tori of three
dimensions keeps an order of nodes and no coordinates, so there is nothing to read.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem, nearest
from finegrain.files.plain import plain_text
from finegrain.machines.graphs import MOST_SWITCHES, first_cut_off
from finegrain.machines.host_lists import ListError, host_names
from finegrain.machines.networks import Graph, Link

_most_problems = 20
_pair = re.compile(r"([A-Za-z]+)\s*=\s*(\S*)")
# Level and the sizes of blocks follow from the rest; the units of LinkSpeed are arbitrary.
_switch_keys = ("switchname", "switches", "nodes", "linkspeed", "level")
_block_keys = ("blockname", "nodes", "blocksizes", "blockindex", "blocksize")
_spelled = {
    "switchname": "SwitchName",
    "switches": "Switches",
    "nodes": "Nodes",
    "linkspeed": "LinkSpeed",
    "level": "Level",
    "blockname": "BlockName",
    "blocksizes": "BlockSizes",
    "blockindex": "BlockIndex",
    "blocksize": "BlockSize",
}
_example = "SwitchName=leaf1 Nodes=nid[001-016]"


@dataclass
class _Line:
    place: str
    switches: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)


@dataclass
class _Tree:
    lines: dict[str, _Line] = field(default_factory=dict)  # of switches, by name
    blocks: bool = False
    problems: list[Problem] = field(default_factory=list)


def read_topology(path: str | os.PathLike[str]) -> tuple[Graph, tuple[str, ...]]:
    """Read topology.conf.

    Returns
    -------
    Graph
        Each switch, or each block and one switch above all blocks.
    tuple of str
        The host of each node.

    Raises
    ------
    InputError
        With all problems of the file.
    """
    file = as_path(path)
    try:
        text = plain_text(file)
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", where=str(file), source=file.name) from None
    except OSError as error:
        what = f"cannot be read: {(error.strerror or str(error)).lower()}"
        hint = "write it with: scontrol show topology > topology.conf"
        raise InputError(what, where=str(file), hint=hint, source=file.name) from None
    tree = _parsed(text, file.name)
    if not tree.problems:
        found = _graph(tree, file.name)
        if found is not None:
            return found
    raise InputError(tree.problems[:_most_problems], source=file.name)


def _parsed(text: str, name: str) -> _Tree:
    tree = _Tree()
    for place, line in _logical_lines(text, name):
        if len(tree.problems) < _most_problems:
            _read_line(line, place, tree)
    if not tree.lines and not tree.problems:
        hint = f"a line is such as {_example}; Slurm's plugin for tori keeps no coordinates here: "
        hint += "write a machine file with the torus"
        tree.problems.append(Problem("names no switch", name, hint=hint))
    return tree


def _logical_lines(text: str, name: str) -> list[tuple[str, str]]:
    """Return lines without comments, and with those that end in a backslash joined."""
    found, begun, first = [], "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        first = first if begun else number
        begun += " " + line.partition("#")[0].strip()
        if begun.endswith("\\"):
            begun = begun[:-1] + " "
            continue
        if begun.strip():
            found.append((f"{name}:{first}", begun.strip()))
        begun = ""
    if begun.strip():
        found.append((f"{name}:{first}", begun.strip()))
    return found


def _read_line(line: str, place: str, tree: _Tree) -> None:
    shown = line[:80]

    def say(what: str, value: str = shown, limit: str = "", hint: str = "") -> None:
        tree.problems.append(Problem(what, place, value, limit, hint))

    rest = _pair.sub("", line).strip()
    if rest:
        yaml = line.endswith(":") or line.startswith("-")
        hint = f"a line is such as {_example}"
        if yaml:
            hint = "it looks like YAML: write it with: scontrol show topology > topology.conf"
        say("is no line of a topology", hint=hint)
        return
    given: dict[str, str] = {}
    for key, value in _pair.findall(line):
        if key.lower() in given:
            say(f"has {key} twice", hint="keep one of the two")
        given[key.lower()] = value
    block = "blockname" in given or "blocksizes" in given
    known = _block_keys if block else _switch_keys
    for key in given:
        if key not in known:
            close = nearest(key, known)
            words = ", ".join(_spelled[one] for one in known)
            hint = f"did you mean {_spelled[close]}?" if close else f"keys are {words}"
            say(f"has an unknown key: {key}", hint=hint)
            return
    if set(given) <= {"blocksizes"}:
        return
    key = "blockname" if block else "switchname"
    if not given.get(key):
        say(f"has no {_spelled[key]}", hint=f"a line is such as {_example}")
        return
    if tree.lines and tree.blocks != block:
        hint = "a topology has one of the two"
        say("mixes lines of switches with lines of blocks", hint=hint)
        return
    tree.blocks = block
    one = _Line(place, _names(given, "switches", say), _names(given, "nodes", say))
    if "switches" not in given and "nodes" not in given:
        say("has neither Nodes nor Switches", hint=f"a line is such as {_example}")
    for switch in _names(given, key, say):
        if switch in tree.lines:
            hint = f"keep one of the two; the other is {tree.lines[switch].place}"
            say(f"is a second {'block' if block else 'switch'} of this name", switch, hint=hint)
        else:
            tree.lines[switch] = one


def _names(given: dict[str, str], key: str, say: object) -> list[str]:
    if key not in given or (given[key] in ("", "(null)") and key != "nodes"):
        return []
    try:
        return host_names(given[key])
    except ListError as error:
        assert callable(say)
        say(error.what, f"{_spelled[key]}={error.value}", error.limit, error.hint)
        return []


def _graph(tree: _Tree, name: str) -> tuple[Graph, tuple[str, ...]] | None:
    names = [*tree.lines]
    if len(names) >= MOST_SWITCHES:
        what, limit = f"has {len(names):,} switches", f"less than {MOST_SWITCHES:,}"
        hint = "take only the lines of the switches that the job needs"
        tree.problems.append(Problem(what, name, "", limit, hint))
        return None
    if tree.blocks and len(names) > 1:
        above = "above all blocks"
        tree.lines[above] = _Line(name, switches=names[:])
        names.append(above)
    numbers = {switch: number for number, switch in enumerate(names)}
    links: dict[tuple[int, int], Link] = {}
    leaf_of: dict[str, int] = {}
    named_above: set[str] = set()
    for switch, line in tree.lines.items():
        for child in line.switches:
            if len(tree.problems) >= _most_problems:
                return None
            if child not in numbers or child == switch:
                close = nearest(child, numbers)
                hint = f"did you mean {close}?" if close else "add its line"
                what = "has itself below it" if child == switch else f"names no switch: {child}"
                tree.problems.append(Problem(what, line.place, switch, hint=hint))
                continue
            ends = (min(numbers[switch], numbers[child]), max(numbers[switch], numbers[child]))
            links[ends] = Link(ends)
            named_above.add(child)
    # Switches above others may repeat the nodes of those, as `scontrol` prints them.
    for switch in sorted(names, key=lambda one: bool(tree.lines[one].switches)):
        line = tree.lines[switch]
        for host in line.nodes:
            other = leaf_of.get(host)
            if other is None and not line.switches:
                leaf_of[host] = numbers[switch]
            elif other is None:
                hint = "name it at a switch that has no switches below it"
                what = f"has node {host}, which no switch below it has"
                tree.problems.append(Problem(what, line.place, switch, hint=hint))
                break
            elif not line.switches:
                hint = f"take it out here, or at {names[other]}"
                what = f"has node {host}, which another switch has"
                tree.problems.append(Problem(what, line.place, switch, hint=hint))
                break
    cut = first_cut_off(len(names), [*links.values()])
    if cut is not None:
        what = f"has no way to {names[0]}: the network is not connected"
        hint = "add a switch above both; a job cannot use nodes of both"
        problem = Problem(what, tree.lines[names[cut]].place, names[cut], hint=hint)
        tree.problems.append(problem)
    if not leaf_of and not tree.problems:
        hint = f"a line is such as {_example}"
        tree.problems.append(Problem("names no node", name, hint=hint))
    if tree.problems:
        return None
    hosts = sorted(leaf_of, key=lambda host: leaf_of[host])  # stable: switch by switch
    graph = Graph(tuple(names), tuple(links.values()), tuple(leaf_of[host] for host in hosts))
    return graph, tuple(hosts)
