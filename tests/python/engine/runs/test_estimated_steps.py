# SPDX-License-Identifier: BSD-3-Clause
"""What run.log expects of a step is what `check` expects; the measured load is beside it."""

import re
from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.classical.division.step_estimate import StepEstimate, estimate_own_step
from finegrain.classical.job import Job

STEPS = 40


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return make_job(tmp_path_factory.mktemp("job"), "water", FAST_WATER_FORCES, {"steps": STEPS})


def estimate(job: Job, pes: int) -> StepEstimate:
    return estimate_own_step(job.path.name, job.path.read_bytes(), pes)


def entry(log: str, name: str) -> str:
    (found,) = re.findall(rf"^  {name} \.+ (.*)$", log, re.MULTILINE)
    return str(found)


@pytest.mark.parametrize("pes", [1, 2])
def test_the_log_has_the_estimate_of_the_job(job: Job, tmp_path: Path, pes: int) -> None:
    fg.run(job, tmp_path / "run", pes=pes)
    log = (tmp_path / "run/run.log").read_text()
    expected = estimate(job, pes)
    work, pace = entry(log, "estimated step"), entry(log, "estimated pace")
    assert work.startswith(f"{1000 * expected.core_seconds:.3g} core-ms: pair forces ")
    share = 100 * expected.parts["pair forces"] / expected.core_seconds
    assert f"pair forces {share:.3g} %" in work
    assert f"in {expected.objects} objects, {expected.messages:.0f} messages" in work
    rate = 2e-6 * 86400 / expected.seconds
    assert pace.startswith(
        f"{1000 * expected.seconds:.3g} ms a step, {rate:.3g} ns/day on {pes} PE"
    )
    assert "fits to cores with" in pace


def test_the_load_in_the_result_is_that_of_the_log(job: Job, tmp_path: Path) -> None:
    alone = fg.run(job, tmp_path / "alone", pes=1).result
    assert alone["load_imbalance"] == 1
    several = fg.run(job, tmp_path / "several", pes=3).result
    assert 1 <= several["load_imbalance"] <= 3
    log = (tmp_path / "several/run.log").read_text()
    said = float(entry(log, "busiest PE over the average").split()[0])
    assert said == pytest.approx(several["load_imbalance"], rel=1e-3)


def test_about_as_many_messages_are_sent_as_estimated(job: Job, tmp_path: Path) -> None:
    result = fg.run(job, tmp_path / "run", pes=1).result
    expected = estimate(job, 1).messages
    # Rebuilds, energies and frames take some more.
    assert expected < result["messages"] / STEPS < 1.3 * expected
