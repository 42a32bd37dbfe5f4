# SPDX-License-Identifier: BSD-3-Clause
"""Vibrational densities of states of oscillators whose frequencies are known."""

import numpy as np
import pytest

from finegrain import InputError
from finegrain.observables import velocity_autocorrelation, vibrational_density

LIGHT = 2.99792458e-2  # cm/ps
STEP = 0.0005  # ps
LINES = (400.0, 1600.0, 3600.0)  # 1/cm
MASSES = np.array([28.0, 12.0, 1.0])


def oscillators(frames: int) -> tuple[np.ndarray, np.ndarray]:
    """One oscillator an atom, each with the same m <v^2>, along its own axis."""
    times = STEP * np.arange(frames)
    velocities = np.zeros((frames, 3, 3))
    for i, (line, mass) in enumerate(zip(LINES, MASSES, strict=True)):
        phase = 2 * np.pi * line * LIGHT * times + i
        velocities[:, i, i] = np.cos(phase) / np.sqrt(mass)
    return velocities, times


@pytest.mark.parametrize("window", ["hann", "blackman", "none"])
def test_each_oscillator_has_a_line_of_the_same_area(window: str) -> None:
    velocities, times = oscillators(8000)
    found = vibrational_density(velocities, MASSES, times, window=window)
    assert found.window == window
    assert found.longest == pytest.approx(times[-1] / 2)
    spacing = found.wavenumber[1]
    assert found.density.sum() * spacing == pytest.approx(1, abs=1e-3)
    assert spacing < 1 / (LIGHT * 2 * found.longest) / 3
    for line in LINES:
        near = np.abs(found.wavenumber - line) < 200
        peak = found.wavenumber[near][found.density[near].argmax()]
        assert peak == pytest.approx(line, abs=0.6 * spacing)
        # What a window cuts off is far from its line.
        area = found.density[near].sum() * spacing
        assert area == pytest.approx(1 / 3, abs=0.02 if window == "none" else 1e-3)


def test_a_window_makes_side_lobes_small() -> None:
    velocities, times = oscillators(4000)

    def least(window: str) -> float:
        found = vibrational_density(velocities, MASSES, times, window=window)
        return float(found.density.min() / found.density.max())

    # The transform of a constant up to the end has a lobe of -0.217, with the window of Hann of
    # -0.027.
    assert least("none") == pytest.approx(-0.217, abs=0.02)
    assert least("hann") == pytest.approx(-0.0267, abs=0.005)
    assert least("blackman") > -0.01


def test_autocorrelation_of_one_oscillator_is_a_cosine() -> None:
    times = STEP * np.arange(6000)
    turns = 2 * np.pi * 1000.0 * LIGHT * times
    velocities = np.zeros((6000, 1, 3))
    velocities[:, 0, 2] = np.cos(turns)
    found = velocity_autocorrelation(velocities, [16.0])
    # <cos(t) cos(t + n)> is cos(n) / 2 and half the mean of cos(2 t + n), which is below
    # 1 / (number of periods x 2 pi) = 0.3 % for half of the frames.
    assert found[:3000] == pytest.approx(np.cos(turns[:3000]), abs=0.007)


def test_what_has_no_vibrations_is_refused() -> None:
    velocities, times = oscillators(100)
    with pytest.raises(InputError, match="no such window"):
        vibrational_density(velocities, MASSES, times, window="hanning")
    with pytest.raises(InputError, match="longest time"):
        vibrational_density(velocities, MASSES, times, longest=1.0)
    with pytest.raises(InputError, match="no atom moves"):
        vibrational_density(0 * velocities, MASSES, times)
    with pytest.raises(InputError, match="evenly spaced"):
        vibrational_density(velocities, MASSES, times**2)
    with pytest.raises(InputError, match="two frames"):
        vibrational_density(velocities[:1], MASSES, times[:1])
