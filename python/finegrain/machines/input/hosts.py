# SPDX-License-Identifier: BSD-3-Clause
"""The names of a machine's nodes in a machine file."""

from __future__ import annotations

from finegrain.errors import Problem
from finegrain.machines.host_lists import ListError, host_names
from finegrain.machines.input.keys import Places
from finegrain.machines.networks import Network
from finegrain.toml_input.source import TomlSource


def hosts_of(
    source: TomlSource,
    given: Places | None,
    network: Network,
    known: tuple[str, ...],
    problems: list[Problem],
) -> tuple[str, ...]:
    """Return the name of each node; empty if they are not known, or wrong.

    Parameters
    ----------
    given : tuple or None
        What machine.hosts holds.
    known : tuple of str
        Names that other keys have given already.
    """
    key = "machine.hosts"
    if given is None:
        return known
    if known:
        other = "[[switches]]" if network.kind == "graph" else "machine.coordinates"
        hint = f"take it out; {other} names the nodes"
        problems.append(source.problem(key, f"given beside {other}", hint=hint))
        return known
    names: list[str] = []
    for text in given:
        try:
            names += host_names(str(text))
        except ListError as error:
            value = f"{key} = {error.value}"
            problems.append(Problem(error.what, source.place(key), value, error.limit, error.hint))
            return ()
    if len(names) != network.nodes:
        what, limit = f"names {len(names):,} hosts", f"{network.nodes:,}, one for each node"
        hint = "name all nodes of the machine, holes among them, in the order of their numbers"
        problems.append(source.problem(key, what, limit=limit, hint=hint))
        return ()
    seen: set[str] = set()
    for name in names:
        if name in seen:
            hint = "give each node its own name"
            problems.append(source.problem(key, f"names {name} twice", hint=hint))
            return ()
        seen.add(name)
    return tuple(names)
