# SPDX-License-Identifier: BSD-3-Clause
"""Damaged HDF5 files and texts of runs through `run`, `resume`, `show` and `convert`.

No crash, no hang, no status 4, no words of Python or of HDF5's inside. FINEGRAIN_EFFORT multiplies
the cases.
"""

import os
from pathlib import Path

import pytest
from results import commands
from workers import Outcome, outcomes

pytestmark = pytest.mark.pictures

# A command takes a second of processor time; ten times as much is a hang.
_limit = 10.0
_effort = int(os.environ.get("FINEGRAIN_EFFORT", "1"))


def _faults_of(count: int, stopped_run: Path) -> list[Outcome]:
    cases = [
        {"work": "results", "kind": kind, "number": number, "seeds": str(stopped_run)}
        for number in range(count)
        for kind in commands
    ]
    found = outcomes(cases, limit=_limit)
    assert len(found) == len(cases)
    for kind in commands:
        statuses = {outcome.status for outcome in found if outcome.case["kind"] == kind}
        assert statuses >= {0, 1}, f"{kind}: some are refused and some accepted"
    return [outcome for outcome in found if outcome.faults]


def _told(faulty: list[Outcome]) -> str:
    return "\n\n".join([f"{len(faulty)} cases", *map(str, faulty[:40])])


def test_damaged_results_are_refused_in_words(stopped_run: Path) -> None:
    faulty = _faults_of(6 * _effort, stopped_run)
    assert not faulty, _told(faulty)


@pytest.mark.nightly
def test_two_thousand_damaged_results(stopped_run: Path) -> None:
    faulty = _faults_of(500 * _effort, stopped_run)
    assert not faulty, _told(faulty)


@pytest.mark.nightly
def test_a_thousand_damaged_results_of_dynamics(stopped_dynamics: Path) -> None:
    faulty = _faults_of(125 * _effort, stopped_dynamics)
    assert not faulty, _told(faulty)
