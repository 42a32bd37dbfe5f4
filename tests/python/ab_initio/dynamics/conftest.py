# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics with dispersion, for the `SCHEMES` of a file of tests, and their runs."""

from pathlib import Path

import pytest
from moving_dispersion import job_of

import finegrain as fg


@pytest.fixture(scope="module")
def jobs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("jobs")
    return {scheme: job_of(folder / scheme, scheme, 5) for scheme in request.module.SCHEMES}


@pytest.fixture(scope="module")
def alone(jobs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, fg.Run]:
    folder = tmp_path_factory.mktemp("alone")
    return {scheme: fg.run(job, folder / scheme, pes=1) for scheme, job in jobs.items()}
