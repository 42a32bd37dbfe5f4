# SPDX-License-Identifier: BSD-3-Clause
"""What ranks send to each other: from a file, or from a trace."""
