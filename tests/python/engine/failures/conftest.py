# SPDX-License-Identifier: BSD-3-Clause
"""A short run that several files of tests break off, its results when nothing does, a disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from broken_off import Results, short_job, undisturbed
from engine_jobs import FAST_WATER_FORCES, make_job
from small_disk import SmallDisk

from finegrain.classical.job import Job


@pytest.fixture(scope="session")
def short_water(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return short_job(tmp_path_factory.mktemp("short_water"))


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Forty steps of water with some output."""
    folder = tmp_path_factory.mktemp("job")
    output = {"energy_interval": 10, "trajectory_interval": 20}
    return make_job(folder, "water", FAST_WATER_FORCES, {"steps": 40}, output=output)


@pytest.fixture(scope="session")
def whole_results(short_water: Job, tmp_path_factory: pytest.TempPathFactory) -> Results:
    return undisturbed(short_water, tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "disk")
    try:
        yield made
    finally:
        made.close()
