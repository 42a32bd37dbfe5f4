# SPDX-License-Identifier: BSD-3-Clause
"""Commands of pages, run as a user runs them in an activated environment."""

import os
import subprocess
import sys
from pathlib import Path


def with_commands() -> dict[str, str]:
    """Return the environment in which the commands of this Python come first, without a display."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"PATH": path, "MPLBACKEND": "Agg"}


def execute(folder: Path, *command: str) -> str:
    """Run a command in a folder and return what it prints; a failure is one of the test."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=with_commands(),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
