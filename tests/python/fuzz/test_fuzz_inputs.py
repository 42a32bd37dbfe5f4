# SPDX-License-Identifier: BSD-3-Clause
"""Damaged inputs of every format through `check` and through five steps of `run`.

No crash, no hang, no status 4, no words of Python in a message, `check` and `run` agree, and an
accepted input holds the numbers that the damaged text plainly says. FINEGRAIN_EFFORT multiplies the
cases.
"""

import os
from pathlib import Path

import pytest
from seeds import formats
from workers import Outcome, outcomes

_effort = int(os.environ.get("FINEGRAIN_EFFORT", "1"))


def faults_of(work: str, per_format: int, seeds: Path, first: int = 0) -> list[Outcome]:
    cases = [
        {"work": work, "kind": kind, "number": number, "seeds": str(seeds)}
        for number in range(first, first + per_format)
        for kind in formats
    ]
    found = outcomes(cases)
    assert len(found) == len(cases)
    statuses = {outcome.status for outcome in found}
    assert statuses >= {0, 1}, "some are refused and some accepted"
    return [outcome for outcome in found if outcome.faults]


def told(faulty: list[Outcome]) -> str:
    return "\n\n".join([f"{len(faulty)} cases", *map(str, faulty[:20])])


def test_damaged_inputs_are_refused_in_words_or_read_as_they_stand(seeds: Path) -> None:
    faulty = faults_of("check", 12 * _effort, seeds)
    assert not faulty, told(faulty)


def test_what_check_accepts_runs_and_what_it_refuses_does_not(seeds: Path) -> None:
    faulty = faults_of("run", 3 * _effort, seeds, first=100_000)
    assert not faulty, told(faulty)


@pytest.mark.physics
def test_two_thousand_damaged_inputs_through_check(seeds: Path) -> None:
    faulty = faults_of("check", 400 * _effort, seeds)
    assert not faulty, told(faulty)


@pytest.mark.physics
def test_three_hundred_damaged_inputs_through_five_steps(seeds: Path) -> None:
    faulty = faults_of("run", 60 * _effort, seeds, first=100_000)
    assert not faulty, told(faulty)
