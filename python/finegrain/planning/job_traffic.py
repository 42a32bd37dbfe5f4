# SPDX-License-Identifier: BSD-3-Clause
"""What the processes of a run of a job send each other in a step, before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.engine.engine import load_engine
from finegrain.machines.traffic.traffic import Traffic, traffic_of
from finegrain.words.report import as_finegrain_error

_FINE = 1000  # of a patch, for mean positions in whole numbers


@dataclass(frozen=True)
class JobTraffic:
    """What processes send in a step.

    Attributes
    ----------
    phases : dict of str to Traffic
        By phase of the step.
    process_of_patch : ndarray, int64, shape (x, y, z)
        Where each patch is.
    work : ndarray, float64, shape (processes,)
        The estimated work of each process, in seconds of one core.
    objects : ndarray, int64, shape (processes,)
        The number of objects of each process.
    imbalance : float
        The work of the fullest PE over the average.
    """

    phases: dict[str, Traffic]
    process_of_patch: NDArray[np.int64]
    work: NDArray[np.float64]
    objects: NDArray[np.int64]
    imbalance: float

    @property
    def whole(self) -> Traffic:
        """All phases together."""
        parts = list(self.phases.values())
        return traffic_of(
            len(self.work),
            np.concatenate([part.sender for part in parts]),
            np.concatenate([part.receiver for part in parts]),
            np.concatenate([part.bytes for part in parts]),
            np.concatenate([part.messages for part in parts]),
        )

    @property
    def positions(self) -> NDArray[np.int64]:
        """The mean index of the patches of each process, in thousandths. Shape (processes, 3).

        A process without a patch has that of the process before it.
        """
        where = np.argwhere(np.ones(self.process_of_patch.shape, bool))
        of = self.process_of_patch.reshape(-1)
        count = np.bincount(of, minlength=len(self.work))
        sums = [np.bincount(of, where[:, axis], len(self.work)) for axis in range(3)]
        last = np.maximum.accumulate(np.where(count > 0, np.arange(len(count)), 0))
        last = np.where(count[last] > 0, last, int(np.argmax(count > 0)))
        means = np.stack(sums, axis=1)[last] / count[last][:, None]
        return np.rint(_FINE * means).astype(np.int64)

    @property
    def without_patch(self) -> int:
        """The number of processes that have no patch."""
        return len(self.work) - len(np.unique(self.process_of_patch))


def traffic_of_job(
    name: str,
    contents: bytes,
    processes: int,
    pes: int = 1,
    *,
    hosts: Sequence[int] = (),
    map: str = "cost",  # noqa: A002 - the user's word
) -> JobTraffic:
    """Count what the processes of a classical job send in a step.

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
        If the engine refuses the job, or it is not classical.
    """
    try:
        found = load_engine().job_traffic(name, contents, map, processes, pes, list(hosts))
    except Exception as error:
        raise as_finegrain_error(error) from error
    return JobTraffic(
        {phase: _traffic(processes, ways) for phase, ways in found["phases"].items()},
        np.array(found["process_of_patch"], np.int64).reshape(found["patches"]),
        np.array(found["work"], np.float64),
        np.array(found["objects"], np.int64),
        float(found["imbalance"]),
    )


def _traffic(processes: int, ways: list[tuple[int, int, float, float]]) -> Traffic:
    columns: list[Any] = [list(column) for column in zip(*ways, strict=True)] or [[], [], [], []]
    return traffic_of(processes, *columns)
