# SPDX-License-Identifier: BSD-3-Clause
"""Curves, averages and the parts of an HTML page."""
