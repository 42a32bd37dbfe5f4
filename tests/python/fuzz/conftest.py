# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of damaged files share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "input"))


@pytest.fixture(scope="session")
def stopped_run(seeds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was stopped half-way."""
    import finegrain as fg

    out = tmp_path_factory.mktemp("stopped") / "run"
    run = fg.run(seeds / "amber" / "in.toml", out, steps=400, pes=1, stop_after=20)
    assert not run.finished
    return out


@pytest.fixture(scope="session")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sound input of each format."""
    from seeds import write_seeds

    folder = tmp_path_factory.mktemp("seeds")
    write_seeds(folder)
    return folder
