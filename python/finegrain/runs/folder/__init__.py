# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a run: its files, its lock, and what protects them."""
