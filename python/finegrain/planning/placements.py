# SPDX-License-Identifier: BSD-3-Clause
"""Placements of ranks on the nodes of a job, and what they put on the links of the machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.engine.engine import load_engine
from finegrain.errors import InputError
from finegrain.machines.description import MachineDescription
from finegrain.machines.for_engine import engine_nodes, engine_numbers
from finegrain.machines.rank_files import RankPlace
from finegrain.machines.traffic.traffic import Traffic, columns_of, traffic_of
from finegrain.words.report import as_finegrain_error

USUAL_RELIEF = 0.05
_SEED = 1  # of the random placement


@dataclass(frozen=True)
class Placement:
    """One placement.

    Attributes
    ----------
    name : str
        "random", "native" (ranks in their order on the nodes of the job) or "adapted".
    way : str
        How it was made, in words.
    place_of_rank : ndarray, int64, shape (ranks,)
        For each rank a place: that of this rank in the native placement.
    loads : dict
        What the engine says of links: ``hop_bytes``, ``most_bytes``, ``mean_bytes``,
        ``most_messages``, ``mean_messages``, ``heaviest_link`` and, by node,
        ``most_bytes_of_node`` and ``mean_bytes_of_node``. Bytes are those of a step.
    seconds : float
        How long it took to find.
    """

    name: str
    way: str
    place_of_rank: NDArray[np.int64]
    loads: dict[str, Any]
    seconds: float


@dataclass(frozen=True)
class PlacementPlan:
    """Placements of the same ranks, to be compared.

    Attributes
    ----------
    machine : MachineDescription
        With the nodes of the job.
    traffic : Traffic
        What the ranks send each other in a step.
    placements : dict of str to Placement
        By name.
    relief : float
        By which share the hop-bytes of the adapted one were allowed to grow for its heaviest link.
    """

    machine: MachineDescription
    traffic: Traffic
    placements: dict[str, Placement]
    relief: float

    def rank_places(self, name: str, cores: int = 0) -> list[RankPlace]:
        """Return host and cores of each rank.

        Parameters
        ----------
        name : str
            The placement.
        cores : int
            Cores of each rank; 0: no cores are named.
        """
        allocation = self.machine.allocation
        place = self.placements[name].place_of_rank
        nodes = np.array(allocation.node_of_rank)[place]
        taken: dict[int, int] = {}
        found = []
        for node in nodes.tolist():
            first = taken.get(node, 0)
            taken[node] = first + cores
            host = self.machine.host_of_node(node)
            found.append(RankPlace(host, tuple(range(first, first + cores))))
        return found


def checked_relief(relief: float, where: str) -> float:
    """Return a share by which hop-bytes may grow, after a check; errors call it `where`.

    Raises
    ------
    InputError
        If it is not from 0 to 1.
    """
    if not 0 <= relief <= 1:
        raise InputError(
            "the relief of links is a share of the hop-bytes",
            where=where,
            value=f"{relief:g}",
            limit="0 to 1",
            hint=f"leave it out, for {USUAL_RELIEF}; 0.15 takes more off the heaviest link",
        )
    return relief


def plan_places(
    machine: MachineDescription,
    traffic: Traffic,
    positions: NDArray[np.int64] | None = None,
    *,
    hosts_together: bool = False,
    relief: float = USUAL_RELIEF,
) -> PlacementPlan:
    """Compare a random, the native and an adapted placement of ranks.

    Parameters
    ----------
    machine : MachineDescription
        Its allocation has a place for each rank.
    traffic : Traffic
        Between ranks.
    positions : ndarray, int64, shape (ranks, dimensions), optional
        Where the ranks are in space; ranks that are near each other send each other most.
    hosts_together : bool
        Ranks that share a node in the native placement share one in the adapted placement, too, if
        all nodes have equally many. A run of ours needs this: its objects are placed by host, and
        would else be on other ranks than those whose traffic this is.
    relief : float
        By how much of themselves the hop-bytes of the adapted placement may grow, if that takes
        bytes off its heaviest link: from 0 to 1.

    Raises
    ------
    InputError
        If the job has fewer places than there are ranks, or if `relief` is out of its range.
    """
    checked_relief(relief, "relief")
    if machine.ranks < traffic.ranks:
        raise InputError(
            "the nodes of the job have fewer places than it has ranks",
            where=machine.name,
            value=f"{machine.ranks} places",
            limit=f"{traffic.ranks} ranks",
            hint="give it more nodes, or more ranks per node",
        )
    engine, given = load_engine(), engine_numbers(machine)
    nodes = np.array(engine_nodes(machine)[: traffic.ranks], np.int64)
    columns = columns_of(traffic)
    placements = {}
    for name in ("random", "native", "adapted"):
        start = time.perf_counter()
        try:
            place, way = _place(
                engine, name, given, nodes, traffic, positions, hosts_together, relief
            )
            seconds = time.perf_counter() - start
            loads = engine.link_loads(given, np.ascontiguousarray(nodes[place]), columns)
        except Exception as error:
            raise as_finegrain_error(error) from error
        placements[name] = Placement(name, way, place, loads, seconds)
    return PlacementPlan(machine, traffic, placements, relief)


def _place(
    engine: Any,
    name: str,
    machine: dict[str, Any],
    nodes: NDArray[np.int64],
    traffic: Traffic,
    positions: NDArray[np.int64] | None,
    hosts_together: bool,
    relief: float,
) -> tuple[NDArray[np.int64], str]:
    if name == "random":
        return np.array(engine.random_places(len(nodes), _SEED), np.int64), "at random"
    if name == "native":
        return np.arange(len(nodes), dtype=np.int64), "in the order of the job's nodes"
    ranks = _ranks_of_hosts(nodes) if hosts_together else None
    if ranks is None:
        found = engine.adapted_places(machine, nodes, columns_of(traffic), positions, relief)
        return np.array(found["slots"], np.int64), str(found["way"])
    host = np.empty(len(nodes), np.int64)
    host[ranks] = np.arange(len(ranks))[:, None]
    between = traffic_of(
        len(ranks), host[traffic.sender], host[traffic.receiver], traffic.bytes, traffic.messages
    )
    middle = None if positions is None else np.rint(positions[ranks].mean(axis=1))
    found = engine.adapted_places(
        machine,
        np.ascontiguousarray(nodes[ranks[:, 0]]),
        columns_of(between),
        None if middle is None else np.ascontiguousarray(middle, np.int64),
        relief,
    )
    place = np.empty(len(nodes), np.int64)
    place[ranks] = ranks[np.array(found["slots"], np.int64)]
    return place, f"{found['way']}, ranks of a node together"


def _ranks_of_hosts(nodes: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the ranks of each host, hosts in the order of their first ranks, if all have as many.

    Returns
    -------
    ndarray, int64, shape (hosts, ranks of a host), or None
    """
    _, host, count = np.unique(nodes, return_inverse=True, return_counts=True)
    if (count != count[0]).any() or count[0] == 1:
        return None
    ranks = np.argsort(host, kind="stable").reshape(len(count), count[0])
    return np.asarray(ranks[np.argsort(ranks[:, 0])], np.int64)
