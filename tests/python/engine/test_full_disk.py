# SPDX-License-Identifier: BSD-3-Clause
"""A disk that fills up in the middle of a run: freed and resumed, nothing of the run is missing.

FINEGRAIN_EFFORT multiplies the number of sizes that the quick test tries.
"""

from __future__ import annotations

import random
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from broken_off import ENGINE, TIMEOUT_S, Results, as_started, wrong_after
from process_runs import command, effort

import finegrain as fg
from finegrain.checkpoints import step_of_checkpoint
from finegrain.errors import EXIT_RESOURCE
from finegrain.jobs import Job

SMALLEST, LARGEST, STEP = 450_000, 1_400_000, 10_000  # bytes: nothing fits, everything fits


class SmallDisk:
    """A file system in memory of a given size; where none may be mounted, a limit on each file."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._size = 0
        place.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(place)],
            capture_output=True,
            check=False,
        )
        self.is_mounted = done.returncode == 0

    def resize(self, size: int) -> None:
        self._size = size
        if self.is_mounted:
            words = ["mount", "-o", f"remount,size={size}", str(self.place)]
            subprocess.run(words, check=True, capture_output=True)

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            if not self.is_mounted:  # the trajectory alone is about a third of all
                hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
                resource.setrlimit(resource.RLIMIT_FSIZE, (self._size // 3, hard))

        return subprocess.run(
            words,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
            preexec_fn=limit,
        )

    def close(self) -> None:
        if self.is_mounted:
            subprocess.run(["umount", str(self.place)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "disk")
    try:
        yield made
    finally:
        made.close()


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


def test_a_full_disk_gets_one_message_and_no_checkpoint_beyond_the_results(
    short_water: Job, disk: SmallDisk
) -> None:
    size = 1_000_000 if disk.is_mounted else 3 * 250_000
    assert tried(disk, short_water, size, engine_words) == EXIT_RESOURCE
    out = disk.place / "run"
    step = step_of_checkpoint(out / "checkpoint.h5")
    with fg.Run(out).trajectory() as trajectory:
        assert trajectory.steps[-1] >= step - 5
