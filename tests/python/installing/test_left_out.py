# SPDX-License-Identifier: BSD-3-Clause
"""What the project file leaves out of wheels and source packages: no part of the Python package."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_only_folders_at_the_top_are_left_out() -> None:
    # A name without "/" also means a folder of that name anywhere below, such as finegrain/runs.
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    ignored = (ROOT / ".gitignore").read_text().split()
    names = [*settings["sdist"]["exclude"], *ignored]
    inside = {path.name for path in (ROOT / "python/finegrain").rglob("*") if path.is_dir()}
    inside -= {"__pycache__"}
    for name in names:
        assert name.startswith("/") or name.strip("/") not in inside, name
