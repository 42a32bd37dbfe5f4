# SPDX-License-Identifier: BSD-3-Clause
"""How long a step of a job will take on a machine, before anything runs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.engine.engine import load_engine
from finegrain.kinds.registry import kind_of_input
from finegrain.machines.description import MachineDescription
from finegrain.machines.for_engine import engine_nodes, engine_numbers
from finegrain.planning.routes import refuse_too_large
from finegrain.planning.simulated import simulated_step
from finegrain.runs.preparation import our_errors
from finegrain.words.progress import ns_per_day
from finegrain.words.report import as_finegrain_error

WAITS, MESSAGES, LINKS = "waits", "messages", "links"  # parts that are not of the work


@dataclass(frozen=True)
class StepPrediction:
    """The expected step of a job on a number of nodes.

    Times are in seconds. They are divided into the parts of the work, ``messages``, ``links`` and
    ``waits``. ``messages`` is what processors do for messages. ``links`` is the way of messages,
    which only `path` has.

    Attributes
    ----------
    nodes, pes : int
        Nodes, and worker threads of all of them together.
    seconds : float
        The time of a step, without lists that are rebuilt and without results that are written.
    mean, most : dict of str to float
        By part: of a PE on the average, and of the one that works most.
    path : dict of str to float
        By part: the longest chain of work and messages, each of which had to wait for the one
        before. The parts add up to `seconds`.
    messages, bytes : float
        Between ranks, in a step.
    busy_share : float
        The share of the time for which the heaviest link is busy.
    busiest_link : str
        Its name; empty if nothing is sent.
    longest_task : float
        The longest time for which any object works without a pause.
    part_of_longest : str
        The part to which that belongs.
    step : str
        What is predicted: ``step``, or ``iteration of the search`` for a ground state.
    cells : str
        The objects by which a job is divided, such as ``patches``.
    shape : tuple of int
        Their numbers along each axis.
    division : str
        More about the division, in words; empty if there is no more.
    fit : str
        Where the times of counted work come from.
    objects : int
        The objects of the whole job.
    core_seconds : float
        The work of a step, of all PEs together.
    imbalance : float
        The work of the fullest PE over the average.
    timestep_fs : float
        0 if the job has no dynamics.
    """

    nodes: int
    pes: int
    seconds: float
    mean: dict[str, float]
    most: dict[str, float]
    path: dict[str, float]
    messages: float
    bytes: float
    busy_share: float
    busiest_link: str
    longest_task: float
    part_of_longest: str
    step: str
    cells: str
    shape: tuple[int, ...]
    division: str
    fit: str
    objects: int
    core_seconds: float
    imbalance: float
    timestep_fs: float

    @property
    def ns_per_day(self) -> float:
        """The rate of a run; 0 without dynamics."""
        return ns_per_day(self.timestep_fs, self.seconds) if self.timestep_fs > 0 else 0.0

    @property
    def number_of_cells(self) -> int:
        """The number of the objects by which the job is divided."""
        return int(np.prod(self.shape))

    def efficiency(self, base: StepPrediction) -> float:
        """Return the speed-up over a prediction for fewer nodes, by that of its PEs."""
        return base.seconds * base.pes / (self.seconds * self.pes)


def predict_step(
    name: str,
    contents: bytes,
    machine: MachineDescription,
    pes: int = 1,
    *,
    map: str = "cost",  # noqa: A002 - the user's word
    operation_times: Sequence[float] = (),
) -> StepPrediction:
    """Predict the step of a job on the nodes of a machine that it has.

    The model of events is deterministic (engine/runs/prediction). It has the job's objects on
    their first places, the counted work of each, and the messages between them. Messages take the
    links in turn. Of a ground state an iteration of the search is predicted.

    Parameters
    ----------
    name : str
        What messages call the job.
    contents : bytes
        The bytes of its file.
    machine : MachineDescription
        With the nodes of the job and the ranks of each, in their order.
    pes : int
        Worker threads of each rank.
    map : str
        The map of objects, as for `run`.
    operation_times : sequence of float, optional
        For an ab initio job: what a counted operation of transforms, of products, of all else, of
        transforms of the density and for ions takes on a core of speed 1, and a message to an
        object, in ps; by default as fitted.

    Raises
    ------
    InputError
        If the engine refuses the job or the machine.
    """
    nodes = np.array(engine_nodes(machine), np.int64)
    try:
        found: dict[str, Any] = load_engine().job_prediction(
            name, contents, map, pes, engine_numbers(machine), nodes, list(operation_times)
        )
    except Exception as error:
        raise as_finegrain_error(error) from error
    found["shape"] = tuple(found["shape"])
    del found["busiest_pe"]
    return StepPrediction(nodes=len(machine.allocation.nodes), pes=pes * machine.ranks, **found)


def simulated_seconds(contents: bytes, machines: Iterable[MachineDescription]) -> list[float]:
    """Return the seconds of a job's step on each of several machines, as SimGrid finds them.

    Raises
    ------
    InputError
        If a machine is too large to simulate.
    ResourceError
        If SimGrid or the engine for it is missing, or a run takes too long.
    """
    machines = list(machines)
    for machine in machines:
        refuse_too_large(machine)
    with tempfile.TemporaryDirectory(prefix="finegrain-predict-") as folder:
        job = Path(folder) / "job.h5"
        job.write_bytes(contents)
        return [simulated_step(job, machine).seconds for machine in machines]


def divided_jobs(path: Path, pes: Iterable[int], allow_scripts: bool = False) -> Iterator[bytes]:
    """Yield the job of an input as it would be with each ``[patches] pes`` or ``[objects] pes``.

    Raises
    ------
    InputError
        With every problem of the input.
    """
    with our_errors():
        yield from kind_of_input(path).divided_jobs(path, pes, allow_scripts=allow_scripts)
