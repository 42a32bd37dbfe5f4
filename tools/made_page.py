# SPDX-License-Identifier: BSD-3-Clause
"""A page of the manual that a script makes: written, or with --check only compared."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(page: Path, wanted: str, complaint: str) -> int:
    """Write the page; with ``--check`` return 1 and print the complaint if it is another."""
    if sys.argv[1:] == ["--check"]:
        if not page.exists() or page.read_text(encoding="utf-8") != wanted:
            print(complaint, file=sys.stderr)
            return 1
        return 0
    page.write_text(wanted, encoding="utf-8")
    return 0
