# SPDX-License-Identifier: BSD-3-Clause
"""What transforms over processes have in common: agreement, boxes, starting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from finegrain.errors import FinegrainError, InputError
from finegrain.fft import engine
from finegrain.fft.boxes import Box, as_slices, whole_numbers
from finegrain.fft.communicator import copy_of
from finegrain.fft.pending import Pending, Turns

COMPLEX_TYPES = {False: np.complex128, True: np.complex64}
"""By whether numbers are in single precision."""


class Distributed:
    """One process's part of a transform over the processes of `comm`."""

    grid: tuple[int, int, int]
    norm: str | None
    batch: int | None
    points: Box
    _turns: list[Turns]

    def __init__(self, comm: Any) -> None:
        self._copy = None if comm is None else copy_of(comm)
        self.comm = None if self._copy is None else self._copy.comm
        self.rank = 0 if comm is None else int(comm.Get_rank())
        self._ranks = 1 if comm is None else int(comm.Get_size())
        self.travel = "messages"
        self._busy = False

    @property
    def point_slices(self) -> tuple[slice, slice, slice]:
        """The points of this process as an index into an array of the whole grid."""
        return as_slices(self.points)

    @property
    def exchanges(self) -> int:
        """How often numbers change process in one transform."""
        return int(self._turns[0].part.exchanges())

    @property
    def sent_bytes(self) -> int:
        """What this process sends in one transform."""
        return sum(int(one.part.sent_bytes()) * len(one.groups or (0,)) for one in self._turns)

    def zeros(self, *, waves: bool = False) -> NDArray[Any]:
        """Return an array of this process's points, or waves, filled with 0."""
        array = _empty(*self._side(waves=waves))
        array.fill(0)
        return array

    def forward(self, points: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Transform points to waves.

        Parameters
        ----------
        points : array_like
            This process's points, with the shape of ``zeros()``.
        out : ndarray, optional
            For the waves; contiguous, with the shape and type of ``zeros(waves=True)``.

        Returns
        -------
        ndarray
            This process's waves.

        Raises
        ------
        InputError
            If an array has another shape, type or order.
        """
        return self.start_forward(points, out).wait()

    def backward(self, waves: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Transform waves to points; see `forward`."""
        return self.start_backward(waves, out).wait()

    def start_forward(self, points: ArrayLike, out: NDArray[Any] | None = None) -> Pending:
        """Begin a transform and return at once.

        Transforms of several objects may go on at the same time; by collective calls they go one
        after the other. One object makes one at a time.
        Leave the arrays alone until `Pending.test` returns True or `Pending.wait` returns.
        """
        return self._start(points, out, forward=True)

    def start_backward(self, waves: ArrayLike, out: NDArray[Any] | None = None) -> Pending:
        """Begin a transform back; see `start_forward`."""
        return self._start(waves, out, forward=False)

    def _new_tag(self) -> int | None:
        """Return a tag, the same on all processes, which take it after all agree; or None."""
        if self._copy is None or self.travel == "collective":
            return None
        return self._copy.take_tag()

    def _side(self, *, waves: bool) -> tuple[tuple[int, ...], DTypeLike]:
        """Return shape and type of the arrays of one side."""
        raise NotImplementedError

    def _start(self, values: ArrayLike, out: NDArray[Any] | None, *, forward: bool) -> Pending:
        if self._busy:
            raise InputError(
                "a transform of this object goes on",
                hint="wait for it, or make another object to have two at the same time",
            )
        copy = self._copy if self.travel == "collective" else None
        if copy is not None and copy.in_collective:
            raise InputError(
                "another transform with collective calls goes on",
                hint='wait for it, or use travel="messages"',
            )
        from_shape, from_type = self._side(waves=not forward)
        to_shape, to_type = self._side(waves=forward)
        given = np.asarray(values)
        engine.real_type(given.dtype)  # refuses texts, objects and long doubles
        if np.dtype(from_type).kind == "f" and given.dtype.kind == "c":
            raise InputError("a transform of real numbers got complex ones", hint="take their real")
        source = _checked(np.require(given, from_type, ["C", "A"]), from_shape)
        if out is None:
            out = _empty(to_shape, to_type)
        elif not isinstance(out, np.ndarray):
            raise InputError("the output is no array", value=type(out).__name__)
        elif out.dtype != to_type or not out.flags.carray:
            raise InputError(
                "the output array must be contiguous, writeable and of the right type",
                value=str(out.dtype),
                limit=str(np.dtype(to_type)),
            )
        _checked(out, to_shape)
        factor = engine.scale(self.norm, int(np.prod(self.grid)), forward=forward)

        def set_busy(busy: bool) -> None:
            self._busy = busy
            if copy is not None:
                copy.in_collective = busy

        set_busy(True)
        return Pending(
            self._turns,
            self.comm,
            source,
            out,
            factor,
            forward=forward,
            over=lambda: set_busy(False),
        )

    def _agreed(self, settings: Callable[[], tuple[Any, ...]]) -> list[Any]:
        """Return the settings of all processes; the first of each is the same on all.

        An error of one process is raised on all.
        """
        problem: FinegrainError | None = None
        own: tuple[Any, ...] = ()
        try:
            own = settings()
        except FinegrainError as error:
            problem = error
        except Exception as error:  # The others wait for this process, whatever its error is.
            problem = InputError(
                "the settings of a transform cannot be read",
                value=f"{type(error).__name__}: {error}",
            )
            problem.__cause__ = error
        mine = (str(problem) if problem else "", own)
        everyone = [mine] if self.comm is None else self.comm.allgather(mine)
        if problem is not None:
            raise problem
        for rank, (text, _) in enumerate(everyone):
            if text:
                raise InputError(f"rank {rank} cannot make the transform: {text}")
        first = everyone[0][1][0]
        for rank, (_, (common, *_)) in enumerate(everyone):
            if common != first:
                raise InputError(
                    "ranks do not agree on the transform",
                    where=f"rank {rank}",
                    value=str(common),
                    limit=f"{first}, as on rank 0",
                    hint="all but the boxes is the same on all ranks",
                )
        return [settings for _, settings in everyone]


def given_or(boxes: Sequence[Box | None], usual: Callable[[], list[Box]]) -> list[Box]:
    """Return the boxes of all processes, which are given by all or by none."""
    given = [box for box in boxes if box is not None]
    if given and len(given) < len(boxes):
        raise InputError(
            "some ranks give a box and others do not",
            hint="give one on each rank; an empty one is ((0, 0, 0), (0, 0, 0))",
        )
    return given or usual()


def require_batch(batch: int | None) -> None:
    """Refuse a batch without fields."""
    if batch is None:
        return
    if whole_numbers("batch", batch)[0] < 1:
        raise InputError("a batch needs at least one field", value=str(batch))


def _empty(shape: tuple[int, ...], kind: DTypeLike) -> NDArray[Any]:
    """Return an array that begins with a cache line: large ones are then written faster."""
    line = 64
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    room = np.empty(size + line, np.uint8)
    begin = -room.ctypes.data % line
    return room[begin : begin + size].view(kind).reshape(shape)


def _checked(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if array.shape != shape:
        raise InputError(
            "an array does not have the shape of this process's box",
            value=str(array.shape),
            limit=str(shape),
        )
    return array
