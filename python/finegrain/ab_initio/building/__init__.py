# SPDX-License-Identifier: BSD-3-Clause
"""Liquids of a molecule, and the inputs for their first runs."""
