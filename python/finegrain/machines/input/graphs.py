# SPDX-License-Identifier: BSD-3-Clause
"""The network of a machine file with kind = "graph": its tables [[switches]]."""

from __future__ import annotations

from finegrain.errors import Problem, nearest
from finegrain.machines.graphs import MOST_SWITCHES, first_cut_off
from finegrain.machines.host_lists import MOST_NODES, ListError, host_names
from finegrain.machines.input.keys import MachineFile, Places
from finegrain.machines.networks import Graph, Link
from finegrain.toml_input.source import TomlSource


def graph_of(source: TomlSource, model: MachineFile, problems: list[Problem]) -> Graph | None:
    """Return the graph; what is wrong with it goes into `problems`."""
    if not model.switches:
        if "switches" not in source.data:
            hint = "add a table [[switches]] for each switch, with its name, nodes and links"
            place = source.place("machine")
            problems.append(Problem("has no switches", place, "[[switches]]", hint=hint))
        return None
    if len(model.switches) > MOST_SWITCHES:
        what, hint = f"are {len(model.switches):,}", "describe a torus, a fat tree or a dragonfly"
        place, limit = source.place("switches.0"), f"at most {MOST_SWITCHES:,}"
        problems.append(Problem(what, place, "[[switches]]", limit, hint))
        return None
    before = len(problems)
    numbers = _numbers(source, model, problems)
    links = _links(source, model, numbers, problems)
    switch_of: dict[str, int] = {}
    for number, switch in enumerate(model.switches):
        key = f"switches.{number}.nodes"
        for name in _names(source, key, switch.nodes, problems, counted=switch.name):
            if switch_of.setdefault(name, number) != number:
                hint = "name it at one of its switches"
                what = f"names node {name}, which another switch has"
                problems.append(source.problem(key, what, hint=hint))
                break
    if len(problems) > before:
        return None
    names = tuple(switch.name for switch in model.switches)
    if not switch_of:
        hint = 'such as nodes = "nid[001-016]", or nodes = 16'
        key = "switches.0.nodes"
        problems.append(Problem("no switch has a node", source.place(key), key, hint=hint))
        return None
    if (cut := first_cut_off(len(names), links)) is not None:
        what = f"{names[cut]} has no way to {names[0]}: the network is not connected"
        hint = "add the link that is missing, or take the switch out"
        where = source.place(f"switches.{cut}")
        problems.append(Problem(what, where, f"switches.{cut}", hint=hint))
        return None
    return Graph(names, tuple(links), tuple(switch_of.values()))


def hosts_of_switches(source: TomlSource, model: MachineFile) -> tuple[str, ...]:
    """Return the names of all nodes of a graph that has been checked."""
    return tuple(
        name
        for place, switch in enumerate(model.switches)
        for name in _names(source, f"switches.{place}.nodes", switch.nodes, [], counted=switch.name)
    )


def _numbers(source: TomlSource, model: MachineFile, problems: list[Problem]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for place, switch in enumerate(model.switches):
        if switch.name in numbers:
            line = source.line_of(f"switches.{numbers[switch.name]}.name")
            hint = f"give each switch its own name; the other is on line {line}"
            key = f"switches.{place}.name"
            problems.append(source.problem(key, "is the name of two switches", hint=hint))
        numbers.setdefault(switch.name, place)
    return numbers


def _links(
    source: TomlSource, model: MachineFile, numbers: dict[str, int], problems: list[Problem]
) -> list[Link]:
    """Return a link for each pair of connected switches, in the order of the file."""
    found: dict[tuple[int, int], tuple[int, int]] = {}  # ends to the naming switch and the cables
    for place, switch in enumerate(model.switches):
        key = f"switches.{place}.links"
        names = _names(source, key, switch.links, problems)
        if unknown := [name for name in names if name not in numbers]:
            more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
            close = nearest(unknown[0], numbers)
            hint = f"did you mean {close}?" if close else "name a switch of this file"
            problems.append(source.problem(key, f"names no switch: {unknown[0]}{more}", hint=hint))
            continue
        for name in names:
            other = numbers[name]
            ends = (min(place, other), max(place, other))
            if place == other:
                hint = "take it out"
                problems.append(source.problem(key, "is a link to itself", hint=hint))
            elif ends in found and found[ends][0] != place:
                hint = "name a link at one end; name it twice there if there are two cables"
                what = f"names the link with {name} a second time"
                problems.append(source.problem(key, what, hint=hint))
            else:
                found[ends] = (place, found[ends][1] + 1 if ends in found else 1)
    speeds = [switch.link_bandwidth for switch in model.switches]
    return [
        Link(ends, cables, one.value if (one := speeds[at]) is not None else None)
        for ends, (at, cables) in found.items()
    ]


def _names(
    source: TomlSource, key: str, given: Places, problems: list[Problem], counted: str = ""
) -> list[str]:
    """Return names; a whole number stands for that many nodes of the switch `counted`."""
    found: list[str] = []
    for text in given:
        if isinstance(text, int):
            if counted and len(given) == 1 and 0 <= text <= MOST_NODES:
                return [f"{counted}-{number}" for number in range(text)]
            hint = "write names in quotes, or one whole number: how many nodes the switch has"
            problems.append(source.problem(key, "holds what is no name", hint=hint))
            continue
        try:
            found += host_names(text)
        except ListError as error:
            place, value = source.place(key), f"{key} = {error.value}"
            problems.append(Problem(error.what, place, value, error.limit, error.hint))
    return found
