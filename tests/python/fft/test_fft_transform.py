# SPDX-License-Identifier: BSD-3-Clause
"""A three-dimensional transform in one process, its arrays and what it refuses; and boxes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain import _engine, fft

GRID = (6, 5, 8)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).standard_normal(shape)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_has_the_bits_of_the_functions_for_arrays(dtype: Any) -> None:
    x = numbers(*GRID).astype(dtype)
    assert np.array_equal(fft.Transform(GRID, real=True, dtype=dtype).forward(x), fft.rfftn(x))
    assert np.array_equal(fft.Transform(GRID, dtype=dtype).forward(x), fft.fftn(x))
    waves = fft.rfftn(x)
    points = fft.Transform(GRID, real=True, dtype=dtype).backward(waves)
    assert np.array_equal(points, fft.irfftn(waves, GRID))


def test_norms_batches_and_given_arrays() -> None:
    x = numbers(3, *GRID)
    for norm in ("backward", "ortho", "forward"):
        transform = fft.Transform(GRID, real=True, batch=3, norm=norm)
        waves = transform.zeros(waves=True)
        assert transform.forward(x, waves) is waves
        assert np.allclose(waves, np.fft.rfftn(x, axes=(1, 2, 3), norm=norm), rtol=0, atol=1e-12)
        assert np.allclose(transform.backward(waves), x, rtol=0, atol=1e-14)


def test_one_array_may_be_both_sides() -> None:
    x = (numbers(*GRID) + 0j).astype(np.complex128)
    expected = fft.fftn(x)
    fft.Transform(GRID).forward(x, x)
    assert np.array_equal(x, expected)


def refused(message: str, call: Any) -> None:
    with pytest.raises(fg.InputError, match=message):
        call()


def test_arrays_that_do_not_fit_are_refused() -> None:
    transform = fft.Transform(GRID, real=True)
    refused("shape of this process's box", lambda: transform.forward(numbers(6, 5, 7)))
    refused("shape of this process's box", lambda: transform.forward(numbers(1, *GRID)))
    refused("complex", lambda: transform.forward(numbers(*GRID) + 1j))
    wrong_type = np.zeros((6, 5, 5), np.complex64)
    refused("output array", lambda: transform.forward(numbers(*GRID), wrong_type))
    not_contiguous = np.zeros((6, 5, 10), np.complex128)[:, :, ::2]
    refused("output array", lambda: transform.forward(numbers(*GRID), not_contiguous))
    refused("is no array", lambda: transform.forward(numbers(*GRID), [0.0]))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["U8", "S8", object, np.longdouble])
def test_numbers_of_types_that_would_be_rounded_silently_are_refused(kind: Any) -> None:
    for values in (np.ones(GRID).astype(kind), np.ones(GRID, kind)):
        refused("cannot be transformed", lambda: fft.Transform(GRID).forward(values))  # noqa: B023


def test_settings_without_sense_are_refused() -> None:
    refused("grid needs three", lambda: fft.Transform((4, 4)))
    refused("grid needs three", lambda: fft.Transform((4, 0, 4)))
    refused("at least one field", lambda: fft.Transform(GRID, batch=0))
    refused("whole numbers", lambda: fft.Transform(GRID, batch=True))
    refused("whole numbers", lambda: fft.Transform((6, True, 7)))
    refused("1 to 2147483647", lambda: fft.Transform((4, 4, 2**40)))
    refused("write True or False", lambda: fft.Transform(GRID, real="no"))  # type: ignore[arg-type]
    refused("parts are two", lambda: fft.Transform(GRID, parts=(2, 1)))
    refused("unknown norm", lambda: fft.Transform(GRID, norm="no"))
    refused("parcels do not travel so", lambda: fft.Transform(GRID, travel="pigeon"))
    refused("numbers do not travel so", lambda: fft.Transform(GRID, wire="double"))
    refused("cannot be transformed", lambda: fft.Transform(GRID, dtype=np.longdouble))
    refused("a box is two corners", lambda: fft.Transform(GRID, points=(1, 2, 3)))
    refused("leaves the grid", lambda: fft.Transform(GRID, points=((0, 0, 0), (6, 5, 9))))
    refused("do not cover", lambda: fft.Transform(GRID, waves=((0, 0, 0), (6, 5, 7))))


@pytest.mark.parametrize("parts", [(1, 1, 1), (2, 3, 4), (7, 5, 9)])
def test_bricks_cover_the_grid_once(parts: tuple[int, int, int]) -> None:
    count = np.zeros(GRID, int)
    sizes = []
    for (a, b, c), (d, e, f) in fft.bricks(GRID, parts):
        count[a:d, b:e, c:f] += 1
        sizes.append((d - a, e - b, f - c))
    assert (count == 1).all()
    assert (np.ptp(sizes, axis=0) <= 1).all()


def test_one_process_has_nothing_to_measure_and_nothing_to_round() -> None:
    x = numbers(*GRID)
    transform = fft.Transform(GRID, real=True, travel="measured", wire="float")
    assert (transform.travel, transform.measured_now, transform.exchanges) == ("messages", False, 0)
    assert np.array_equal(transform.forward(x), fft.rfftn(x))


def test_what_was_measured_can_be_seen_and_forgotten(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / "finegrain" / "transforms.json"
    assert fft.exchange_file() == file
    assert fft.remembered_exchanges() == {}
    fft.forget_exchanges()
    _engine.remember_exchange("a grid", "collective", (2, 3), [("messages 2 x 3", 7.5)])
    assert fft.remembered_exchanges() == {
        "a grid": {"travel": "collective", "parts": [2, 3], "microseconds": {"messages 2 x 3": 7.5}}
    }
    fft.forget_exchanges()
    assert not file.exists()


def test_pencils_and_slabs_are_bricks() -> None:
    assert fft.pencils(GRID, (2, 4), axis=1) == fft.bricks(GRID, (2, 1, 4))
    assert fft.slabs(GRID, 3, axis=2) == fft.bricks(GRID, (1, 1, 3))
    refused("axes 0, 1 and 2", lambda: fft.pencils(GRID, (2, 4), axis=3))
    refused("axes 0, 1 and 2", lambda: fft.slabs(GRID, 4, axis=-1))
    refused("along two axes", lambda: fft.pencils(GRID, (2,), axis=1))
    refused("three numbers", lambda: fft.bricks(GRID, (2, 0, 1)))
