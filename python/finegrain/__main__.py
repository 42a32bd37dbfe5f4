# SPDX-License-Identifier: BSD-3-Clause
"""``python -m finegrain`` is the command ``finegrain``."""

from finegrain.terminal.cli import main

main()
