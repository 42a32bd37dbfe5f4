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

from finegrain.errors import InputError
from finegrain.fft import engine
from finegrain.fft.boxes import Box, as_box, as_slices, bricks, pencils, shape_of, three
from finegrain.fft.distributed import COMPLEX_TYPES, Distributed, given_or, require_batch


class Transform(Distributed):
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
    ) -> None:
        super().__init__(comm)
        everyone = self._agreed(
            lambda: _settings(
                three("grid", grid), self._ranks, real, points, waves, parts, dtype, batch, norm
            )
        )
        common = everyone[self.rank][0]
        (self.grid, self.real, plan_parts, single, self.batch, self.norm) = common
        self.wave_type = np.dtype(COMPLEX_TYPES[single])
        self.point_type: np.dtype[Any] = self.wave_type
        if self.real:
            self.point_type = np.dtype(np.float32 if single else np.float64)
        all_points, all_waves = self._boxes(everyone, plan_parts)
        self.points, self.waves = all_points[self.rank], all_waves[self.rank]
        plan = engine.call("TransformPlan", self.grid, self.real, all_points, all_waves, plan_parts)
        self.parts: tuple[int, int] = tuple(plan.parts)
        self._part = engine.call(
            "RankTransformFloat" if single else "RankTransformDouble",
            plan,
            self.rank,
            *_dense(self.points),
            *_dense(self.waves),
            self.batch or 1,
        )

    @property
    def wave_slices(self) -> tuple[slice, slice, slice]:
        """The waves of this process as an index into an array of all waves."""
        return as_slices(self.waves)

    def _side(self, *, waves: bool) -> tuple[tuple[int, ...], DTypeLike]:
        shape = shape_of(self.waves if waves else self.points)
        kind = self.wave_type if waves else self.point_type
        return shape if self.batch is None else (self.batch, *shape), kind

    def _boxes(
        self, everyone: list[Any], parts: tuple[int, int] | None
    ) -> tuple[list[Box], list[Box]]:
        """Return the boxes of all processes."""
        cut = parts or tuple(engine.call("pencil_parts", self.grid, self._ranks))
        kept = (*self.grid[:2], self.grid[2] // 2 + 1) if self.real else self.grid
        return (
            given_or([box for _, box, _ in everyone], lambda: pencils(self.grid, cut, 2)),
            given_or([box for _, _, box in everyone], lambda: pencils(kept, cut, 0)),
        )


def _settings(
    grid: tuple[int, int, int],
    ranks: int,
    real: bool,
    points: Any,
    waves: Any,
    parts: Sequence[int] | None,
    dtype: DTypeLike,
    batch: int | None,
    norm: str | None,
) -> tuple[Any, ...]:
    """Return what all processes have in common, and this one's boxes."""
    require_batch(batch)
    engine.scale(norm, 1, forward=True)
    bricks(grid, (1, 1, 1))
    cut = None if parts is None else tuple(int(part) for part in parts)
    if cut is not None and (len(cut) != 2 or min(cut) < 1 or cut[0] * cut[1] != ranks):
        raise InputError(
            "parts are two numbers whose product is the number of processes",
            value=str(cut),
            limit=str(ranks),
        )
    engine.real_type(dtype)
    common = (grid, bool(real), cut, engine.single(dtype), batch, norm)
    return (
        common,
        None if points is None else as_box(points),
        None if waves is None else as_box(waves),
    )


def _dense(box: Box) -> tuple[tuple[int, int, int], int]:
    """Return the strides of a contiguous array of a box, and its size."""
    x, y, z = shape_of(box)
    return (y * z, z, 1), x * y * z
