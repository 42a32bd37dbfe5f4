# SPDX-License-Identifier: BSD-3-Clause
"""The ions of an ab initio run: structure, elements, spins, velocities, and what is odd there."""
