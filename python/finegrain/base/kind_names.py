# SPDX-License-Identifier: BSD-3-Clause
"""The names of the kinds of runs, as inputs and jobs have them; the first is the usual one."""

from __future__ import annotations

KIND_NAMES = ("classical", "ab-initio")
