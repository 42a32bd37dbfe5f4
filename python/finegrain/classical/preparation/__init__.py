# SPDX-License-Identifier: BSD-3-Clause
"""From a classical input to a checked job, with all problems found on the way."""
