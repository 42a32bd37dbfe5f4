# SPDX-License-Identifier: BSD-3-Clause
"""A transform that goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Pending:
    """A transform that has begun; see `Transform.start_forward`."""

    def __init__(
        self,
        part: Any,
        comm: Any,
        tag: int | None,
        source: NDArray[Any],
        result: NDArray[Any],
        factor: float,
        *,
        forward: bool,
        over: Callable[[], None],
    ) -> None:
        self._part, self._comm, self._tag = part, comm, tag
        self._source, self._result, self._factor = source, result, factor
        self._over = over  # without a tag parcels travel by collective calls
        self._receiving: list[Any] = []
        self._sending: list[Any] = []
        self._finished = False
        part.begin(forward, source, result)
        self._post()

    def test(self) -> bool:
        """Do what can be done now; return whether the transform is over."""
        while not self._finished:
            if not self._take_arrivals() or not all(r.Test() for r in self._sending):
                return False
            self._part.proceed()
            self._post()
        return True

    def wait(self) -> NDArray[Any]:
        """Return the result when it is there."""
        while not self._finished:
            for parcels, request in self._receiving:
                request.Wait()
                self._unpack(parcels)
            for request in self._sending:
                request.Wait()
            self._part.proceed()
            self._post()
        return self._result

    def _post(self) -> None:
        """Send and expect the parcels of the next exchange, if there is one."""
        if self._part.done():
            if self._factor != 1:
                self._result *= np.asarray(self._factor, self._result.real.dtype)
            self._finished = True
            self._over()
            return
        if self._tag is None:
            self._post_together()
            return
        self._receiving = [
            ([k], self._comm.Irecv(data, source=rank, tag=self._tag))
            for k, (rank, data) in enumerate(self._part.receives())
        ]
        self._sending = [
            self._comm.Isend(data, dest=rank, tag=self._tag) for rank, data in self._part.sends()
        ]

    def _post_together(self) -> None:
        """Exchange all parcels by one collective call."""
        ranks = self._comm.Get_size()
        tables, parcels = [], []
        for data, pieces in (self._part.sends_together(), self._part.receives_together()):
            counts, places = [0] * ranks, [0] * ranks
            for rank, place, size in pieces:
                counts[rank], places[rank] = size, place
            tables.append([data, counts, places, _bytes_of_mpi()])
            parcels = list(range(len(pieces)))
        self._receiving = [(parcels, self._comm.Ialltoallv(*tables))]
        self._sending = []

    def _unpack(self, parcels: list[int]) -> None:
        for k in parcels:
            self._part.unpack(k)

    def _take_arrivals(self) -> bool:
        """Unpack what has arrived; return whether that is all."""
        missing = []
        for parcels, request in self._receiving:
            if request.Test():
                self._unpack(parcels)
            else:
                missing.append((parcels, request))
        self._receiving = missing
        return not missing


def _bytes_of_mpi() -> Any:
    from mpi4py import MPI

    return MPI.BYTE
