# SPDX-License-Identifier: BSD-3-Clause
"""The parcels of one part of a transform over mpi4py."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


class Parcels:
    """Moves the parcels of a part, each as a message; without a tag by collective calls.

    Attributes
    ----------
    over : bool
        Whether the part has its result.
    """

    def __init__(self, part: Any, comm: Any, tag: int | None) -> None:
        self._part, self._comm, self._tag = part, comm, tag
        self._receiving: list[Any] = []
        self._sending: list[Any] = []
        self.over = True

    def begin(self, forward: bool, source: NDArray[Any], result: NDArray[Any]) -> None:
        """Begin a transform; the arrays are those of the part's fields."""
        self._part.begin(forward, source, result)
        self._post()

    def test(self) -> bool:
        """Do what can be done now; return whether the result is there."""
        while not self.over:
            if not self._take_arrivals() or not all(r.Test() for r in self._sending):
                return False
            self._part.proceed()
            self._post()
        return True

    def wait(self) -> bool:
        """Wait for the exchange that goes on; return whether the result is there."""
        for parcels, request in self._receiving:
            request.Wait()
            self._unpack(parcels)
        for request in self._sending:
            request.Wait()
        self._part.proceed()
        self._post()
        return self.over

    def _post(self) -> None:
        """Send and expect the parcels of the next exchange, if there is one."""
        self.over = bool(self._part.done())
        if self.over:
            self._receiving, self._sending = [], []
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
            counts, offsets = [0] * ranks, [0] * ranks
            for rank, offset, size in pieces:
                counts[rank], offsets[rank] = size, offset
            tables.append([data, counts, offsets, _bytes_of_mpi()])
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
