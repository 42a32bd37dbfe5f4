# SPDX-License-Identifier: BSD-3-Clause
"""The files of a checkout that belong to the project: those that git tracks or would track."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path


def our_files(root: Path, *suffixes: str) -> list[Path]:
    """Return the files below `root` with one of the suffixes (all if none is given), sorted."""
    command = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    paths = {root / name for name in listing.split("\0") if name}
    return sorted(p for p in paths if p.is_file() and (not suffixes or p.suffix in suffixes))


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file; none for a binary one."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []


def exit_with(name: str, check: Callable[[Path], Iterable[str]]) -> None:
    """Run a check on the folder named on the command line (default: this one), print, and exit."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    complaints = list(check(root))
    for complaint in complaints:
        print(f"{name}: {complaint}", file=sys.stderr)
    sys.exit(1 if complaints else 0)
