# SPDX-License-Identifier: BSD-3-Clause
"""Readers of the users' files, most of them through OpenMM, with one form of result."""
