# SPDX-License-Identifier: BSD-3-Clause
"""Ligands: what the user says of them, their places in a structure, and their parameters."""
