# SPDX-License-Identifier: BSD-3-Clause
"""Maximally localised orbitals: their centres, spreads and dipole moments."""
