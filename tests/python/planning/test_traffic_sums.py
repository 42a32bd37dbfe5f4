# SPDX-License-Identifier: BSD-3-Clause
"""The sum of several traffics by the engine, against NumPy's sums over the same rows."""

import numpy as np
import pytest

from finegrain.engine.engine import load_engine
from finegrain.machines.traffic.traffic import Traffic, columns_of, traffic_of


def rows(ranks: int, pairs: int, seed: int) -> Traffic:
    """Return rows in any order, with pairs several times and ranks that send to themselves."""
    random = np.random.default_rng(seed)
    sender, receiver = (random.integers(0, ranks, pairs).astype(np.int32) for _ in range(2))
    return Traffic(ranks, sender, receiver, random.random(pairs), random.random(pairs))


@pytest.mark.parametrize("sizes", [(0,), (50,), (40, 0, 300, 7)])
def test_sums_are_those_of_all_rows_in_their_order(sizes):
    parts = [rows(9, pairs, seed) for seed, pairs in enumerate(sizes)]
    found = load_engine().sum_traffic(9, [columns_of(part) for part in parts])
    together = [np.concatenate(column) for column in zip(*map(columns_of, parts), strict=True)]
    for column, right in zip(found, columns_of(traffic_of(9, *together)), strict=True):
        assert column.dtype == right.dtype
        assert np.array_equal(column, right)  # to the bit: sums are made in the same order


def test_nothing_is_the_sum_of_no_parts():
    assert [len(column) for column in load_engine().sum_traffic(3, [])] == [0] * 4


@pytest.mark.parametrize("rank", [-1, 3])
def test_a_rank_that_does_not_exist_is_refused(rank):
    columns = (np.array([rank], np.int32), np.array([0], np.int32), np.ones(1), np.ones(1))
    with pytest.raises(load_engine().EngineError, match="a rank that does not exist"):
        load_engine().sum_traffic(3, [columns])


def test_columns_of_different_lengths_are_refused():
    columns = (np.zeros(2, np.int32), np.ones(2, np.int32), np.ones(2), np.ones(1))
    with pytest.raises(ValueError, match="equally long"):
        load_engine().sum_traffic(3, [columns])
