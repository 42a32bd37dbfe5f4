# SPDX-License-Identifier: BSD-3-Clause
"""A checkout in a temporary folder, and the checks of tools/ run on it as lint runs them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"
SPDX = "// SPDX-License-Identifier: BSD-3-Clause\n"


class Checkout:
    """A git work tree that tests write files into and run a check on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        self.write("engine/CMakeLists.txt", "fg_add_folders(base runtime forces app)\n")

    def write(self, name: str, text: str) -> None:
        """Write one file and the folders it is in."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, check: str) -> subprocess.CompletedProcess[str]:
        """Run one of the checks of tools/."""
        command = [sys.executable, str(TOOLS / f"{check}.py"), str(self.root)]
        return subprocess.run(command, check=False, capture_output=True, text=True)

    def refused(self, check: str) -> str:
        """Run a check that fails; return what it says."""
        done = self.run(check)
        assert done.returncode == 1
        return done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Return an empty checkout with the engine's list of modules."""
    return Checkout(tmp_path)


@pytest.fixture
def source() -> Callable[..., str]:
    """Return a function that makes a source text with these includes."""

    def make(*includes: str) -> str:
        return SPDX + "".join(f'#include "{name}"\n' for name in includes)

    return make


@pytest.fixture
def tools() -> Path:
    """Return the folder of the scripts."""
    return TOOLS
