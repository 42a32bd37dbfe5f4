# SPDX-License-Identifier: BSD-3-Clause
"""The compiled engine: its interface, its processes and their MPI, the machine and its memory."""
