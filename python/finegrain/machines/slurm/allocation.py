# SPDX-License-Identifier: BSD-3-Clause
"""The nodes of a Slurm job: from its environment, and the network from topology.conf."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from finegrain.errors import InputError, Problem, nearest
from finegrain.machines.description import (
    USUAL_BANDWIDTH,
    USUAL_LATENCY,
    Allocation,
    MachineDescription,
    NodeParts,
    Processor,
)
from finegrain.machines.host_lists import ListError, counts, host_names
from finegrain.machines.networks import Graph
from finegrain.machines.slurm.topology import read_topology

_outside = "give it inside a job (salloc or sbatch), or name the nodes in a machine file"
_nodes = ("SLURM_JOB_NODELIST", "SLURM_NODELIST")
_tasks = ("SLURM_TASKS_PER_NODE",)


def slurm_hosts(environment: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the hosts of a Slurm job, and the number of ranks on each.

    Raises
    ------
    InputError
        With all problems of the lists, among them that they do not match.
    """
    problems: list[Problem] = []
    hosts: list[str] = []
    ranks: list[int] = []
    node_key, nodes = _value(environment, _nodes, problems)
    task_key, tasks = _value(environment, _tasks, problems)
    try:
        hosts = host_names(nodes) if nodes else []
    except ListError as error:
        value = f"{node_key}={error.value}"
        problems.append(Problem(error.what, "environment", value, error.limit, error.hint))
    try:
        ranks = counts(tasks) if tasks else []
    except ListError as error:
        value = f"{task_key}={error.value}"
        problems.append(Problem(error.what, "environment", value, error.limit, error.hint))
    if problems:
        raise InputError(problems, source="environment of Slurm")
    twice = next((host for host, count in Counter(hosts).items() if count > 1), None)
    if twice:
        value = f"{node_key}={nodes}"[:120]
        hint = "start the job again; a job has each node once"
        problems.append(Problem(f"names {twice} twice", "environment", value, hint=hint))
    if len(hosts) != len(ranks):
        value = f"{node_key}={nodes}; {task_key}={tasks}"[:160]
        what = f"name {len(hosts):,} hosts but the ranks of {len(ranks):,}"
        hint = "take both from the same job; do not change one alone"
        problems.append(Problem(what, "environment", value, "one number for each host", hint))
    if 0 in ranks:
        what, hint = "has a host without ranks", "give each node at least one rank"
        problems.append(Problem(what, "environment", f"{task_key}={tasks}"[:120], hint=hint))
    count = environment.get("SLURM_JOB_NUM_NODES", "").strip()
    if count and not (count.isdigit() and int(count) == len(hosts)):
        what = f"is not the number of hosts in {node_key}, {len(hosts):,}"
        hint = "take both from the same job; do not change one alone"
        value = f"SLURM_JOB_NUM_NODES={count}"[:80]
        problems.append(Problem(what, "environment", value, hint=hint))
    if problems:
        raise InputError(problems, source="environment of Slurm")
    return tuple(hosts), tuple(ranks)


def machine_from_slurm(
    topology: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    parts: NodeParts | None = None,
) -> MachineDescription:
    """Return the machine of the Slurm job that this process is in.

    Parameters
    ----------
    topology : path, optional
        Slurm's topology.conf, or what ``scontrol show topology`` prints. Without it all nodes are
        at one switch.
    environment : mapping, optional
        The environment of the job; by default that of this process.
    parts : NodeParts, optional
        What each node consists of; by default one core for each rank of a node.

    Raises
    ------
    InputError
        With all problems of the lists, or of the topology.
    """
    given = os.environ if environment is None else environment
    hosts, ranks = slurm_hosts(given)
    if topology is None:
        graph, all_hosts = Graph(("switch",), (), (0,) * len(hosts)), hosts
    else:
        graph, all_hosts = read_topology(topology)
    number_of = {host: number for number, host in enumerate(all_hosts)}
    if unknown := [host for host in hosts if host not in number_of]:
        more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        close = nearest(unknown[0], all_hosts[:4096])
        hint = f"did you mean {close}? " if close else ""
        raise InputError(
            f"has no node {unknown[0]}{more}, which the job has",
            where=str(topology),
            hint=f"{hint}take the topology of the machine that the job runs on",
        )
    nodes = tuple(number_of[host] for host in hosts)
    order = "cyclic" if given.get("SLURM_DISTRIBUTION", "").startswith("cyclic") else "block"
    links = len(graph.link_kinds)
    return MachineDescription(
        name=given.get("SLURM_CLUSTER_NAME") or "Slurm job",
        network=graph,
        hosts=all_hosts,
        parts=parts or NodeParts(cores=max(ranks)),
        link_bandwidth=(USUAL_BANDWIDTH,) * links,
        link_latency=(USUAL_LATENCY,) * links,
        processor=Processor(assumed=("core_speed", "send_time", "receive_time")),
        assumed=("link_bandwidth", "injection_bandwidth", "link_latency", "injection_latency"),
        allocation=Allocation(nodes, ranks, order),
    )


def in_slurm_job(
    machine: MachineDescription, environment: Mapping[str, str] | None = None
) -> MachineDescription:
    """Return a machine with the nodes of the Slurm job that this process is in.

    Raises
    ------
    InputError
        If the machine has no names of hosts, or other ones, or if one of them is a hole.
    """
    given = os.environ if environment is None else environment
    hosts, ranks = slurm_hosts(given)
    if not machine.hosts:
        hint = "add machine.hosts to its file"
        raise InputError("has no names of hosts", where=machine.name, hint=hint)
    number_of = {host: number for number, host in enumerate(machine.hosts)}
    holes = set(machine.holes)
    problems = []
    for host in hosts:
        if host not in number_of or number_of[host] in holes:
            what = (
                "is a hole of this machine" if host in number_of else "is no host of this machine"
            )
            hint = "correct machine.holes or machine.hosts in its file"
            problems.append(Problem(what, machine.name, host, hint=hint))
    if problems:
        raise InputError(problems[:20], source=machine.name)
    order = "cyclic" if given.get("SLURM_DISTRIBUTION", "").startswith("cyclic") else "block"
    nodes = tuple(number_of[host] for host in hosts)
    return replace(machine, allocation=Allocation(nodes, ranks, order))


def _value(
    environment: Mapping[str, str], names: tuple[str, ...], problems: list[Problem]
) -> tuple[str, str]:
    for name in names:
        if value := environment.get(name, "").strip():
            return name, value
    problems.append(Problem("is not set", "environment", names[0], hint=_outside))
    return names[0], ""
