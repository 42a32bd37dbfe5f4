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
        tag: int,
        source: NDArray[Any],
        result: NDArray[Any],
        factor: float,
        *,
        forward: bool,
        over: Callable[[], None],
    ) -> None:
        self._part, self._comm, self._tag = part, comm, tag
        self._source, self._result, self._factor = source, result, factor
        self._over = over
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
            for k, request in self._receiving:
                request.Wait()
                self._part.unpack(k)
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
        self._receiving = [
            (k, self._comm.Irecv(data, source=rank, tag=self._tag))
            for k, (rank, data) in enumerate(self._part.receives())
        ]
        self._sending = [
            self._comm.Isend(data, dest=rank, tag=self._tag) for rank, data in self._part.sends()
        ]

    def _take_arrivals(self) -> bool:
        """Unpack what has arrived; return whether that is all."""
        missing = []
        for k, request in self._receiving:
            if request.Test():
                self._part.unpack(k)
            else:
                missing.append((k, request))
        self._receiving = missing
        return not missing
