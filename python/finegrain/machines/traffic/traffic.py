# SPDX-License-Identifier: BSD-3-Clause
"""What ranks send to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_RANKS = 1 << 22
MOST_PAIRS = 200_000_000
MOST_BYTES = float(1 << 62)


@dataclass(frozen=True)
class Traffic:
    """What ranks send to each other, each pair once, in the order of sender and receiver.

    Attributes
    ----------
    ranks : int
        Number of ranks.
    sender, receiver : ndarray, int32, shape (pairs,)
        Ranks; they differ.
    bytes : ndarray, float64, shape (pairs,)
        Sum over all messages from one to the other.
    messages : ndarray, float64, shape (pairs,)
        Their number.
    """

    ranks: int
    sender: NDArray[np.int32]
    receiver: NDArray[np.int32]
    bytes: NDArray[np.float64]
    messages: NDArray[np.float64]


def traffic_of(ranks: int, sender: Any, receiver: Any, size: Any, messages: Any) -> Traffic:
    """Return the sums over each pair; what a rank sends to itself is left out."""
    from_ = np.asarray(sender, np.int64)
    to = np.asarray(receiver, np.int64)
    key = from_ * max(ranks, 1) + to
    pairs, place = np.unique(key[from_ != to], return_inverse=True)
    kept = from_ != to
    count = len(pairs)
    return Traffic(
        ranks,
        (pairs // max(ranks, 1)).astype(np.int32),
        (pairs % max(ranks, 1)).astype(np.int32),
        np.bincount(place, np.asarray(size, float)[kept], count).astype(np.float64),
        np.bincount(place, np.asarray(messages, float)[kept], count).astype(np.float64),
    )


def columns_of(traffic: Traffic) -> tuple[NDArray[Any], ...]:
    """Return senders, receivers, bytes and messages, as the engine takes them."""
    return traffic.sender, traffic.receiver, traffic.bytes, traffic.messages
