# SPDX-License-Identifier: BSD-3-Clause
"""Readers of the users' files, most of them through OpenMM, with one form of result."""

from finegrain.input.readers.read import read_source
from finegrain.input.readers.source import Source

__all__ = ["Source", "read_source"]
