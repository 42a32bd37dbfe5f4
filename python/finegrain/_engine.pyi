# SPDX-License-Identifier: BSD-3-Clause
"""The finegrain engine; use the package ``finegrain``, which checks input and adds units."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

class EngineError(RuntimeError):
    """An error of the engine.

    Attributes
    ----------
    kind : str
        "input", "resource", "numerics" or "internal".
    what, where, value, limit, hint : str
        The parts of the message; all but `what` may be empty.
    exit_status : int
        1, 2, 3 or 4, in the order of `kind`.
    """

    kind: str
    what: str
    where: str
    value: str
    limit: str
    hint: str
    exit_status: int

def run(
    job: str,
    out: str,
    *,
    on_progress: Callable[[dict[str, Any]], bool | None] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Run a job file and write the results into a folder.

    Parameters
    ----------
    job, out : str
        Path of the HDF5 job, and the folder of the results.
    **options
        The options of `run_options`; others are a TypeError. Neither threads nor placement change a
        bit.
    on_progress : callable, optional
        Called about five times a second, in the calling thread, with a dict of
        ``figures()["progress"]``; None for what was not measured. When it returns False the run
        stops at its next rebuild step, resumable. When it raises, the run stops likewise and the
        exception is raised.

    Returns
    -------
    dict
        The values of ``figures()["result"]``, in which ``phases`` is a list of dicts; None for what
        was not measured.

    Raises
    ------
    EngineError
        The message names what, where, value, limit and remedy; the last good checkpoint stays.
    """

def run_options() -> list[tuple[str, str, Any, str]]:
    """Return the options of `run`.

    Returns
    -------
    list of tuple
        Name, word on the engine's command line, default, and meaning. A flag of the command line
        gives the opposite of its default.
    """

def energy(
    job: str,
    *,
    pes: int = 1,
    map: str = "block",  # noqa: A002 - the command line's own word
    out: str = "",
    pairs_only: bool = False,
) -> dict[str, Any]:
    """Evaluate the forces on the positions of a job file.

    An ab initio job that keeps its orbitals writes them into the folder `out`, if there is one.

    With `pairs_only` the mesh and bonded terms are left out, to measure the effect of single
    precision on the pair forces alone. `pes` and `map` change no bit.

    Returns
    -------
    dict
        ``energies``  dict of float by term, kJ/mol, the total last
        ``forces``    float64, shape (atoms, 3), kJ/mol/nm, in the input's atom order
        ``virial``    float64, shape (6,), kJ/mol: xx, yy, zz, xy, xz, yz
        ``iterations``  int, of the orbitals, only of an ab initio job

    Raises
    ------
    EngineError
        If the job cannot be read, or the energy is not finite.
    """

class Evaluator:
    """The objects of an ab initio job, kept for one geometry after the other.

    Parameters
    ----------
    job : str
        Path of the HDF5 job; it is not read again after the first evaluation.
    pes : int
    map : str
        Neither changes a bit.
    companion_seconds : float
        Longest wait for one answer of the program that finds the dispersion.

    Raises
    ------
    EngineError
        If the job cannot be used.
    """

    def __init__(
        self,
        job: str,
        *,
        pes: int = 1,
        map: str = "block",  # noqa: A002
        companion_seconds: float = 600.0,
    ) -> None: ...
    def energy(self, positions: NDArray[np.float64]) -> dict[str, Any]:
        """Evaluate at other positions, beginning with the orbitals of the evaluations before.

        Parameters
        ----------
        positions : float64, shape (atoms, 3)
            Bohr, in the job's order.

        Returns
        -------
        dict
            As `energy`, with ``iterations``.

        Raises
        ------
        EngineError
            Then the object is of no further use.
        """

    def save(self, path: str) -> None:
        """Write the orbitals of the last evaluation into a file.

        Raises
        ------
        EngineError
            If the file cannot be written.
        """

def check_job(name: str, file: bytes) -> None:
    """Refuse what `run` would refuse before its first step.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file.

    Raises
    ------
    EngineError
        As `run` raises it.
    """

def estimate_steps(
    name: str,
    file: bytes,
    pes: int,
    divisions: list[
        tuple[tuple[int, int, int], tuple[int, int, int], int, tuple[int, int], float]
    ] = [],
) -> list[dict[str, Any] | None]:
    """Estimate how long a step of a classical job takes with each of several divisions.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file.
    pes : int
        On which objects are placed by their estimated work.
    divisions : list of tuple
        Patches, their reach, pair computes of each, pencils, radius of the inner list in bohr; if
        there are none, those of the job.

    Returns
    -------
    list of dict
        ``parts``  dict of float: seconds of all PEs together, by part of the work
        ``core_seconds``, ``seconds``  the sum of parts, and the work of the fullest PE
        ``most_atoms``  in one patch
        ``objects``, ``messages``  of a step
        None for a division that the engine refuses.

    Raises
    ------
    EngineError
        As `check_job` raises it, and for a job of another kind.
    """

def cut_cells(name: str, file: bytes, shape: tuple[int, int, int]) -> list[int]:
    """Cut the space of a classical job into midpoint cells of equal work.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file with pairs by midpoints.
    shape : tuple of int
        Cells along each axis.

    Returns
    -------
    list of int
        The planes along x, then along y for each slab, then along z for each column; an
        edge of the box is 2^30 long.

    Raises
    ------
    EngineError
        As `check_job` raises it, for a job of another kind, and for numbers that its patches do
        not allow.
    """

def fit_of_estimates() -> str:
    """Return which machine the times of `estimate_steps` were fitted to, in words."""

def known_machines() -> list[tuple[str, str, int]]:
    """Return the machines that are known: name, what it is, and its largest number of nodes."""

def machine_facts(machine: dict[str, Any]) -> dict[str, Any]:
    """Make a machine and count its parts.

    Parameters
    ----------
    machine : dict
        As ``finegrain.machines.for_engine`` makes it.

    Returns
    -------
    dict
        ``nodes``, ``links``  numbers, without holes
        ``node``  sockets, cores and hardware threads of a core

    Raises
    ------
    InputError
        With all problems of the description. The other functions that take a machine do the same.
    """

def link_loads(
    machine: dict[str, Any], node_of_rank: NDArray[np.int64], traffic: tuple[NDArray[Any], ...]
) -> dict[str, Any]:
    """Return what messages between ranks put on the links of a machine.

    Parameters
    ----------
    machine : dict
        As for `machine_facts`.
    node_of_rank : ndarray, int64, shape (ranks,)
        Nodes are numbered without holes.
    traffic : tuple of four ndarray, shape (pairs,)
        Senders and receivers (int32), bytes and messages (float64; rounded to whole ones).

    Returns
    -------
    dict
        ``hop_bytes``  the sum of bytes times hops
        ``most_bytes``, ``mean_bytes``, ``most_messages``, ``mean_messages``  of all links
        ``heaviest_link``  its name
        ``most_bytes_of_node``, ``mean_bytes_of_node``  of the links that leave each node
    """

def machine_ways(machine: dict[str, Any], nodes: NDArray[np.int64]) -> dict[str, Any]:
    """Return a way from each of some nodes to each other one.

    Parameters
    ----------
    machine : dict
        As for `link_loads`.
    nodes : ndarray, int64, shape (nodes,)
        Their numbers in the engine.

    Returns
    -------
    dict
        ``bandwidth``, ``latency``  of each link: bytes in a second, seconds (float64)
        ``first``  where the way from node i to node j begins, at i * nodes + j; one more at the end
        ``links``  the numbers of the links of all ways (int32)
    """

def sum_traffic(
    ranks: int, parts: list[tuple[NDArray[Any], ...]]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Return the sum of several traffics between the same ranks.

    Parameters
    ----------
    ranks : int
        Their number.
    parts : list
        Traffic as for `link_loads`, in any order.

    Returns
    -------
    tuple of four ndarray, shape (pairs,)
        Senders, receivers, bytes and messages, each pair once, in the order of sender and receiver.
        Sums are made in the order of the parts. What a rank sends to itself is left out.
    """

def adapted_places(
    machine: dict[str, Any],
    node_of_slot: NDArray[np.int64],
    traffic: tuple[NDArray[Any], ...],
    positions: NDArray[np.int64] | None,
    relief: float,
) -> dict[str, Any]:
    """Place ranks so that what they send each other goes over few links.

    Parameters
    ----------
    machine, traffic
        As for `link_loads`.
    node_of_slot : ndarray, int64, shape (ranks,)
        Where there is room for a rank.
    positions : ndarray, int64, shape (ranks, dimensions), or None
        Of ranks, in space; those that are near each other send each other most.
    relief : float
        By how much bytes times hops may grow, as a share, to relieve the heaviest links.

    Returns
    -------
    dict
        ``slots``  list of int, the slot of each rank
        ``way``  in words, how the placement was made
    """

def random_places(ranks: int, seed: int) -> list[int]:
    """Return the numbers of `ranks` slots in an order that follows from the seed."""

def job_prediction(
    name: str,
    file: bytes,
    map: str,  # noqa: A002 - the user's word
    pes: int,
    machine: dict[str, Any],
    node_of_rank: NDArray[np.int64],
    operation_times: list[float] = ...,
) -> dict[str, Any]:
    """Predict how long a step of a job takes on a machine.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file.
    map : str
        The map of objects, as for `run`.
    pes : int
        PEs of each process.
    machine : dict
        As `finegrain.machines.engine_numbers` makes it.
    node_of_rank : ndarray, int64, shape (processes,)
        Nodes of the machine.
    operation_times : list of float
        As for `finegrain.planning.predict_step`; empty: as fitted.

    Returns
    -------
    dict
        The fields of `finegrain.planning.StepPrediction`, and ``busiest_pe``.
    """

def job_traffic(
    name: str,
    file: bytes,
    map: str,  # noqa: A002 - the user's word
    processes: int,
    pes: int,
    hosts: list[int] = [],
) -> dict[str, Any]:
    """Count what the processes of a job send each other in a step, before it runs.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file.
    map : str
        The map of objects, as for `run`.
    processes, pes : int
        Processes, and PEs of each.
    hosts : list of int
        The host of each process; if there are none, all are on one.

    Returns
    -------
    dict
        ``step``  what is counted: "step" or "iteration of the search"
        ``phases``  dict of senders and receivers (int64), bytes and messages (float64); ascending
            by sender and receiver, each pair once, with what is sent on the average
        ``cells``, ``shape``  "patches" or "parts of orbitals", their numbers along each axis
        ``process_of_cell``  list of int, the last axis fastest
        ``work``, ``objects``  of each process: in ``unit_of_work``, and a number
        ``unit_of_work``  "s" of one core, or "operations"
        ``imbalance``  the work of the fullest PE over the average

    Raises
    ------
    InputError
        If the engine refuses the job or the map.
    """

def figures() -> dict[str, list[tuple[str, str, str]]]:
    """Return name, unit and meaning of every figure that the engine reports.

    Returns
    -------
    dict of list of tuple
        "progress", "result", each of the "phases" of a result, and "energy".
    """

def kinds() -> list[str]:
    """Return the kinds of runs, as jobs name them."""

def functional_terms() -> list[str]:
    """Return libxc's names, in capitals, of the LDAs and GGAs that a functional may consist of."""

def bonded_terms() -> list[tuple[str, int, list[tuple[str, bool, float, float]]]]:
    """Return the kinds of bonded terms that a job may hold.

    Returns
    -------
    list of tuple
        The table's name, the atoms of a term, and its columns: name, whether whole numbers, the
        least and the largest value in engine units.
    """

def job_keys() -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the keys of a job: for each kind of run, and for each object that has them.

    Returns
    -------
    dict of dict of list of dict
        Of each key ``name``, ``type``, ``unit`` (of the engine), ``least`` and ``most`` (the
        largest numbers if there is no limit), ``words`` that it may be, ``given`` ("always",
        "optional" or "where used"), ``with`` (another key without which it is not read),
        ``default`` (as text, of an optional one), ``in_digest`` and ``meaning``.
    """

def doctor() -> dict[str, Any]:
    """Describe this build and what it finds on this machine.

    Returns
    -------
    dict
        ``version``, ``compiler``, ``build_type``, ``simd_target``, ``portable_target`` (of runs
        with portable bits), ``simd_targets``, ``libraries`` (dict of versions), ``cores``,
        ``hardware_threads``, ``numa_nodes``, ``memory_bytes``.
    """
