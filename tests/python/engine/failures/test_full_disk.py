# SPDX-License-Identifier: BSD-3-Clause
"""A disk that fills up in the middle of a run: freed and resumed, nothing of the run is missing.

FINEGRAIN_EFFORT multiplies the number of sizes that the quick test tries.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from broken_off import Results, as_started, wrong_after
from process_runs import ENGINE, command, effort
from small_disk import SmallDisk

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.errors import EXIT_RESOURCE
from finegrain.runs.checkpoints import step_of_checkpoint

SMALLEST, LARGEST, STEP = 450_000, 1_400_000, 10_000  # bytes: nothing fits, everything fits


def engine_words(out: Path) -> list[str]:
    return [str(ENGINE), str(out / "job.h5"), "--out", str(out), "--pes", "1", "--quiet"]


def tried(disk: SmallDisk, short_water: Job, size: int, words: Callable[[Path], list[str]]) -> int:
    """Run on a disk of this size, and give it back all its room; return the exit status."""
    out = disk.place / "run"
    disk.resize(10 * LARGEST)
    as_started(short_water, out)
    disk.resize(size)
    done = disk.run(words(out))
    assert done.returncode in (0, EXIT_RESOURCE), (size, done.stderr)
    if done.returncode == EXIT_RESOURCE:
        assert "finegrain-engine: " in done.stderr or done.stderr.count("machine error") == 1
        assert done.stderr.count("cannot ") + done.stderr.count("No space left") >= 1, done.stderr
    disk.resize(10 * LARGEST)
    return done.returncode


def check_sizes(
    disk: SmallDisk,
    short_water: Job,
    whole_results: Results,
    sizes: list[int],
    words: Any = engine_words,
) -> tuple[int, int]:
    """Return how many of the runs filled the disk, and how many of these had saved something."""
    full = saved = 0
    for size in sizes:
        status = tried(disk, short_water, size, words)
        out = disk.place / "run"
        full += status != 0
        saved += status != 0 and (out / "checkpoint.h5").exists()
        if status == 0 and (out / "result.json").exists():
            assert not Results(out).differences(whole_results), size
        else:
            assert not wrong_after(out, whole_results), size
    return full, saved


def test_what_a_full_disk_broke_off_is_whole_once_it_is_freed_and_resumed(
    short_water: Job, whole_results: Results, disk: SmallDisk
) -> None:
    chance = random.Random(1)
    sizes = [chance.randrange(SMALLEST, LARGEST, STEP) for _ in range(effort(8))]
    full, saved = check_sizes(disk, short_water, whole_results, sizes)
    assert full >= len(sizes) // 3
    assert saved > 0


@pytest.mark.physics
def test_every_size_of_a_small_disk_in_steps_of_ten_kilobytes(
    short_water: Job,
    whole_results: Results,
    disk: SmallDisk,
    record_property: Callable[[str, Any], None],
) -> None:
    sizes = list(range(SMALLEST, LARGEST, STEP))
    full, saved = check_sizes(disk, short_water, whole_results, sizes)
    assert full > len(sizes) // 3
    assert saved > len(sizes) // 6
    record_property("sizes", len(sizes))
    print(f"{len(sizes)} sizes, {full} of them too small, {saved} with a checkpoint")


@pytest.mark.physics
def test_a_hundred_disks_of_random_size_under_the_command(
    short_water: Job,
    whole_results: Results,
    disk: SmallDisk,
    record_property: Callable[[str, Any], None],
) -> None:
    def words(out: Path) -> list[str]:
        return command("run", out / "job.h5", "--out", out, "--pes", 1, "--overwrite", "--quiet")

    chance = random.Random(2)
    sizes = [chance.randrange(SMALLEST, LARGEST + 200_000) for _ in range(100)]
    full, saved = check_sizes(disk, short_water, whole_results, sizes, words)
    assert full > 33
    record_property("disks", len(sizes))
    print(f"{len(sizes)} disks, {full} of them too small, {saved} with a checkpoint")


def test_a_full_disk_gets_a_message_and_no_checkpoint(short_water: Job, disk: SmallDisk) -> None:
    size = 1_000_000 if disk.is_mounted else 3 * 250_000
    assert tried(disk, short_water, size, engine_words) == EXIT_RESOURCE
    out = disk.place / "run"
    step = step_of_checkpoint(out / "checkpoint.h5")
    with fg.Run(out).trajectory() as trajectory:
        assert trajectory.steps[-1] >= step - 5
