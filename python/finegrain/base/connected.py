# SPDX-License-Identifier: BSD-3-Clause
"""Which atoms hang together by chains of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]


def connected(atoms: int, pairs: Ints) -> Ints:
    """Return for each atom the lowest atom to which a chain of pairs connects it."""
    label = np.arange(atoms, dtype=np.int32)
    one, other = pairs[:, 0], pairs[:, 1]
    while True:
        lowest = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, one, lowest)
        np.minimum.at(label, other, lowest)
        label = label[label]  # halves the remaining chains
        if np.array_equal(before, label):
            return label
