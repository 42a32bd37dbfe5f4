# SPDX-License-Identifier: BSD-3-Clause
"""The sections of a classical input, each with its keys."""
