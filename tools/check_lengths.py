# SPDX-License-Identifier: BSD-3-Clause
"""Fail if a source file has more than 700 lines; warn from 400 lines on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sources import exit_with, our_files, read_lines

SOFT = 400
HARD = 700


def too_long(root: Path) -> Iterator[str]:
    """Yield one line for each file past the hard limit; print a warning past the soft one."""
    for path in our_files(root, ".hpp", ".cpp", ".py", ".pyi", ".cmake", ".sh"):
        lines = len(read_lines(path))
        place = path.relative_to(root)
        if lines > HARD:
            yield f"{place} has {lines} lines, the limit is {HARD}; split it by idea, not by length"
        elif lines > SOFT:
            print(f"lengths: warning: {place} has {lines} lines, more than {SOFT}", file=sys.stderr)


if __name__ == "__main__":
    exit_with("lengths", too_long)
