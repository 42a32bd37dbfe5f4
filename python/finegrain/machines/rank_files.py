# SPDX-License-Identifier: BSD-3-Clause
"""Files that tell Slurm, Open MPI and MPICH where the ranks of a job are to be.

Each is made as text, so that a command can print it, and written by `write_rank_file`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
from finegrain.files.whole import replace_file
from finegrain.machines.host_lists import ListError, host_names


@dataclass(frozen=True)
class RankPlace:
    """Where a rank is to be.

    Attributes
    ----------
    host : str
        The name of its node.
    cores : tuple of int
        Its cores, counted over all sockets of the node; empty if it may use any.
    """

    host: str
    cores: tuple[int, ...] = ()


Places = Sequence[RankPlace]  # by rank


def slurm_hostfile(places: Places) -> str:
    """Return the file that SLURM_HOSTFILE names with ``srun --distribution=arbitrary``.

    Its lines are the hosts of the ranks, in order.
    """
    return "".join(f"{place.host}\n" for place in _checked(places))


def open_mpi_rankfile(places: Places, cores_per_socket: int = 0) -> str:
    """Return a file for ``mpiexec --rankfile`` of Open MPI.

    Parameters
    ----------
    places : sequence of RankPlace
        Each with at least one core.
    cores_per_socket : int
        If not 0, cores are written as SOCKET:CORES where a rank has those of one socket.

    Raises
    ------
    InputError
        If a rank has no cores: a rankfile must name them.
    """
    lines = []
    for rank, place in enumerate(_checked(places)):
        if not place.cores:
            raise InputError(
                "has no cores, but a rankfile names the cores of each rank",
                where=f"rank {rank}",
                value=place.host,
                hint="write a hostfile, or give each rank its cores",
            )
        lines.append(f"rank {rank}={place.host} slot={_slots(place.cores, cores_per_socket)}\n")
    return "".join(lines)


def open_mpi_hostfile(places: Places) -> str:
    """Return a file for ``mpiexec --hostfile`` of Open MPI.

    Raises
    ------
    InputError
        If the ranks of a host do not follow each other: a hostfile cannot say this.
    """
    return "".join(f"{host} slots={count}\n" for host, count in _in_blocks(places))


def mpich_machinefile(places: Places) -> str:
    """Return a file for ``mpiexec -f`` of MPICH.

    Its launcher goes through the lines in order. If the ranks of a host do not follow each other,
    they are started as if on several hosts.
    """
    return "".join(f"{host}:{count}\n" for host, count in _runs(places))


KINDS: dict[str, Callable[[Places], str]] = {
    "slurm": slurm_hostfile,
    "open-mpi": open_mpi_rankfile,
    "open-mpi-hosts": open_mpi_hostfile,
    "mpich": mpich_machinefile,
}


def write_rank_file(path: str | os.PathLike[str], text: str) -> None:
    """Write one of these files, whole or not at all.

    Raises
    ------
    ResourceError
        If it cannot be written.
    """
    replace_file(as_path(path), text.encode())


def _runs(places: Places) -> list[tuple[str, int]]:
    """Return hosts with the number of their ranks that follow each other, in order."""
    return [(host, len([*group])) for host, group in groupby(p.host for p in _checked(places))]


def _in_blocks(places: Places) -> list[tuple[str, int]]:
    """Return the same, each host once."""
    runs = _runs(places)
    seen: set[str] = set()
    rank = 0
    for host, count in runs:
        if host in seen:
            raise InputError(
                "is on a host whose earlier ranks do not come right before it",
                where=f"rank {rank}",
                value=host,
                limit="all ranks of a host follow each other",
                hint="write a rankfile",
            )
        seen.add(host)
        rank += count
    return runs


def _checked(places: Places) -> Places:
    """Return the places; complain about hosts that no such file can name, and about cores."""
    problems = []
    good: set[str] = set()
    for rank, place in enumerate(places):
        if place.host not in good:
            try:
                if host_names(place.host) != [place.host]:
                    raise ListError("is a list of hosts", place.host)
                good.add(place.host)
            except ListError as error:
                hint = "give the name of one host"
                problems.append(
                    Problem(error.what, f"rank {rank}", place.host[:80], error.limit, hint)
                )
        if any(core < 0 for core in place.cores) or len(set(place.cores)) < len(place.cores):
            value, hint = str(place.cores)[:80], "name each core once, from 0"
            problems.append(Problem("are no cores", f"rank {rank}", value, hint=hint))
    if not places:
        problems.append(Problem("there are no ranks", hint="place at least one rank"))
    if problems:
        raise InputError(problems)
    return places


def _slots(cores: tuple[int, ...], cores_per_socket: int) -> str:
    sockets = {core // cores_per_socket for core in cores} if cores_per_socket else set()
    if len(sockets) != 1:
        return _ranges(sorted(cores))
    first = sockets.pop()
    return f"{first}:{_ranges(sorted(core - first * cores_per_socket for core in cores))}"


def _ranges(numbers: list[int]) -> str:
    """Return ascending numbers as in ``0-3,6``."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(f"{a}-{b}" if a < b else f"{a}" for a, b in found)
