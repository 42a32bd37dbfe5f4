# SPDX-License-Identifier: BSD-3-Clause
"""Mean squared displacements of a flight and of a random walk, and beside the plain double sum."""

import numpy as np
import pytest

from finegrain import InputError
from finegrain.observables import diffusion_coefficient, mean_squared_displacement


def plain(positions: np.ndarray) -> np.ndarray:
    frames = len(positions)
    return np.array(
        [((positions[n:] - positions[: frames - n]) ** 2).sum(axis=2).mean() for n in range(frames)]
    )


def test_a_straight_flight_grows_with_the_square_of_the_time() -> None:
    times = 3.0 + 0.05 * np.arange(50)
    speed = np.array([[0.1, 0.2, -0.3], [0.4, 0.0, 0.1]])
    found = mean_squared_displacement(5 + times[:, None, None] * speed, times)
    assert found.time == pytest.approx(times - 3)
    assert found.square == pytest.approx((speed**2).sum() / 2 * found.time**2, abs=1e-13)


def test_it_is_the_double_sum_also_without_the_centre_of_mass() -> None:
    random = np.random.default_rng(1)
    positions = np.cumsum(random.normal(size=(37, 5, 3)), axis=0)
    masses = random.uniform(1, 20, 5)
    times = np.arange(37.0)
    assert mean_squared_displacement(positions, times).square == pytest.approx(plain(positions))
    centre = np.einsum("i,tix->tx", masses / masses.sum(), positions)
    relative = mean_squared_displacement(positions, times, masses)
    assert relative.square == pytest.approx(plain(positions - centre[:, None]))
    drift = np.arange(37.0)[:, None, None] * np.array([0.0, 100.0, 0.0])
    drifting = mean_squared_displacement(positions + drift, times, masses)
    # Squares of 3600 cancel, to 1e-16 of their squares.
    assert drifting.square == pytest.approx(relative.square, abs=1e-8)


def test_a_random_walk_diffuses() -> None:
    random = np.random.default_rng(2)
    frames, atoms, step = 1000, 200, 0.01  # ps
    diffusion = 2.5  # nm^2/ps: each component grows by the variance 2 D step
    walk = np.cumsum(random.normal(0, np.sqrt(2 * diffusion * step), (frames, atoms, 3)), axis=0)
    found = mean_squared_displacement(walk, step * np.arange(frames))
    # At lag n there are about 3 atoms frames / n independent values, so the error of the square at
    # n = 20 is sqrt(2 / 30000) = 0.8 %: five times that.
    assert diffusion_coefficient(found, 0.05, 0.2) == pytest.approx(diffusion, rel=0.04)


def test_times_that_make_no_sense_are_refused() -> None:
    positions = np.zeros((4, 2, 3))
    with pytest.raises(InputError, match="evenly spaced"):
        mean_squared_displacement(positions, [0, 1, 2, 4])
    with pytest.raises(InputError, match="evenly spaced"):
        mean_squared_displacement(positions, [0, 0, 0, 0])
    with pytest.raises(InputError, match="one time for each frame"):
        mean_squared_displacement(positions, [0, 1, 2])
    with pytest.raises(InputError, match="two frames"):
        mean_squared_displacement(positions[:1], [0])
    found = mean_squared_displacement(positions, [0, 1, 2, 3])
    with pytest.raises(InputError, match="fewer than two times"):
        diffusion_coefficient(found, 2.5, 10)
