# SPDX-License-Identifier: BSD-3-Clause
"""Machines that the engine knows by name."""

from __future__ import annotations

from finegrain.engine.engine import load_engine
from finegrain.errors import InputError, nearest
from finegrain.machines.description import Allocation, MachineDescription, NodeParts
from finegrain.machines.networks import Known
from finegrain.words.report import as_finegrain_error


def known_machines() -> dict[str, str]:
    """Return name and description of each machine that is known."""
    return {name: f"{about}, up to {most:,} nodes" for name, about, most in _all()}


def known_machine(name: str, nodes: int, ranks_per_node: int = 1) -> MachineDescription:
    """Return a known machine with a job on some of its nodes.

    Parameters
    ----------
    name : str
        One of `known_machines`.
    nodes : int
        Nodes of the job. They pick the shape of the machine.
    ranks_per_node : int
        Ranks on each of them.

    Raises
    ------
    InputError
        If it is not known, or has not so many nodes.
    """
    names = [one for one, _, _ in _all()]
    if name not in names:
        close = nearest(name, names)
        known = f"one of {', '.join(names)}, or a file"
        raise InputError(
            "there is no such machine",
            where="--machine",
            value=name,
            hint=f"did you mean {close}? ({known})" if close else known,
        )
    try:
        facts = load_engine().machine_facts({"kind": "known", "known": name, "nodes": nodes})
    except Exception as error:
        raise as_finegrain_error(error) from error
    ranks = (ranks_per_node,) * nodes
    return MachineDescription(
        name=name,
        network=Known(name, nodes),
        allocation=Allocation(tuple(range(nodes)), ranks),
        parts=NodeParts(*facts["node"]),
    )


def _all() -> list[tuple[str, str, int]]:
    return list(load_engine().known_machines())
