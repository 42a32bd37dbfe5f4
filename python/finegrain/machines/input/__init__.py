# SPDX-License-Identifier: BSD-3-Clause
"""The machine file: its keys, and from them to the description of a machine."""
