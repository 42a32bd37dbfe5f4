# SPDX-License-Identifier: BSD-3-Clause
"""The command line: the program, its commands, and what only they do."""
