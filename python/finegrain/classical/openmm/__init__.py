# SPDX-License-Identifier: BSD-3-Clause
"""From an OpenMM System to arrays in engine units; what the engine lacks is refused by name."""
