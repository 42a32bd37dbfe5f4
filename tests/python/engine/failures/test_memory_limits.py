# SPDX-License-Identifier: BSD-3-Clause
"""Limits on memory (ulimit -v) below what is needed: status 2 and a plain message, at every size.

FINEGRAIN_EFFORT multiplies the number of limits.
"""

import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from broken_off import TIMEOUT_S
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import ENGINE

from finegrain.base.least_memory import LEAST
from finegrain.classical.job import Job

EFFORT = int(os.environ.get("FINEGRAIN_EFFORT", "1"))
# Below this the system's loader ends the engine before its first line.
STARTS = 100_000_000
ENOUGH = 4_000_000_000
FRONT = [sys.executable, "-m", "finegrain"]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return make_job(tmp_path_factory.mktemp("job"), "water", FAST_WATER_FORCES, {"steps": 2})


def limited(command: list[str], most: int) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run(
        command, preexec_fn=limit, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def ask_engine(job: Job, folder: Path, most: int) -> tuple[int, str]:
    command = [str(ENGINE), str(job.path), "--out", str(folder / "run"), "--overwrite"]
    done = limited([*command, "--pes", "2", "--quiet"], most)
    return done.returncode, done.stderr


def least_that_runs(job: Job, folder: Path) -> int:
    """Return a limit in bytes with which the engine runs, and 5 MB less fails."""
    enough, too_little = ENOUGH, STARTS
    while enough - too_little > 5_000_000:
        most = (enough + too_little) // 2
        if ask_engine(job, folder, most)[0] == 0:
            enough = most
        else:
            too_little = most
    return enough


def test_the_engine_ends_with_status_2_at_limits_below_its_need(job: Job, tmp_path: Path) -> None:
    chance = random.Random(5)
    enough = least_that_runs(job, tmp_path)
    count = 24 * EFFORT
    spread = [
        STARTS + round((enough - STARTS) * (i + chance.random()) / count) for i in range(count)
    ]
    ends = [(most, *ask_engine(job, tmp_path, most)) for most in spread]
    wrong = [end for end in ends if end[1] not in (0, 2)]
    assert not wrong
    failed = [text for _, status, text in ends if status == 2]
    assert len(failed) > count // 2
    for text in failed:
        assert text.startswith("finegrain-engine: ")
        assert "memory" in text
        assert "ulimit -v" in text
    told = [text for text in failed if "limit it takes about" in text and " MB besides" in text]
    assert told, failed


@pytest.mark.parametrize("command", ["check", "run"])
def test_commands_end_with_status_2_below_need(job: Job, tmp_path: Path, command: str) -> None:
    source = job.path.with_name("input.toml")
    words = [*FRONT, command, str(source)]
    if command == "run":
        words += ["--out", str(tmp_path / "run"), "--overwrite", "--quiet", "--pes", "1"]
    few = [60_000_000, 150_000_000, LEAST - 1, LEAST + 1_000_000, LEAST + 40_000_000]
    chance = random.Random(6)
    more = [chance.randrange(60_000_000, 2 * LEAST) for _ in range(8 * (EFFORT - 1))]
    for most in [*few, *more]:
        done = limited(words, most)
        assert done.returncode in ((2,) if most < LEAST else (0, 2)), (most, done.stderr)
        if done.returncode == 2:
            assert done.stderr.startswith("machine error  1 problem"), (most, done.stderr)
            assert "memory" in done.stderr
            assert "Traceback" not in done.stderr
        if most < LEAST:
            assert "it takes about 350 MB" in done.stderr
    assert limited(words, ENOUGH).returncode == 0


def test_a_script_below_the_least_memory_gets_one_sentence() -> None:
    done = limited([sys.executable, "-c", "import finegrain"], 100_000_000)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("MemoryError: finegrain: not enough memory to start; limit 100.0 MB")


@pytest.mark.parametrize(
    ("name", "threads"), [("/usr/bin/finegrain", "1"), ("mine.py", "as it was")]
)
def test_the_command_keeps_the_library_of_numpy_to_one_thread(name: str, threads: str) -> None:
    lines = [
        "import os, sys",
        "os.environ.pop('OPENBLAS_NUM_THREADS', None)",
        f"sys.argv = [{name!r}]",
        "import finegrain.base.least_memory",
        "print(os.environ.get('OPENBLAS_NUM_THREADS', 'as it was'))",
    ]
    code = [sys.executable, "-c", "; ".join(lines)]
    assert subprocess.run(code, capture_output=True, text=True).stdout.strip() == threads
