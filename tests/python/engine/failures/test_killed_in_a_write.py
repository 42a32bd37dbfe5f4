# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL at a chosen write, fsync or rename of a run: resumed, nothing of the run is missing.

FINEGRAIN_EFFORT multiplies the number of points that the quick test tries.
"""

import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from broken_off import Results, as_started, built_shim, engine_run, wrong_after
from process_runs import effort

from finegrain.classical.job import Job


class Killer:
    """Runs the job, and kills it at a point of its way to the disk."""

    def __init__(self, short_water: Job, folder: Path, *, torn: bool) -> None:
        self._job, self.out = short_water, folder / "run"
        self._shim, self._torn, self._count = built_shim(folder), torn, folder / "count"
        assert self.run(0).returncode == 0
        self.points = int(self._count.read_text())
        assert self.points > 30, "the run hardly writes: nothing would be tested"

    def run(self, point: int) -> Any:
        as_started(self._job, self.out)
        return engine_run(
            self.out,
            LD_PRELOAD=str(self._shim),
            FG_KILL_FOLDER=str(self.out),
            FG_KILL_AT=str(point),
            FG_KILL_TORN="1" if self._torn else "0",
            FG_KILL_COUNT=str(self._count),
        )

    def check(self, points: list[int], whole_results: Results) -> int:
        """Kill the run at each point, resume it and compare; return how many kills there were."""
        killed = 0
        for point in points:
            done = self.run(point)
            # How many writes there are depends a little on the clock; the last may not come.
            if done.returncode == 0 and point > 0.8 * self.points:
                continue
            assert done.returncode == -signal.SIGKILL, (point, done.stderr)
            killed += 1
            assert not wrong_after(self.out, whole_results), point
        return killed


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_some_writes_and_resumed_the_results_are_whole(
    short_water: Job, whole_results: Results, tmp_path: Path, torn: bool
) -> None:
    killer = Killer(short_water, tmp_path, torn=torn)
    chance = random.Random(torn)
    count = effort(4)
    points = [chance.randrange(1, killer.points + 1) for _ in range(count)]
    points += range(killer.points - 3, killer.points + 1)  # the figures of the run are written last
    assert killer.check(points, whole_results) >= count // 2


@pytest.mark.physics
@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_every_write_and_resumed_the_results_are_whole(
    short_water: Job,
    whole_results: Results,
    tmp_path: Path,
    torn: bool,
    record_property: Callable[[str, Any], None],
) -> None:
    killer = Killer(short_water, tmp_path, torn=torn)
    killed = killer.check(list(range(1, killer.points + 1)), whole_results)
    assert killed > 0.8 * killer.points
    record_property("kills", killed)
    print(f"{killed} kills at {killer.points} points, {'torn' if torn else 'whole'} writes")
