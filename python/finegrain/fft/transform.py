# SPDX-License-Identifier: BSD-3-Clause
"""Three-dimensional transforms over the processes of an mpi4py communicator.

The engine computes and packs; mpi4py carries the parcels. There is no thread: an exchange goes on
while Python does other work, and `Pending.test` takes what has arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from finegrain.fft import engine, exchange_choice
from finegrain.fft.boxes import Box, as_slices, pencils, shape_of, three
from finegrain.fft.distributed import COMPLEX_TYPES, Distributed, given_or
from finegrain.fft.pending import Turns
from finegrain.fft.settings import Common, checked_settings

Parts = tuple[int, int]


class Transform(Distributed):
    """A transform of a grid of points that is divided among processes.

    Parameters
    ----------
    grid : sequence of 3 int
        Number of points along each axis.
    comm : mpi4py.MPI.Comm, optional
        The processes, which all make the same transforms in the same order; without it this process
        has the whole grid. It is duplicated once, and may be freed
        before the transform.
    real : bool, optional
        Points are real, and only waves with 0 .. n//2 along the last axis are kept.
    points, waves : Box or three slices, optional
        The part of this process, which may be empty. By default points are divided into pencils
        along the last axis, and waves into pencils along the first: the fewest exchanges.
    parts : sequence of 2 int, optional
        The number of pencils along the two divided axes between points and waves; their product is
        the number of processes. By default one exchange suffices where the grid allows it.
    dtype : dtype, optional
        float64 or complex128 (the default), or float32 or complex64.
    batch : int, optional
        The number of fields; arrays then have it as first axis. They are transformed in groups that
        fit in the caches, two of which are under way at the same time.
    norm : {"backward", "ortho", "forward"}, optional
        As in `fftn`.
    travel : {"messages", "collective", "measured"}, optional
        Parcels travel as messages, or all of an exchange in one collective call. With "measured"
        they go the faster way. It is measured when the first object of its kind is made, and
        remembered (`remembered_exchanges`). Without `parts`, shapes of pencils are measured too.
        No bit of a wave depends on it. But without `points`, `waves` and `parts` it may decide
        which points are here.
    wire : {"exact", "float"}, optional
        With "float", numbers in double precision travel rounded, in half the bytes. Each exchange
        then adds a relative error of up to 6e-8 in the norm.

    Raises
    ------
    InputError
        Boxes that overlap or leave gaps. Settings that differ between processes. Numbers of parts
        that do not make the number of processes. All processes raise it.

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
        super().__init__(comm)
        everyone = self._agreed(
            lambda: checked_settings(
                three("grid", grid),
                self._ranks,
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
        )
        common: Common = everyone[self.rank][0]
        self.grid, self.real, self.batch, self.norm = (
            common.grid,
            common.real,
            common.batch,
            common.norm,
        )
        self.wire = common.wire
        self.wave_type = np.dtype(COMPLEX_TYPES[common.single])
        self.point_type: np.dtype[Any] = self.wave_type
        if self.real:
            self.point_type = np.dtype(np.float32 if common.single else np.float64)
        self.travel, plan_parts = common.travel, common.parts
        self.measured_now = False
        if common.travel == "measured":
            self.travel, plan_parts, self.measured_now = self._choose(comm, everyone)
        all_points, all_waves = self._boxes(everyone, plan_parts)
        self.points, self.waves = all_points[self.rank], all_waves[self.rank]
        plan = engine.call("TransformPlan", self.grid, self.real, all_points, all_waves, plan_parts)
        self.parts: Parts = tuple(plan.parts)
        collective = self.travel == "collective"
        groups = plan.turns(self.batch or 1, common.single, collective)
        tags = [self._new_tag() for _ in groups]
        self._turns = [
            self._turns_of(plan, tag, *group, single=common.single)
            for tag, group in zip(tags, groups, strict=True)
        ]

    def _turns_of(
        self,
        plan: Any,
        tag: int | None,
        fields: int,
        first: int,
        step: int,
        end: int,
        *,
        single: bool,
    ) -> Turns:
        """Return a part for the groups of `fields` that begin at first, first + step, ..."""
        part = engine.call(
            "RankTransformFloat" if single else "RankTransformDouble",
            plan,
            self.rank,
            *_dense(self.points),
            *_dense(self.waves),
            fields,
            self.wire == "float",
        )
        if self.batch is None:
            return Turns(part, tag)
        return Turns(part, tag, tuple(slice(k, k + fields) for k in range(first, end, step)))

    @property
    def wave_slices(self) -> tuple[slice, slice, slice]:
        """The waves of this process as an index into an array of all waves."""
        return as_slices(self.waves)

    def _side(self, *, waves: bool) -> tuple[tuple[int, ...], DTypeLike]:
        shape = shape_of(self.waves if waves else self.points)
        kind = self.wave_type if waves else self.point_type
        return shape if self.batch is None else (self.batch, *shape), kind

    def _choose(self, comm: Any, everyone: list[Any]) -> tuple[str, Parts | None, bool]:
        """Return the fastest way to exchange, and whether it was measured now."""
        common, points, waves = everyone[self.rank]
        if comm is None or self._ranks == 1:
            return "messages", common.parts, False
        all_points, all_waves = self._boxes(everyone, common.parts)
        # Other shapes of pencils may need other exchanges, each of which would round numbers.
        rounds = common.wire == "float" and not common.single
        if common.parts is None and not rounds and points is None and waves is None:
            usual = tuple(engine.call("pencil_parts", self.grid, self._ranks))
            others = [tuple(parts) for parts in engine.call("squarest_parts", self._ranks)]
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
        self, everyone: list[Any], parts: tuple[int, int] | None
    ) -> tuple[list[Box], list[Box]]:
        """Return the boxes of all processes."""
        counts = parts or tuple(engine.call("pencil_parts", self.grid, self._ranks))
        kept = (*self.grid[:2], self.grid[2] // 2 + 1) if self.real else self.grid
        return (
            given_or([box for _, box, _ in everyone], lambda: pencils(self.grid, counts, 2)),
            given_or([box for _, _, box in everyone], lambda: pencils(kept, counts, 0)),
        )


def _dense(box: Box) -> tuple[tuple[int, int, int], int]:
    """Return the strides of a contiguous array of a box, and its size."""
    x, y, z = shape_of(box)
    return (y * z, z, 1), x * y * z
