# SPDX-License-Identifier: BSD-3-Clause
"""From a machine file to the description of a machine, with all problems at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
from finegrain.machines.description import (
    USUAL_BANDWIDTH,
    USUAL_LATENCY,
    Allocation,
    MachineDescription,
    NodeParts,
    Processor,
    free_nodes,
)
from finegrain.machines.input.coordinate_files import read_coordinates
from finegrain.machines.input.graphs import hosts_of_switches
from finegrain.machines.input.hosts import hosts_of
from finegrain.machines.input.keys import (
    AllocationKeys,
    MachineFile,
    MachineKeys,
    NodeKeys,
    SwitchKeys,
)
from finegrain.machines.input.networks import network_of
from finegrain.machines.input.places import NamedNodes
from finegrain.machines.networks import Network, OneNode, Torus
from finegrain.toml_input.problems import InputKeys, in_order
from finegrain.toml_input.source import TomlSource, read_toml
from finegrain.units import Quantity

_page = "docs/reference/machine-file.md"
_keys = InputKeys(
    MachineFile,
    {
        "machine": MachineKeys,
        "switches": SwitchKeys,
        "node": NodeKeys,
        "allocation": AllocationKeys,
    },
    paths=("coordinates",),
    lists={"switches": "start each switch with a line [[switches]]"},
    absent={
        "global_links": (
            "unknown key",
            "links_per_pair_of_groups counts the links between each two groups",
        ),
        "ranks": ("unknown key", "ranks_per_node counts the ranks of each node of the job"),
    },
    shown_by=_page,
)


def read_machine(path: str | os.PathLike[str]) -> MachineDescription:
    """Read the description of a machine from a TOML file.

    Raises
    ------
    InputError
        With all problems of the file, each with line, value, limit and remedy.
    """
    return machine_of(read_toml(as_path(path), f"{_page} shows one for each kind of machine"))


def machine_of(source: TomlSource) -> MachineDescription:
    """Return the machine of a parsed file, as `read_machine` does."""
    data: dict[str, Any] = {
        name: dict(table) if isinstance(table, dict) else table
        for name, table in source.data.items()
    }
    model, problems = _keys.read(source, data)
    parts = _parts(source, model.node, problems)
    network = network_of(source, model, problems)
    if network is None:
        raise InputError(in_order(problems), source=source.name)
    machine = _with_nodes(source, model, network, parts, problems)
    if problems:
        raise InputError(in_order(problems), source=source.name)
    return machine


def _with_nodes(
    source: TomlSource,
    model: MachineFile,
    network: Network,
    parts: NodeParts,
    problems: list[Problem],
) -> MachineDescription:
    keys = model.machine
    holes: tuple[int, ...] = ()
    if keys.coordinates is not None and isinstance(network, Torus):
        path = source.path.parent / as_path(keys.coordinates)
        hosts, holes = read_coordinates(source, path, network, problems)
    elif network.kind == "graph":
        hosts = hosts_of_switches(source, model)
    else:
        hosts = ()
    hosts = hosts_of(source, keys.hosts, network, hosts, problems)
    numbers = {name: number for number, name in enumerate(hosts) if name}
    named = NamedNodes(source, "machine.holes", network, numbers)
    holes = tuple(sorted({*holes, *named.read(keys.holes), *_at_gone_routers(network)}))
    problems += named.problems
    if len(holes) == network.nodes and not problems:
        what, hint = "leave no node", "name fewer"
        problems.append(source.problem("machine.holes", what, hint=hint))
    speeds, assumed = _speeds(source, keys, network, problems)
    return MachineDescription(
        name=keys.name or Path(source.name).stem,
        network=network,
        holes=holes,
        hosts=hosts,
        parts=parts,
        processor=_processor(model.node),
        **speeds,
        assumed=assumed,
        allocation=_allocation(source, model.allocation, network, holes, numbers, problems),
    )


def _at_gone_routers(network: Network) -> list[int]:
    """Return the nodes that nothing reaches."""
    if not isinstance(network, Torus):
        return []
    slots = range(network.nodes_per_router)
    return [one * network.nodes_per_router + slot for one in network.gone for slot in slots]


def _parts(source: TomlSource, keys: NodeKeys, problems: list[Problem]) -> NodeParts:
    cores = keys.cores if keys.cores is not None else keys.sockets
    if cores % keys.sockets:
        limit = f"a multiple of {keys.sockets}, the number of sockets"
        hint = "node.cores counts the cores of all sockets of a node"
        problems.append(source.problem("node.cores", "do not fill", limit=limit, hint=hint))
    return NodeParts(keys.sockets, cores, keys.threads_per_core)


def _processor(keys: NodeKeys) -> Processor:
    names = ("send_time", "receive_time", "copy_bandwidth")
    given = {name: one.value for name in names if (one := getattr(keys, name)) is not None}
    usual = tuple(
        name
        for name in ("core_speed", "send_time", "receive_time")
        if name not in keys.model_fields_set
    )
    return Processor(core_speed=keys.core_speed, assumed=usual, **given)


def _speeds(
    source: TomlSource, keys: MachineKeys, network: Network, problems: list[Problem]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    kinds = network.link_kinds
    found: dict[str, Any] = {}
    assumed = []
    usual = {"bandwidth": USUAL_BANDWIDTH, "latency": USUAL_LATENCY}
    for unit, value in usual.items():
        given: tuple[Quantity, ...] | None = getattr(keys, f"link_{unit}")
        if given is None and kinds:
            assumed.append(f"link_{unit}")
        numbers = tuple(one.value for one in given) if given else (value,)
        if len(numbers) not in (1, len(kinds)) and not isinstance(network, OneNode):
            what = f"has {len(numbers)} values"
            limit = f"one for all links, or {len(kinds)}: {', '.join(kinds)}" if kinds else "one"
            hint = "give one value for all links"
            problems.append(source.problem(f"machine.link_{unit}", what, limit=limit, hint=hint))
        found[f"link_{unit}"] = numbers * len(kinds) if len(numbers) == 1 else numbers
        one: Quantity | None = getattr(keys, f"injection_{unit}")
        if one is None and not isinstance(network, OneNode):
            assumed.append(f"injection_{unit}")
        found[f"injection_{unit}"] = value if one is None else one.value
    return found, tuple(assumed)


def _allocation(
    source: TomlSource,
    keys: AllocationKeys,
    network: Network,
    holes: tuple[int, ...],
    numbers: dict[str, int],
    problems: list[Problem],
) -> Allocation:
    nodes: tuple[int, ...]
    if keys.nodes == ("all",):
        nodes = free_nodes(network.nodes, holes)
    else:
        named = NamedNodes(source, "allocation.nodes", network, numbers)
        nodes = tuple(named.read(keys.nodes))
        problems += named.problems
        taken = set(holes)
        if gone := [node for node in nodes if node in taken]:
            more = f" and {len(gone) - 1:,} others" if len(gone) > 1 else ""
            what, hint = f"names a hole: node {gone[0]}{more}", "take it out of one of the two"
            problems.append(source.problem("allocation.nodes", what, hint=hint))
        if not nodes and not named.problems:
            hint = 'such as nodes = ["0:64"], or "all"'
            problems.append(source.problem("allocation.nodes", "names no node", hint=hint))
    ranks = keys.ranks_per_node
    if len(ranks) == 1:
        ranks *= len(nodes)
    elif len(ranks) != len(nodes):
        what, limit = f"has {len(ranks)} values", f"one, or {len(nodes):,}: one for each node"
        hint = "give one number for all nodes"
        problems.append(source.problem("allocation.ranks_per_node", what, limit=limit, hint=hint))
    return Allocation(nodes, ranks, keys.order)
