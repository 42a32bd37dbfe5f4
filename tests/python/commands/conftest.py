# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures for tests of commands: an empty folder with a job, and a stand-in for the engine."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stand_ins import StubEngine, write_job

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> StubEngine:
    """Put the stand-in in the place from which the engine is imported."""
    stub = StubEngine()
    monkeypatch.setitem(sys.modules, "finegrain._engine", stub)
    return stub


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a job in an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return write_job(tmp_path / "four.job.h5")


def check_golden(name: str, text: str) -> None:
    """Compare with a stored text; FINEGRAIN_UPDATE_GOLDEN=1 stores a new one."""
    path = GOLDEN / name
    if os.environ.get("FINEGRAIN_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert text == path.read_text(), f"golden text {path} differs"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with a stored one."""
    return check_golden
