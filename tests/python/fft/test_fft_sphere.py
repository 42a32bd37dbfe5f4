# SPDX-License-Identifier: BSD-3-Clause
"""Orbitals of the plane waves up to a cut-off in one process, beside numpy; what is refused."""

from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain import fft

GRID = (12, 10, 9)
SKEW = np.array([[1.0, 0.2, 0.0], [-0.1, 1.1, 0.3], [0.0, 0.1, 1.4]])
CUTOFF = 3.9


def coefficients(transform: fft.SphereTransform, *batch: int) -> np.ndarray:
    rng = np.random.default_rng(11)
    shape = (*batch, len(transform.waves))
    c = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    if transform.real:
        origin = (transform.waves == 0).all(axis=1)
        c[..., origin] = c[..., origin].real
    return c.astype(transform.type)


def padded(transform: fft.SphereTransform, c: np.ndarray) -> np.ndarray:
    """Return the coefficients of one orbital on the grid, with those of -G if it is real."""
    waves = np.zeros(GRID, np.complex128)
    waves[tuple(-transform.waves.T)] = c.conj()
    if not transform.real:
        waves[:] = 0
    waves[tuple(transform.waves.T)] = c
    return waves


@pytest.mark.parametrize("real", [False, True])
def test_the_waves_are_those_below_the_cutoff(real: bool) -> None:
    transform = fft.SphereTransform(GRID, SKEW, CUTOFF, real=real)
    x, y, z = np.meshgrid(*(np.arange(-8, 9),) * 3, indexing="ij")
    indices = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    inside = indices[np.linalg.norm(indices @ SKEW, axis=1) <= CUTOFF]
    if real:  # x > 0, or x = 0 and y > 0, or x = y = 0 and z >= 0: not before (0, 0, 0)
        inside = np.array([g for g in inside.tolist() if g >= [0, 0, 0]])
    assert transform.all_waves == len(inside)
    assert np.array_equal(transform.waves, inside)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("real", [False, True])
def test_orbitals_are_those_of_numpy_on_the_padded_grid(real: bool, dtype: Any) -> None:
    batch = 3
    transform = fft.SphereTransform(GRID, SKEW, CUTOFF, real=real, batch=batch, dtype=dtype)
    c = coefficients(transform, batch)
    points = transform.backward(c)
    assert points.shape == ((2 if real else 3), *GRID)
    # 2 eps log2 N of a transform, relative to the norm, and as much for numpy's.
    bound = 4 * np.finfo(dtype).eps * np.log2(np.prod(GRID))
    for k in range(batch):
        expected = np.fft.ifftn(padded(transform, c[k]))
        orbital = (points[k // 2].imag if k % 2 else points[k // 2].real) if real else points[k]
        assert np.linalg.norm(orbital - expected) <= bound * np.linalg.norm(points)
    again = transform.forward(points)
    assert np.linalg.norm(again - c) <= bound * np.linalg.norm(c)


def test_two_real_orbitals_together_are_what_each_is_alone() -> None:
    pair = fft.SphereTransform(GRID, SKEW, CUTOFF, real=True, batch=2)
    single = fft.SphereTransform(GRID, SKEW, CUTOFF, real=True)
    c = coefficients(pair, 2)
    together = pair.backward(c)[0]
    alone = [single.backward(one) for one in c]
    bound = 4 * np.finfo(float).eps * np.log2(np.prod(GRID)) * np.linalg.norm(together)
    assert np.linalg.norm(together.real - alone[0].real) <= bound
    assert np.linalg.norm(together.imag - alone[1].real) <= bound
    assert max(np.linalg.norm(one.imag) for one in alone) <= bound


def test_overlaps_of_real_orbitals_are_those_of_their_points() -> None:
    """<a|b> is the sum over the half sphere, each wave but the origin counted twice."""
    transform = fft.SphereTransform(GRID, SKEW, CUTOFF, real=True, batch=2, norm="ortho")
    c = coefficients(transform, 2)
    field = transform.backward(c)[0]
    weights = np.where((transform.waves == 0).all(axis=1), 1, 2)
    for a, b in ((0, 0), (0, 1), (1, 1)):
        of_waves = (weights * (c[a].conj() * c[b]).real).sum()
        of_points = np.vdot((field.real, field.imag)[a], (field.real, field.imag)[b])
        # Rounding of the transforms, and of sums of the products.
        assert of_points == pytest.approx(of_waves, abs=1e-13 * np.vdot(c, c).real)


def test_a_norm_of_the_forward_kind_makes_a_plane_wave_of_one_coefficient() -> None:
    transform = fft.SphereTransform(GRID, SKEW, CUTOFF, norm="forward")
    c = transform.zeros(waves=True)
    index = np.array([2, -1, 1])
    c[(transform.waves == index).all(axis=1)] = 1
    r = np.stack(np.meshgrid(*(np.arange(n) / n for n in GRID), indexing="ij"), axis=-1)
    wave = np.exp(2j * np.pi * (r @ index))
    # The angles are rounded, of up to 2 pi 4.
    assert np.allclose(transform.backward(c), wave, rtol=0, atol=1e-14)
    assert np.allclose(transform.forward(wave), c, rtol=0, atol=1e-14)


def test_arrays_of_the_transform_begin_with_a_cache_line() -> None:
    transform = fft.SphereTransform(GRID, SKEW, CUTOFF)
    points, waves = transform.zeros(), transform.zeros(waves=True)
    assert not points.any()
    for array in (points, waves, transform.backward(waves), transform.forward(points)):
        assert array.ctypes.data % 64 == 0


def refused(message: str, call: Any) -> None:
    with pytest.raises(fg.InputError, match=message):
        call()


def test_settings_without_sense_are_refused() -> None:
    for cutoff in (-1, np.nan, np.inf):
        refused("cut-off", lambda c=cutoff: fft.SphereTransform(GRID, SKEW, c))
    refused("three finite vectors", lambda: fft.SphereTransform(GRID, np.eye(2), CUTOFF))
    refused("span no cell", lambda: fft.SphereTransform(GRID, np.ones((3, 3)), CUTOFF))
    refused("grid along y", lambda: fft.SphereTransform((12, 4, 9), SKEW, CUTOFF))
    refused("at least one field", lambda: fft.SphereTransform(GRID, SKEW, CUTOFF, batch=0))
    refused("unknown norm", lambda: fft.SphereTransform(GRID, SKEW, CUTOFF, norm="no"))
    refused("grid needs three", lambda: fft.SphereTransform((4, 4), SKEW, CUTOFF))
    corners = ((0, 0, 0), (12, 10, 8))
    refused("do not cover", lambda: fft.SphereTransform(GRID, SKEW, CUTOFF, points=corners))


def test_arrays_that_do_not_fit_are_refused() -> None:
    transform = fft.SphereTransform(GRID, SKEW, CUTOFF, batch=2)
    waves = transform.zeros(waves=True)
    refused("shape", lambda: transform.backward(waves[:, 1:]))
    refused("shape", lambda: transform.backward(waves[0]))
    refused("shape", lambda: transform.forward(transform.zeros()[:1]))
    refused("output array", lambda: transform.backward(waves, np.zeros((2, *GRID), np.complex64)))
    points = transform.zeros()
    refused("share memory", lambda: transform.forward(points, points.ravel()[: waves.size]))
