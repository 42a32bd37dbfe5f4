# SPDX-License-Identifier: BSD-3-Clause
"""Transforms between the plane waves of a cut-off and real space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from finegrain.errors import InputError
from finegrain.fft import engine
from finegrain.fft.boxes import Box, as_box, shape_of, three, yes_or_no
from finegrain.fft.distributed import COMPLEX_TYPES, Distributed, given_or, require_batch
from finegrain.fft.pending import Pending, Turns


class SphereTransform(Distributed):
    """A transform of orbitals that consist of the plane waves with ``|G| <= cutoff``.

    Backward is psi(r) = sum_G c(G) exp(+i G.r) over the waves of the sphere. Forward is
    c(G) = sum_r psi(r) exp(-i G.r). With the usual norm, backward has the factor 1/N for a grid of
    N points. `norm="forward"` gives that factor to forward, as is common for orbitals.

    Parameters
    ----------
    grid : sequence of 3 int
        Number of points along each axis; at least 2 m + 1 for waves with indices up to m.
    reciprocal : array_like, shape (3, 3)
        The reciprocal vectors b1, b2, b3 as rows, factor 2 pi included, in any unit. A wave with
        the indices (x, y, z) has G = x b1 + y b2 + z b3.
    cutoff : float
        The largest ``|G|``, in the unit of `reciprocal`. For an energy E in hartree and vectors in
        inverse bohr it is ``sqrt(2 * E)``.
    comm : mpi4py.MPI.Comm, optional
        The processes, which all make the same transforms in the same order. Without it this process
        has everything. It is duplicated once, and may be freed before the transform.
    real : bool, optional
        Orbitals are real, so that c(-G) is the conjugate of c(G). Then one wave of each pair is
        kept, and two orbitals share one complex transform.
    points : Box or three slices, optional
        The points of this process, which may be none. By default slabs along the last axis: the
        fewest exchanges.
    dtype : dtype, optional
        float64 or complex128 (the default), or float32 or complex64.
    batch : int, optional
        The number of orbitals that are transformed together; arrays then have it as first axis.
    norm : {"backward", "ortho", "forward"}, optional
        As in `fftn`.

    Attributes
    ----------
    waves : ndarray of int, shape (n, 3)
        The indices (x, y, z) of this process's waves, in the order of its coefficients. Processes
        have about as many waves each.
    all_waves : int
        The number of waves of all processes.

    Raises
    ------
    InputError
        A grid that is too small, or a cut-off or vectors without sense. Boxes that overlap or leave
        gaps. Settings that differ between processes. All processes raise it.

    Notes
    -----
    Coefficients are arrays of n numbers, or (batch, n). Points are complex arrays of the shape of
    the box, or (batch, ...). With `real` there are (batch + 1) // 2 fields. Orbitals 2k and 2k + 1
    of a batch are the real and the imaginary part of field k. A single orbital, or the last of an
    odd number, is the real part of its field. The imaginary part of that is zero but for rounding.
    The imaginary part of c(0) is not read.

    Examples
    --------
    >>> import numpy as np
    >>> from finegrain.fft import SphereTransform
    >>> transform = SphereTransform((8, 8, 8), np.eye(3), 2.5, norm="forward")
    >>> transform.all_waves
    81
    >>> c = transform.zeros(waves=True)
    >>> c[(transform.waves == 0).all(axis=1)] = 1
    >>> np.allclose(transform.backward(c), 1)
    True
    """

    def __init__(
        self,
        grid: Sequence[int],
        reciprocal: ArrayLike,
        cutoff: float,
        comm: Any = None,
        *,
        real: bool = False,
        points: Any = None,
        dtype: DTypeLike = np.float64,
        batch: int | None = None,
        norm: str | None = None,
    ) -> None:
        super().__init__(comm)
        everyone = self._agreed(
            lambda: _settings(grid, reciprocal, cutoff, real, points, dtype, batch, norm)
        )
        (self.grid, vectors, self.cutoff, self.real, single, self.batch, self.norm) = everyone[0][0]
        self.type = np.dtype(COMPLEX_TYPES[single])
        boxes: list[Box] = given_or(
            [box for _, box in everyone],
            lambda: engine.call("boxes_for_sphere", self.grid, self._ranks),
        )
        self.points = as_box(boxes[self.rank])
        plan = engine.call("SpherePlan", self.grid, vectors, self.cutoff, self.real, boxes)
        self.all_waves = int(plan.waves)
        self.waves: NDArray[np.int64] = np.array(
            plan.indices_of(self.rank), dtype=np.int64
        ).reshape(-1, 3)
        tag = self._new_tag()
        part = engine.call(
            "RankSphereFloat" if single else "RankSphereDouble", plan, self.rank, self.batch or 1
        )
        self._turns = [Turns(part, tag)]

    def _side(self, *, waves: bool) -> tuple[tuple[int, ...], DTypeLike]:
        shape = (len(self.waves),) if waves else shape_of(self.points)
        if self.batch is None:
            return shape, self.type
        paired = self.real and not waves
        return ((self.batch + 1) // 2 if paired else self.batch, *shape), self.type

    def _start(self, values: ArrayLike, out: NDArray[Any] | None, *, forward: bool) -> Pending:
        if out is not None and np.may_share_memory(np.asarray(values), out):
            raise InputError(
                "points and waves of a sphere share memory",
                hint="use two arrays, or leave out `out`",
            )
        return super()._start(values, out, forward=forward)


def _settings(
    grid: Sequence[int],
    reciprocal: ArrayLike,
    cutoff: float,
    real: bool,
    points: Any,
    dtype: DTypeLike,
    batch: int | None,
    norm: str | None,
) -> tuple[Any, ...]:
    """Return what all processes have in common, and this one's box."""
    sizes = three("grid", grid)
    require_batch(batch)
    engine.scale(norm, 1, forward=True)
    engine.real_type(dtype)
    vectors = np.asarray(reciprocal, dtype=np.float64)
    if vectors.shape != (3, 3) or not np.isfinite(vectors).all():
        raise InputError(
            "the reciprocal vectors are not three finite vectors",
            value=str(vectors.tolist()),
            limit="shape (3, 3)",
            hint="give b1, b2, b3 as rows: 2 * np.pi * np.linalg.inv(cell).T of a cell with rows "
            "a1, a2, a3",
        )
    if not (np.isfinite(cutoff) and cutoff >= 0):
        raise InputError(
            "the cut-off of a sphere of waves is not a length",
            value=str(cutoff),
            limit="a finite number, not negative",
            hint="give the largest |G|, in the unit of the reciprocal vectors",
        )
    common = (
        sizes,
        vectors.tolist(),
        float(cutoff),
        yes_or_no("real", real),
        engine.single(dtype),
        batch,
        norm,
    )
    return common, None if points is None else as_box(points)
