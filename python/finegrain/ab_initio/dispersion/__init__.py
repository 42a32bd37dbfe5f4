# SPDX-License-Identifier: BSD-3-Clause
"""Dispersion between atoms, DFT-D3: as an input asks for it, and the program beside a run."""
