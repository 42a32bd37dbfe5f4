# SPDX-License-Identifier: BSD-3-Clause
"""Three-dimensional transforms over the processes of an mpi4py communicator.

The engine computes and packs; mpi4py carries the parcels. There is no thread: an exchange goes on
while Python does other work, and `Pending.test` takes what has arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from finegrain.errors import FinegrainError, InputError
from finegrain.fft import engine, exchange_choice
from finegrain.fft.boxes import Box, as_slices, pencils, shape_of, three
from finegrain.fft.communicator import copy_of
from finegrain.fft.pending import Pending
from finegrain.fft.settings import Common, checked_settings

Parts = tuple[int, int]


class Transform:
    """A transform of a grid of points that is divided among processes.

    Parameters
    ----------
    grid : sequence of 3 int
        Number of points along each axis.
    comm : mpi4py.MPI.Comm, optional
        The processes, which all make the same transforms in the same order; without it this process
        has the whole grid. It is duplicated once.
    real : bool, optional
        Points are real; of the waves, those with 0 .. n//2 along the last axis are kept.
    points, waves : Box or three slices, optional
        The part of this process, which may be empty. By default points are divided into pencils
        along the last axis, and waves into pencils along the first: the fewest exchanges.
    parts : sequence of 2 int, optional
        The number of pencils along the two divided axes between points and waves; their product is
        the number of processes. By default one exchange suffices where the grid allows it.
    dtype : dtype, optional
        float64 or complex128 (the default), or float32 or complex64.
    batch : int, optional
        The number of fields that are transformed together; arrays then have it as first axis.
    norm : {"backward", "ortho", "forward"}, optional
        As in `fftn`.
    travel : {"messages", "collective", "measured"}, optional
        Parcels travel as messages, or all of an exchange in one collective call, or as is fastest:
        that is measured when the first object of its kind is made, with the shapes of pencils if
        `parts` is left out, and remembered (`remembered_exchanges`). No bit of a wave depends on
        it; but without `points`, `waves` and `parts` it may decide which points are here.
    wire : {"exact", "float"}, optional
        With "float", numbers in double precision travel in half the bytes, rounded; each exchange
        then adds a relative error of up to 6e-8 in the norm.

    Raises
    ------
    InputError
        On all processes: boxes that overlap or leave gaps, settings that differ between processes,
        numbers of parts that do not make the number of processes.

    Examples
    --------
    >>> from finegrain.fft import Transform
    >>> transform = Transform((8, 8, 8), real=True)
    >>> x = transform.zeros()
    >>> x[0, 0, 0] = 1
    >>> transform.forward(x).shape
    (8, 8, 5)
    """

    def __init__(
        self,
        grid: Sequence[int],
        comm: Any = None,
        *,
        real: bool = False,
        points: Any = None,
        waves: Any = None,
        parts: Sequence[int] | None = None,
        dtype: DTypeLike = np.float64,
        batch: int | None = None,
        norm: str | None = None,
        travel: str = "messages",
        wire: str = "exact",
    ) -> None:
        self._copy = None if comm is None else copy_of(comm)
        self.comm = None if self._copy is None else self._copy.comm
        self.rank = 0 if comm is None else int(comm.Get_rank())
        ranks = 1 if comm is None else int(comm.Get_size())
        problem: FinegrainError | None = None
        settings: Any = None
        try:
            settings = checked_settings(
                three("grid", grid),
                ranks,
                real=real,
                points=points,
                waves=waves,
                parts=parts,
                dtype=dtype,
                batch=batch,
                norm=norm,
                travel=travel,
                wire=wire,
            )
        except FinegrainError as error:
            problem = error
        everyone = self._agreed(problem, settings)
        common: Common = everyone[self.rank][0]
        self.grid, self.real, self.batch, self.norm = (
            common.grid,
            common.real,
            common.batch,
            common.norm,
        )
        self.wire = common.wire
        self.point_type = np.dtype(_POINT_TYPES[common.real, common.single])
        self.wave_type = np.dtype(_POINT_TYPES[False, common.single])
        self.travel, plan_parts = common.travel, common.parts
        self.measured_now = False
        if common.travel == "measured":
            self.travel, plan_parts, self.measured_now = self._choose(comm, everyone, ranks)
        all_points, all_waves = self._boxes(everyone, ranks, plan_parts)
        self.points, self.waves = all_points[self.rank], all_waves[self.rank]
        plan = engine.call("TransformPlan", self.grid, self.real, all_points, all_waves, plan_parts)
        self.parts: Parts = tuple(plan.parts)
        self._part = engine.call(
            "RankTransformFloat" if common.single else "RankTransformDouble",
            plan,
            self.rank,
            *_dense(self.points),
            *_dense(self.waves),
            self.batch or 1,
            self.wire == "float",
        )
        self._tag = 0 if self._copy is None else self._copy.take_tag()
        self._busy = False

    @property
    def point_slices(self) -> tuple[slice, slice, slice]:
        """The points of this process as an index into an array of the whole grid."""
        return as_slices(self.points)

    @property
    def wave_slices(self) -> tuple[slice, slice, slice]:
        """The waves of this process as an index into an array of all waves."""
        return as_slices(self.waves)

    @property
    def exchanges(self) -> int:
        """How often numbers change process in one transform."""
        return int(self._part.exchanges())

    @property
    def sent_bytes(self) -> int:
        """What this process sends in one transform."""
        return int(self._part.sent_bytes())

    def zeros(self, *, waves: bool = False) -> NDArray[Any]:
        """Return an array of this process's points, or waves, filled with 0."""
        box = self.waves if waves else self.points
        kind = self.wave_type if waves else self.point_type
        return np.zeros(self._shape(box), kind)

    def forward(self, points: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Transform points to waves.

        Parameters
        ----------
        points : array_like
            This process's points, (batch,) x shape of the box.
        out : ndarray, optional
            For the waves; contiguous, of the type `wave_type`.

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

        Transforms of several objects may go on at the same time, by collective calls one at a time;
        one object makes one at a time.
        Leave the arrays alone until `Pending.test` returns True or `Pending.wait` returns.
        """
        return self._start(True, points, out)

    def start_backward(self, waves: ArrayLike, out: NDArray[Any] | None = None) -> Pending:
        """Begin a transform back; see `start_forward`."""
        return self._start(False, waves, out)

    def _start(self, forward: bool, values: ArrayLike, out: NDArray[Any] | None) -> Pending:
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
        to_shape = self._shape(self.waves if forward else self.points)
        to_type = self.wave_type if forward else self.point_type
        from_type = self.point_type if forward else self.wave_type
        given = np.asarray(values)
        if from_type.kind == "f" and given.dtype.kind == "c":
            raise InputError("a transform of real numbers got complex ones", hint="take their real")
        from_shape = self._shape(self.points if forward else self.waves)
        source = _checked(np.ascontiguousarray(given, from_type), from_shape)
        if out is None:
            out = np.empty(to_shape, to_type)
        elif out.dtype != to_type or not out.flags.c_contiguous or not out.flags.writeable:
            raise InputError(
                "the output array must be contiguous, writeable and of the right type",
                value=str(out.dtype),
                limit=str(to_type),
            )
        _checked(out, to_shape)
        factor = engine.scale(self.norm, int(np.prod(self.grid)), forward=forward)

        def set_busy(busy: bool) -> None:
            self._busy = busy
            if copy is not None:
                copy.in_collective = busy

        set_busy(True)
        return Pending(
            self._part,
            self.comm,
            None if copy is not None else self._tag,
            source,
            out,
            factor,
            forward=forward,
            over=lambda: set_busy(False),
        )

    def _shape(self, box: Box) -> tuple[int, ...]:
        shape = shape_of(box)
        return shape if self.batch is None else (self.batch, *shape)

    def _agreed(self, problem: FinegrainError | None, settings: Any) -> list[Any]:
        """Return the settings of all processes; an error of one is raised on all."""
        mine = (str(problem) if problem else "", settings)
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

    def _choose(self, comm: Any, everyone: list[Any], ranks: int) -> tuple[str, Parts | None, bool]:
        """Return the fastest way to exchange, and whether it was measured now."""
        common, points, waves = everyone[self.rank]
        if comm is None or ranks == 1:
            return "messages", common.parts, False
        all_points, all_waves = self._boxes(everyone, ranks, common.parts)
        # Other shapes of pencils may need other exchanges, each of which would round numbers.
        rounds = common.wire == "float" and not common.single
        if common.parts is None and not rounds and points is None and waves is None:
            usual = tuple(engine.call("pencil_parts", self.grid, ranks))
            others = [tuple(parts) for parts in engine.call("squarest_parts", ranks)]
            shapes = [usual, *[parts for parts in others if parts != usual]][:5]
        else:
            args = (self.grid, self.real, all_points, all_waves, common.parts)
            shapes = [tuple(parts) for parts in engine.call("pencil_shapes", *args)]
            shapes = shapes[:1] if rounds else shapes

        def make(travel: str, parts: Parts) -> Transform:
            return Transform(
                common.grid,
                comm,
                real=common.real,
                points=points,
                waves=waves,
                parts=parts,
                dtype=np.float32 if common.single else np.float64,
                batch=common.batch,
                norm=common.norm,
                travel=travel,
                wire=common.wire,
            )

        boxes = [entry[1:] for entry in everyone]
        key = exchange_choice.key_of(self.comm, common.text(), boxes)
        return exchange_choice.choose(self.comm, make, shapes, key)

    def _boxes(
        self, everyone: list[Any], ranks: int, parts: tuple[int, int] | None
    ) -> tuple[list[Box], list[Box]]:
        """Return the boxes of all processes; those of one process are given by all or by none."""
        cut = parts or tuple(engine.call("pencil_parts", self.grid, ranks))
        kept = (*self.grid[:2], self.grid[2] // 2 + 1) if self.real else self.grid
        result = []
        for which, size, axis in ((1, self.grid, 2), (2, kept, 0)):
            given = [settings[which] for settings in everyone]
            if any(box is None for box in given):
                if not all(box is None for box in given):
                    raise InputError(
                        "some ranks give a box and others do not",
                        hint="give one on each rank; an empty one is ((0, 0, 0), (0, 0, 0))",
                    )
                given = pencils(size, cut, axis)
            result.append(given)
        return result[0], result[1]


_POINT_TYPES = {
    (False, False): np.complex128,
    (False, True): np.complex64,
    (True, False): np.float64,
    (True, True): np.float32,
}


def _dense(box: Box) -> tuple[tuple[int, int, int], int]:
    """Return the strides of a contiguous array of a box, and its size."""
    x, y, z = shape_of(box)
    return (y * z, z, 1), x * y * z


def _checked(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if array.shape != shape:
        raise InputError(
            "an array does not have the shape of this process's box",
            value=str(array.shape),
            limit=str(shape),
        )
    return array
