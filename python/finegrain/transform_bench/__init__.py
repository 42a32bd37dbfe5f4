# SPDX-License-Identifier: BSD-3-Clause
"""Timing of transforms beside other libraries, in one process and in many."""

from finegrain.transform_bench.report import report_text
from finegrain.transform_bench.timing import USUAL_GRIDS, parsed_grid, time_transforms

__all__ = ["USUAL_GRIDS", "parsed_grid", "report_text", "time_transforms"]
