# SPDX-License-Identifier: BSD-3-Clause
"""The inputs of the page on time steps and ensembles, run in small on a box of water."""

import tomllib
from pathlib import Path

import pytest
from how_to_pages import INPUT, blocks

import finegrain as fg

pytestmark = pytest.mark.nightly

SHOWN = blocks("choose-time-step-and-ensemble.md", "toml")


def test_the_page_has_inputs() -> None:
    assert len(SHOWN) == 4


@pytest.mark.parametrize("shown", SHOWN, ids=["mesh", "levels", "temperature", "pressure"])
def test_a_section_of_the_page_runs(shown: str, tmp_path: Path) -> None:
    settings = tomllib.loads(INPUT.format(steps=40))
    settings["dynamics"] |= tomllib.loads(shown)["dynamics"]
    assert fg.run(settings, out=tmp_path / "run").finished
