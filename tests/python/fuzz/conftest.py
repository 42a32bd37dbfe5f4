# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of damaged files share."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def stopped_run(seeds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was stopped half-way."""
    import finegrain as fg

    out = tmp_path_factory.mktemp("stopped") / "run"
    run = fg.run(seeds / "amber" / "in.toml", out, steps=400, pes=1, stop_after=20)
    assert not run.finished
    return out


@pytest.fixture
def folder(stopped_run: Path, tmp_path: Path) -> Path:
    """A copy of the folder of a stopped run, in an empty folder."""
    return Path(shutil.copytree(stopped_run, tmp_path / "run"))


@pytest.fixture(scope="session", params=["constrained", "born-oppenheimer"])
def stopped_dynamics(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of ab initio dynamics that were stopped half-way."""
    from moving_silicon import write_input

    import finegrain as fg

    folder = tmp_path_factory.mktemp("dynamics")
    output = ("[output]", "trajectory_interval = 2", "energy_interval = 2")
    run = fg.run(
        write_input(folder, request.param, 400, *output), folder / "run", pes=1, stop_after=10
    )
    assert not run.finished
    return folder / "run"


@pytest.fixture(scope="session")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sound input of each format."""
    from seeds import write_seeds

    folder = tmp_path_factory.mktemp("seeds")
    write_seeds(folder)
    return folder
