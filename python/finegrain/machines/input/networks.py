# SPDX-License-Identifier: BSD-3-Clause
"""From the keys of a machine file to its network."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from finegrain.base.connected import connected
from finegrain.errors import Problem
from finegrain.machines.host_lists import MOST_NODES
from finegrain.machines.input.graphs import graph_of
from finegrain.machines.input.keys import MachineFile
from finegrain.machines.input.places import NamedNodes
from finegrain.machines.networks import Dragonfly, FatTree, Network, OneNode, Torus
from finegrain.toml_input.source import TomlSource

# The keys of each kind, in addition to those of all kinds. The first ones are needed.
OWN_KEYS = {
    "torus": (("lengths",), ("wraps", "nodes_per_router", "routers_gone", "coordinates")),
    "fat-tree": (("down", "up"), ("cables",)),
    "dragonfly": (
        ("groups", "routers_per_group", "nodes_per_router"),
        ("links_per_pair_of_groups",),
    ),
    "graph": ((), ()),
    "node": ((), ()),
}
MOST_LINKS = 1 << 24  # each of one direction: the engine's limit
# Keys of all kinds that have no use without links.
_of_links = ("link_bandwidth", "link_latency", "injection_bandwidth", "injection_latency", "holes")


def network_of(source: TomlSource, model: MachineFile, problems: list[Problem]) -> Network | None:
    """Return the network; None if keys are missing or wrong, with what is wrong in `problems`."""
    kind: str = model.machine.kind
    problems += _without_use(source, kind)
    needed = OWN_KEYS[kind][0]
    absent = [key for key in needed if getattr(model.machine, key) is None]
    for key in absent:
        if not source.written(f"machine.{key}"):  # otherwise it is wrong, and named
            example = (type(model.machine).model_fields[key].examples or [""])[0]
            place = source.place("machine")
            hint = f"such as {key} = {example}"
            problems.append(Problem("missing key", place, f"machine.{key}", hint=hint))
    if absent:
        return None
    found: Network | None = OneNode()
    if kind in _MAKERS:
        found = _MAKERS[kind](source, model, problems)
    if found is not None and found.nodes > MOST_NODES:
        hint = "describe a smaller machine"
        what, limit = f"has {found.nodes:,} nodes", f"at most {MOST_NODES:,}"
        problems.append(Problem(what, source.place("machine"), "machine", limit, hint))
        return None
    if isinstance(found, Torus | FatTree | Dragonfly) and found.links > MOST_LINKS:
        hint = "describe a smaller machine"
        what, limit = f"has {found.links:,} links", f"at most {MOST_LINKS:,}"
        problems.append(Problem(what, source.place("machine"), "machine", limit, hint))
        return None
    return found


def _without_use(source: TomlSource, kind: str) -> list[Problem]:
    """Find keys of other kinds; silence would hide a mistake."""
    own = {key for keys in OWN_KEYS[kind] for key in keys}
    others = {key: name for name, groups in OWN_KEYS.items() for keys in groups for key in keys}
    found = []
    for key in others.keys() - own if "machine" in source.data else ():
        if key in source.data["machine"]:
            kinds = [name for name, keys in OWN_KEYS.items() if key in (*keys[0], *keys[1])]
            what = f'has no use with kind = "{kind}"'
            hint = f"take it out; it goes with {', '.join(kinds)}"
            found.append(source.problem(f"machine.{key}", what, hint=hint))
    if kind == "node":
        for key in _of_links:
            if key in source.data["machine"]:
                hint = "take it out; one node alone has no network"
                what = 'has no use with kind = "node"'
                found.append(source.problem(f"machine.{key}", what, hint=hint))
    if kind != "graph" and "switches" in source.data:
        what = f'have no use with kind = "{kind}"'
        hint = "take them out; they go with graph"
        found.append(Problem(what, source.place("switches"), "[[switches]]", hint=hint))
    return found


def _torus(source: TomlSource, model: MachineFile, problems: list[Problem]) -> Torus | None:
    keys = model.machine
    assert keys.lengths is not None
    wraps = keys.wraps or (True,)
    if len(wraps) == 1:
        wraps *= len(keys.lengths)
    elif len(wraps) != len(keys.lengths):
        count = len(keys.lengths)
        what, limit = f"has {len(wraps)} values", f"one, or {count}: one for each of the lengths"
        problems.append(source.problem("machine.wraps", what, limit=limit, hint=_as_many(count)))
        wraps = (True,) * count
    torus = Torus(tuple(keys.lengths), wraps, keys.nodes_per_router or 1)
    if torus.nodes > MOST_NODES or not keys.routers_gone:
        return torus
    # Routers are named as the nodes of a torus with one node at each.
    plain = Torus(torus.lengths, torus.wraps)
    named = NamedNodes(source, "machine.routers_gone", plain)
    gone = tuple(sorted(named.read(keys.routers_gone)))
    problems += named.problems
    if not named.problems and (cut := _first_cut_off(plain, gone)) is not None:
        at = ", ".join(map(str, torus.coordinates_of(cut * torus.nodes_per_router)))
        what = f"leaves the router at ({at}) without a way to the first one"
        hint = "name that router as well, or fewer others"
        problems.append(source.problem("machine.routers_gone", what, hint=hint))
    return Torus(torus.lengths, torus.wraps, torus.nodes_per_router, gone)


def _as_many(count: int) -> str:
    return f"give {count} values, or one for all"


def _first_cut_off(torus: Torus, gone: tuple[int, ...]) -> int | None:
    """Return a router without a way to the first that is left; None if there is none."""
    there = np.ones(torus.routers, dtype=bool)
    there[list(gone)] = False
    left = np.flatnonzero(there)
    if not len(left):
        return 0
    numbers = np.arange(torus.routers).reshape(torus.lengths)
    pairs = []
    for axis, wraps in enumerate(torus.wraps):
        following = np.roll(numbers, -1, axis)
        inside = slice(None) if wraps else slice(0, -1)
        at = (*(slice(None),) * axis, inside)
        pairs.append(np.stack([numbers[at].ravel(), following[at].ravel()], axis=1))
    links = np.concatenate(pairs)
    label = connected(torus.routers, links[there[links].all(axis=1)])
    apart = left[label[left] != label[left[0]]]
    return int(apart[0]) if len(apart) else None


def _fat_tree(source: TomlSource, model: MachineFile, problems: list[Problem]) -> FatTree | None:
    keys = model.machine
    assert keys.down is not None
    assert keys.up is not None
    levels = len(keys.down)
    links = {"up": keys.up, "cables": keys.cables or [1] * (levels - 1)}
    for name, values in links.items():
        if len(values) != levels - 1:
            what = f"has {len(values)} values, beside {levels} of machine.down"
            limit = f"{levels - 1}: one for each level of switches but the highest"
            hint = "down = [32, 18] goes with up = [16]"
            problems.append(source.problem(f"machine.{name}", what, limit=limit, hint=hint))
            links[name] = [1] * (levels - 1)
    tree = FatTree(tuple(keys.down), tuple(links["up"]), tuple(links["cables"]))
    if max(tree.switches) > MOST_NODES or math.prod(tree.up) > MOST_NODES:
        what, limit = "makes too many switches", f"at most {MOST_NODES:,} in a level"
        problems.append(
            source.problem("machine.up", what, limit=limit, hint="give smaller numbers")
        )
        return None
    return tree


def _dragonfly(source: TomlSource, model: MachineFile, problems: list[Problem]) -> Dragonfly | None:
    keys = model.machine
    assert keys.groups is not None
    assert keys.routers_per_group is not None
    assert keys.nodes_per_router is not None
    links = keys.links_per_pair_of_groups or 1
    if (keys.groups - 1) * links > MOST_NODES:
        key, limit = "machine.links_per_pair_of_groups", f"at most {MOST_NODES:,} of a group"
        hint = "give smaller numbers"
        problems.append(source.problem(key, "makes too many links", limit=limit, hint=hint))
        return None
    return Dragonfly(keys.groups, keys.routers_per_group, keys.nodes_per_router, links)


_MAKERS: dict[str, Callable[[TomlSource, MachineFile, list[Problem]], Any]] = {
    "torus": _torus,
    "fat-tree": _fat_tree,
    "dragonfly": _dragonfly,
    "graph": graph_of,
}
