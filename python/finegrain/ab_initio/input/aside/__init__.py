# SPDX-License-Identifier: BSD-3-Clause
"""What a file of atoms says beyond elements, positions and cell: taken, named, or refused."""
