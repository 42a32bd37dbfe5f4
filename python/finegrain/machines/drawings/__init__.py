# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of placements: the load of links, bisected nodes, and patches on nodes."""
