# SPDX-License-Identifier: BSD-3-Clause
"""A run on more PEs than its job was divided for says once which key to change."""

import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.files.whole import changed_sealed_hdf5

STEPS = 20


def notes_of(work: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", fg.InputNote)
        work()
    notes = [str(one.message) for one in caught if issubclass(one.category, fg.InputNote)]
    return [note for note in notes if "is divided for" in note]


@pytest.fixture(scope="module")
def coarse(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """For one PE, with rebuilds at which a run can stop."""
    return make_job(
        tmp_path_factory.mktemp("job"),
        "water",
        FAST_WATER_FORCES | {"rebuild_interval": 10, "prune_interval": 5},
        {"steps": STEPS},
        patches={"pes": 1},
    )


def test_run_and_resume_say_it_once(coarse: Job, tmp_path: Path) -> None:
    out = tmp_path / "run"
    for work in (lambda: fg.run(coarse, out, pes=4, stop_after=10), lambda: fg.resume(out, pes=4)):
        (note,) = notes_of(work)
        assert "divided for one PE and runs on 4" in note
        assert "set pes = 4 in [patches]" in note
    assert fg.Run(out).finished


def test_pes_of_all_processes_count(coarse: Job) -> None:
    assert "runs on 6" in coarse.note_of_pes(6)
    assert coarse.note_of_pes(1) == ""


def test_with_the_key_changed_nothing_is_said(tmp_path: Path) -> None:
    job = make_job(
        tmp_path / "job", "water", FAST_WATER_FORCES, {"steps": STEPS}, patches={"pes": 4}
    )
    assert notes_of(lambda: fg.run(job, tmp_path / "run", pes=4)) == []


def test_keys_that_stand_before_it_are_named(tmp_path: Path) -> None:
    job = make_job(
        tmp_path / "job",
        "water",
        FAST_WATER_FORCES,
        {"steps": STEPS},
        patches={"grid": [1, 1, 1], "pair_computes": 1},
    )
    assert "take grid and pair_computes out of [patches]" in job.note_of_pes(4)


@pytest.mark.parametrize("width", [np.zeros(7), "no", 1e-320, np.nan])
def test_a_damaged_width_is_told_or_passed_over(coarse: Job, tmp_path: Path, width: object) -> None:
    copy = tmp_path / "job.h5"
    shutil.copy(coarse.path, copy)
    with changed_sealed_hdf5(copy) as file:
        file["settings"].attrs["patch_width"] = width
    job = Job(copy)
    if isinstance(width, float) and np.isnan(width):
        assert job.note_of_pes(4) == ""
        return
    with pytest.raises(fg.InputError, match="is damaged"):
        job.note_of_pes(4)
