# SPDX-License-Identifier: BSD-3-Clause
"""A transform that is under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.fft.parcels import Parcels


@dataclass(frozen=True)
class Turns:
    """Groups of fields that one part transforms one after the other (engine/fft/batch_cut.hpp).

    Attributes
    ----------
    part : object
        The engine's part of a transform of one group.
    tag : int or None
        The tag of its messages; None: parcels travel by collective calls.
    groups : tuple of slice, or None
        The fields of each group; None: arrays are those of one group.
    """

    part: Any
    tag: int | None
    groups: tuple[slice, ...] | None = None


class Pending:
    """A transform that has begun; see `Transform.start_forward`."""

    def __init__(
        self,
        turns: Sequence[Turns],
        comm: Any,
        source: NDArray[Any],
        result: NDArray[Any],
        factor: float,
        *,
        forward: bool,
        over: Callable[[], None],
    ) -> None:
        if len(turns) > 1 or len(turns[0].groups or ()) > 1:
            # The result of a group must not lie where another one is still to be read.
            source = source.copy() if np.may_share_memory(source, result) else source
        self._result, self._over = result, over
        self._parts = [_Groups(one, comm, source, result, factor, forward) for one in turns]
        self._finished = False
        self._end_if(all(part.over for part in self._parts))

    def test(self) -> bool:
        """Do what can be done now; return whether the transform is over."""
        if not self._finished:
            over = [part.test() for part in self._parts]  # all of them, not up to the first
            self._end_if(all(over))
        return self._finished

    def wait(self) -> NDArray[Any]:
        """Return the result when it is there."""
        while not self._finished:
            for part in self._parts:
                part.wait_for_an_exchange()
            self._end_if(all(part.over for part in self._parts))
        return self._result

    def _end_if(self, over: bool) -> None:
        if over:
            self._finished = True
            self._over()


class _Groups:
    """The groups of one part, of which one is under way."""

    def __init__(
        self,
        turns: Turns,
        comm: Any,
        source: NDArray[Any],
        result: NDArray[Any],
        factor: float,
        forward: bool,
    ) -> None:
        self._parcels = Parcels(turns.part, comm, turns.tag)
        # All of the arrays is also a slice of their first axis.
        self._left: list[slice] = list(turns.groups or [slice(None)])
        self._source, self._result = source, result
        self._factor, self._forward = factor, forward
        self.over = False
        self._begin()
        self._go_on()

    def test(self) -> bool:
        """Do what can be done now; return whether all groups are over."""
        while not self.over and self._parcels.test():
            self._go_on()
        return self.over

    def wait_for_an_exchange(self) -> None:
        """Wait until the parcels under way are there, and go on to the next ones."""
        if not self.over and self._parcels.wait():
            self._go_on()

    def _begin(self) -> None:
        self._now = self._left.pop(0)
        self._parcels.begin(self._forward, self._source[self._now], self._result[self._now])

    def _go_on(self) -> None:
        """End each group that has its result, and begin the next one."""
        while self._parcels.over:
            if self._factor != 1:
                self._result[self._now] *= np.asarray(self._factor, self._result.real.dtype)
            if not self._left:
                self.over = True
                return
            self._begin()
