# SPDX-License-Identifier: BSD-3-Clause
"""Errors by blocks beside the exact ones of a process with a known memory."""

import numpy as np
import pytest

from finegrain import InputError, observables
from finegrain.page.averages import running_mean


def remembering(rows: int, memory: float, seed: int) -> np.ndarray:
    """A first-order autoregressive process of variance 1, whose rows correlate as memory^lag."""
    random = np.random.default_rng(seed)
    noise = random.normal(size=rows) * np.sqrt(1 - memory**2)
    values = np.empty(rows)
    values[0] = random.normal()
    for row in range(1, rows):
        values[row] = memory * values[row - 1] + noise[row]
    return values


@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9])
def test_the_error_is_that_of_a_known_process(memory: float) -> None:
    rows, series = 4096, 40
    found = [observables.block_average(remembering(rows, memory, seed)) for seed in range(series)]
    # Var(mean) = (1/n) sum over lags of (1 - lag/n) memory^lag, both signs.
    lags = np.arange(1, rows)
    exact = np.sqrt((1 + 2 * np.sum((1 - lags / rows) * memory**lags)) / rows)
    # A plateau at blocks of about twice the memory is 3 % low for 0.9; an estimate from n blocks
    # has an error of 1/sqrt(2 n), below 0.12 here, over root 40; in all less than 8 %.
    assert np.mean([one.error for one in found]) == pytest.approx(exact, rel=0.08)
    assert sum(one.settled for one in found) >= 0.9 * series
    # The error of the mean is what it says: 40 means are within 4 errors (once in 400 runs not).
    assert all(abs(one.mean) < 4 * exact for one in found)


def test_a_series_without_an_end_of_memory_is_not_settled() -> None:
    found = observables.block_average(np.linspace(0, 1, 256))
    assert not found.settled
    assert found.error > 0.05  # a naive error is 0.018


def test_few_rows_have_a_mean_alone() -> None:
    found = observables.block_average([1.0, 2.0, np.nan, 6.0, np.inf])
    assert found.mean == 3.0
    assert np.isnan(found.error)
    assert not found.settled
    with pytest.raises(InputError, match="no finite value"):
        observables.block_average([np.nan])


def test_a_constant_has_no_error() -> None:
    found = observables.block_average(np.full(100, 7.0))
    assert (found.mean, found.error, found.settled, found.block) == (7.0, 0.0, True, 1)


def test_a_running_mean_stands_in_the_middle() -> None:
    x, mean = running_mean(np.arange(5.0), np.array([1.0, 2, 6, 4, 5]), 3)
    assert list(x) == [1, 2, 3]
    assert mean == pytest.approx([3, 4, 5])
    assert len(running_mean(np.arange(2.0), np.ones(2), 3)[0]) == 0
