# SPDX-License-Identifier: BSD-3-Clause
"""What the processes of a run of a job send each other in a step, before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.engine.engine import load_engine
from finegrain.machines.traffic.traffic import Traffic, columns_of
from finegrain.words.report import as_finegrain_error

_FINE = 1000  # of a cell, for mean positions in whole numbers


@dataclass(frozen=True)
class JobTraffic:
    """What processes send in a step.

    Attributes
    ----------
    step : str
        What is counted: "step", or "iteration of the search" for a ground state.
    phases : dict of str to Traffic
        By phase of the step.
    cells : str
        Objects that send most to those near them: "patches" of space, or "parts of orbitals".
    process_of_cell : ndarray, int64
        Where each of them is. Shape (x, y, z) for patches, (blocks, parts) for orbitals.
    work : ndarray, float64, shape (processes,)
        The estimated work of each process, in `unit_of_work`.
    unit_of_work : str
        "s" of one core, or "operations" with floating-point numbers.
    objects : ndarray, int64, shape (processes,)
        The number of objects of each process.
    imbalance : float
        The work of the fullest PE over the average.
    """

    step: str
    phases: dict[str, Traffic]
    cells: str
    process_of_cell: NDArray[np.int64]
    work: NDArray[np.float64]
    unit_of_work: str
    objects: NDArray[np.int64]
    imbalance: float

    @property
    def whole(self) -> Traffic:
        """All phases together."""
        ranks = len(self.work)
        parts = [columns_of(part) for part in self.phases.values()]
        return Traffic(ranks, *load_engine().sum_traffic(ranks, parts))

    @property
    def positions(self) -> NDArray[np.int64]:
        """The mean index of the cells of each process, in thousandths. Shape (processes, axes).

        A process without a cell has that of the process before it.
        """
        where = np.argwhere(np.ones(self.process_of_cell.shape, bool))
        of = self.process_of_cell.reshape(-1)
        count = np.bincount(of, minlength=len(self.work))
        sums = [np.bincount(of, column, len(self.work)) for column in where.T]
        last = np.maximum.accumulate(np.where(count > 0, np.arange(len(count)), 0))
        last = np.where(count[last] > 0, last, int(np.argmax(count > 0)))
        means = np.stack(sums, axis=1)[last] / count[last][:, None]
        return np.rint(_FINE * means).astype(np.int64)

    @property
    def without_cell(self) -> int:
        """The number of processes that have no cell."""
        return len(self.work) - len(np.unique(self.process_of_cell))


def traffic_of_job(
    name: str,
    contents: bytes,
    processes: int,
    pes: int = 1,
    *,
    hosts: Sequence[int] = (),
    map: str = "cost",  # noqa: A002 - the user's word
) -> JobTraffic:
    """Count what the processes of a job send in a step.

    Parameters
    ----------
    name : str
        What messages call the job.
    contents : bytes
        The bytes of its file.
    processes, pes : int
        Processes, and worker threads of each.
    hosts : sequence of int
        The host of each process, by any number; by default all are on one.
    map : str
        The map of objects, as for `run`.

    Raises
    ------
    InputError
        If the engine refuses the job or the map.
    """
    try:
        found = load_engine().job_traffic(name, contents, map, processes, pes, list(hosts))
    except Exception as error:
        raise as_finegrain_error(error) from error
    return JobTraffic(
        found["step"],
        {phase: Traffic(processes, *columns) for phase, columns in found["phases"].items()},
        found["cells"],
        np.array(found["process_of_cell"], np.int64).reshape(found["shape"]),
        np.array(found["work"], np.float64),
        found["unit_of_work"],
        np.array(found["objects"], np.int64),
        float(found["imbalance"]),
    )
