# SPDX-License-Identifier: BSD-3-Clause
"""A short run that several files of tests break off, and its results when nothing disturbs it."""

from __future__ import annotations

import pytest
from broken_off import Results, short_job, undisturbed

from finegrain.jobs import Job


@pytest.fixture(scope="session")
def short_water(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return short_job(tmp_path_factory.mktemp("short_water"))


@pytest.fixture(scope="session")
def whole_results(short_water: Job, tmp_path_factory: pytest.TempPathFactory) -> Results:
    return undisturbed(short_water, tmp_path_factory.mktemp("undisturbed"))
