# SPDX-License-Identifier: BSD-3-Clause
"""What each process of test_fft_ranks.py does; prints one line if everything holds."""

import gc
import warnings

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
        {"travel": "collective"},
        {"travel": "measured"} if batch is None else {},
    ):
        transform = fft.Transform(grid, comm, real=real, batch=batch, **boxes)
        mine = x[(*many, *transform.point_slices)]
        waves = transform.forward(mine)
        assert np.array_equal(waves, expected[(*many, *transform.wave_slices)]), boxes
        again = transform.backward(waves, transform.zeros())
        assert np.allclose(again, mine, rtol=0, atol=1e-14), boxes


def check_groups_of_a_batch(*, real: bool) -> None:
    """Fields of a large batch go in groups, with the bits of a single field and few buffers."""
    grid, batch = (32, 31, 33), 7  # groups of one or two, and what is left over
    x = numbers((batch, *grid), real=real)
    expected = (fft.rfftn if real else fft.fftn)(x, axes=(1, 2, 3))
    single = fft.Transform(grid, comm, real=real)
    for travel in ("messages", "collective"):
        transform = fft.Transform(grid, comm, real=real, batch=batch, travel=travel)
        mine = np.ascontiguousarray(x[(slice(None), *transform.point_slices)])
        waves = transform.forward(mine)
        assert np.array_equal(waves, expected[(slice(None), *transform.wave_slices)]), travel
        assert np.array_equal(waves[3], single.forward(mine[3])), travel
        pending = transform.start_backward(waves)
        while not pending.test():
            pass
        assert np.allclose(pending.wait(), mine, rtol=0, atol=1e-14), travel
        assert transform.sent_bytes == batch * single.sent_bytes
        larger = fft.Transform(grid, comm, real=real, batch=2 * batch, travel=travel)
        # Groups of at most 2^18 bytes, two of them and what is left over.
        assert memory_of(larger) <= 3 * max(memory_of(single), 2 * 2**18), travel


def memory_of(transform: fft.Transform) -> int:
    return sum(turns.part.memory() for turns in transform._turns)


def check_a_batch_in_one_array() -> None:
    """Waves are written where points are, field by field, without harm to later fields."""
    grid, batch = (32, 31, 33), 3
    x = numbers((batch, *grid), real=False)
    expected = fft.fftn(x, axes=(1, 2, 3))
    box = fft.slabs(grid, ranks, 0)[rank]
    transform = fft.Transform(grid, comm, batch=batch, points=box, waves=box)
    both = np.ascontiguousarray(x[(slice(None), *transform.point_slices)])
    assert transform.forward(both, both) is both
    assert np.array_equal(both, expected[(slice(None), *transform.wave_slices)])


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


def check_float_on_the_wire() -> None:
    """Half the bytes, and an error of at most 2^-24 for each exchange."""
    grid = (12, 9, 10)
    x = numbers(grid, real=False)
    expected = fft.fftn(x)
    for travel in ("messages", "collective", "measured"):
        exact = fft.Transform(grid, comm)
        close = fft.Transform(grid, comm, wire="float", travel=travel)
        assert 2 * close.sent_bytes == exact.sent_bytes
        error = close.forward(x[close.point_slices]) - expected[close.wave_slices]
        squares = comm.allreduce(float(np.vdot(error, error).real))
        bound = close.exchanges * 2.0**-24 + 1e-15
        assert np.sqrt(squares) <= bound * np.linalg.norm(expected), travel
    float32 = {"dtype": np.float32, "real": True}
    one, two = (
        fft.Transform(grid, comm, **float32),
        fft.Transform(grid, comm, wire="float", **float32),
    )
    mine = x.real[one.point_slices]
    assert np.array_equal(one.forward(mine), two.forward(mine))


def check_memory() -> None:
    """What is measured is remembered; all processes have the same; a damaged file does no harm."""
    first = fft.Transform((8, 6, 10), comm, travel="measured")
    again = fft.Transform((8, 6, 10), comm, travel="measured")
    for transform, measured in ((first, ranks > 1), (again, False)):
        everyone = comm.allgather((transform.travel, transform.parts, transform.measured_now))
        assert everyone == everyone[:1] * ranks
        assert everyone[0][2] == measured
    assert (again.travel, again.parts) == (first.travel, first.parts)
    if ranks == 1:
        return
    comm.Barrier()
    assert any("8 x 6 x 10 complex double" in key for key in fft.remembered_exchanges())
    comm.Barrier()
    if rank == 0:
        fft.exchange_file().write_text("{ this is no JSON")
    comm.Barrier()
    with pytest.raises(InputError, match="damaged"):
        fft.remembered_exchanges()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            assert fft.Transform((8, 6, 10), comm, travel="measured").measured_now
    assert len(caught) == (1 if rank == 0 else 0)
    assert all("is damaged" in str(one.message) for one in caught)
    comm.Barrier()
    if rank == 0:
        fft.forget_exchanges()
    comm.Barrier()
    assert fft.remembered_exchanges() == {}


def check_one_collective_at_a_time() -> None:
    grid = (6, 8, 10)
    one, two = (fft.Transform(grid, comm, travel="collective") for _ in range(2))
    pending = one.start_forward(one.zeros())
    with pytest.raises(InputError, match="collective calls goes on"):
        two.start_forward(two.zeros())
    pending.wait()
    two.forward(two.zeros())


def check_communicators_of_some() -> None:
    """Transforms over a part of the processes do not disturb those over all."""
    part = comm.Split(int(rank == 0))
    x = numbers((4, 6, 8), real=True)
    small = fft.Transform(x.shape, part, real=True)
    if rank == 0:
        fft.Transform(x.shape, part, real=True)  # one more than the others make
    large = fft.Transform(x.shape, comm, real=True)
    expected = fft.rfftn(x)
    for transform in (small, large):
        waves = transform.forward(x[transform.point_slices])
        assert np.array_equal(waves, expected[transform.wave_slices])
    part.Free()


def check_communicators_freed_by_their_owner() -> None:
    """A transform has a communicator of its own until it is gone itself."""
    x = numbers((4, 6, 8), real=False)
    expected = fft.fftn(x)
    vectors = np.eye(3)
    for travel in ("messages", "collective", "measured"):
        own = comm.Dup()
        transform = fft.Transform(x.shape, own, travel=travel)
        sphere = fft.SphereTransform((8, 8, 8), vectors, 2.5, own)
        pending = transform.start_forward(x[transform.point_slices])
        own.Free()
        assert np.array_equal(pending.wait(), expected[transform.wave_slices])
        for _ in range(2):
            waves = transform.forward(x[transform.point_slices])
            assert np.array_equal(waves, expected[transform.wave_slices])
        sphere.backward(sphere.zeros(waves=True))


def check_duplicates_are_freed() -> None:
    """A duplicate ends with the communicator or the last transform, whichever is later."""
    for last in ("transform", "communicator"):
        own = comm.Dup()
        transforms = [fft.Transform((2, 2, 2), own) for _ in range(2)]
        duplicate = transforms[0].comm
        assert transforms[1].comm is duplicate
        if last == "transform":
            own.Free()
            transforms.pop()
            gc.collect()
            assert duplicate != MPI.COMM_NULL
            transforms.clear()
        else:
            transforms.clear()
            gc.collect()
            assert duplicate != MPI.COMM_NULL
            own.Free()
        gc.collect()
        assert duplicate == MPI.COMM_NULL


def check_spheres(*, real: bool, batch: int | None) -> None:
    """Orbitals have the bits of one process in any boxes, and coefficients come back."""
    grid, vectors = (9, 10, 12), np.diag([1.0, 0.8, 0.7]) + 0.1
    alone = fft.SphereTransform(grid, vectors, 2.5, real=real, batch=batch, norm="forward")
    many = () if batch is None else (batch,)
    c = numbers((*many, alone.all_waves), real=False)
    c[..., (alone.waves == 0).all(axis=1)] = 1
    expected = alone.backward(c)
    place = {tuple(wave): k for k, wave in enumerate(alone.waves)}
    all_ = (slice(None),) * len(many)
    for boxes in ({}, {"points": fft.slabs(grid, ranks, 0)[rank]}):
        transform = fft.SphereTransform(
            grid, vectors, 2.5, comm, real=real, batch=batch, norm="forward", **boxes
        )
        mine = c[(*all_, [place[tuple(wave)] for wave in transform.waves])]
        assert sum(comm.allgather(len(transform.waves))) == alone.all_waves
        points = transform.backward(mine)
        assert np.array_equal(points, expected[(*all_, *transform.point_slices)]), boxes
        assert np.allclose(transform.forward(points), mine, rtol=0, atol=1e-14), boxes


def check_refusals_of_spheres() -> None:
    """What one process does wrong is refused on all."""
    wrong = rank == ranks - 1
    for cutoff, vectors, message in (
        (2.5 if wrong else 2, np.eye(3), "do not agree"),
        (np.nan if wrong else 2, np.eye(3), "cut-off"),
        (2, np.eye(2) if wrong else np.eye(3), "three finite vectors"),
        (4, np.eye(3), "too large for the grid"),
    ):
        with pytest.raises(InputError, match=message):
            fft.SphereTransform((8, 8, 8), vectors, cutoff, comm)


def check_refusals() -> None:
    """What one process does wrong is refused on all."""
    wrong = rank == ranks - 1
    for arguments, message in (
        ({"grid": (4, 4, 5 if wrong else 4)}, "do not agree"),
        ({"grid": (4, 4, 4), "travel": "measured" if wrong else "messages"}, "do not agree"),
        ({"grid": (4, 4, 4), "wire": "float" if wrong else "exact"}, "do not agree"),
        ({"grid": (4, 4, 4), "travel": "pigeon"}, "do not travel so"),
        ({"grid": (4, 4, 4), "batch": 0 if wrong else 1}, "at least one field"),
        ({"grid": (4, 4, 4), "points": ((0, 0, 0), (4, 4, 4))}, "overlap"),
        ({"grid": (4, 4, 4), "points": ((0, 0, 0), (0, 0, 0))}, "do not cover"),
        ({"grid": (4, 4, 4), **({"waves": fft.Box} if wrong else {})}, "box"),
        ({"grid": (4, 4, 4), **({"dtype": "no type"} if wrong else {})}, "cannot be read"),
        ({"grid": (4, 4, 4.5 if wrong else 4)}, "whole numbers"),
        ({"grid": None if wrong else (4, 4, 4)}, "whole numbers"),
        ({"grid": (4, 4, 4), "batch": 1.5 if wrong else 1}, "whole numbers"),
    ):
        with pytest.raises(InputError, match=message):
            fft.Transform(**{"comm": comm, **arguments})


for real in (False, True):
    check_bits((12, 9, 10), real=real, batch=2)
    check_bits((5, 4, 7), real=real, batch=None)
    check_bits((1, 2, 16), real=real, batch=1)
for real in (False, True):
    check_spheres(real=real, batch=None)
    check_spheres(real=real, batch=3)
for real in (False, True):
    check_groups_of_a_batch(real=real)
check_a_batch_in_one_array()
check_two_at_the_same_time()
check_float_on_the_wire()
check_memory()
check_communicators_freed_by_their_owner()
check_duplicates_are_freed()
if ranks > 1:
    check_one_collective_at_a_time()
    check_communicators_of_some()
    check_refusals()
    check_refusals_of_spheres()
comm.Barrier()
if rank == 0:
    print("all right")
