# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures for tests of the input."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from input_systems import Waters, water_input, write_waters

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError, Problem


@pytest.fixture
def waters() -> Waters:
    """216 waters in a box of 18.64 Å."""
    return Waters()


@pytest.fixture
def problems(tmp_path: Path) -> Callable[..., list[Problem]]:
    """Write an input (and waters); return the problems that reading it gives."""

    def of(text: str = water_input, waters: Waters | None = None) -> list[Problem]:
        path = write_waters(tmp_path, text, waters)
        with pytest.raises(InputError) as caught:
            prepare(path)
        assert caught.value.exit_status == 1
        assert caught.value.source == "water.toml"
        return caught.value.problems

    return of


@pytest.fixture(scope="session")
def openmmtools_data() -> Path:
    """The folder of files that openmmtools brings."""
    found = importlib.util.find_spec("openmmtools")
    if found is None or not found.submodule_search_locations:
        pytest.skip("openmmtools is not installed")
    return Path(found.submodule_search_locations[0]) / "data"
