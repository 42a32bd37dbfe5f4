# SPDX-License-Identifier: BSD-3-Clause
"""Curves and averages over time."""
