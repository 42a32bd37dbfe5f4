# SPDX-License-Identifier: BSD-3-Clause
"""The choice of a division by timing short runs on the machine at hand."""

from finegrain.tuning.tune import tune
from finegrain.tuning.tuned import Choice, Timing, Tuned

__all__ = ["Choice", "Timing", "Tuned", "tune"]
