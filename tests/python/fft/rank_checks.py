# SPDX-License-Identifier: BSD-3-Clause
"""What each process of test_fft_ranks.py does; prints one line if everything holds."""

from __future__ import annotations

import numpy as np
import pytest
from mpi4py import MPI

from finegrain import InputError, fft

comm = MPI.COMM_WORLD
ranks, rank = comm.Get_size(), comm.Get_rank()


def numbers(shape: tuple[int, ...], *, real: bool) -> np.ndarray:
    rng = np.random.default_rng(7)
    values = rng.standard_normal(shape)
    return values if real else values + 1j * rng.standard_normal(shape)


def check_bits(grid: tuple[int, int, int], *, real: bool, batch: int | None) -> None:
    """All divisions give the bits of one process."""
    shape = grid if batch is None else (batch, *grid)
    x = numbers(shape, real=real)
    axes = (-3, -2, -1)
    expected = fft.rfftn(x, axes=axes) if real else fft.fftn(x, axes=axes)
    kept = expected.shape[-3:]
    many = () if batch is None else (slice(None),)
    for boxes in (
        {},
        {"parts": (1, ranks)},
        {"points": fft.bricks(grid, (ranks, 1, 1))[rank], "waves": fft.slabs(kept, ranks, 2)[rank]},
        {"points": fft.slabs(grid, ranks, 1)[-1 - rank]},
    ):
        transform = fft.Transform(grid, comm, real=real, batch=batch, **boxes)
        mine = x[(*many, *transform.point_slices)]
        waves = transform.forward(mine)
        assert np.array_equal(waves, expected[(*many, *transform.wave_slices)]), boxes
        again = transform.backward(waves, transform.zeros())
        assert np.allclose(again, mine, rtol=0, atol=1e-14), boxes


def check_two_at_the_same_time() -> None:
    grid = (6, 8, 10)
    x = numbers(grid, real=True)
    expected = fft.rfftn(x)
    all_ = [fft.Transform(grid, comm, real=True) for _ in range(3)]
    pending = [t.start_forward(x[t.point_slices]) for t in all_]
    while not all(one.test() for one in pending):
        pass
    for transform, one in zip(all_, pending, strict=True):
        assert np.array_equal(one.wait(), expected[transform.wave_slices])


def check_refusals() -> None:
    """What one process does wrong is refused on all."""
    wrong = rank == ranks - 1
    for arguments, message in (
        ({"grid": (4, 4, 5 if wrong else 4)}, "do not agree"),
        ({"grid": (4, 4, 4), "batch": 0 if wrong else 1}, "at least one field"),
        ({"grid": (4, 4, 4), "points": ((0, 0, 0), (4, 4, 4))}, "overlap"),
        ({"grid": (4, 4, 4), "points": ((0, 0, 0), (0, 0, 0))}, "do not cover"),
        ({"grid": (4, 4, 4), **({"waves": fft.Box} if wrong else {})}, "box"),
    ):
        with pytest.raises(InputError, match=message):
            fft.Transform(**{"comm": comm, **arguments})


for real in (False, True):
    check_bits((12, 9, 10), real=real, batch=2)
    check_bits((5, 4, 7), real=real, batch=None)
    check_bits((1, 2, 16), real=real, batch=1)
check_two_at_the_same_time()
if ranks > 1:
    check_refusals()
comm.Barrier()
if rank == 0:
    print("all right")
