# SPDX-License-Identifier: BSD-3-Clause
"""The keys of a classical input: their model, their defaults, the settings that follow."""
