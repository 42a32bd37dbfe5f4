# SPDX-License-Identifier: BSD-3-Clause
"""The sections of an ab initio input, each with its keys."""
