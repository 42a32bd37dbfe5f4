# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL at random moments of a dynamics, again and again: resumed, it ends as one left alone.

The engine in one process is killed with its Python; of several processes one is, whichever.
FINEGRAIN_EFFORT multiplies the number of runs.
"""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from moving_silicon import SCHEMES, frames, job_of
from process_runs import (
    TIMEOUT_S,
    USABLE,
    effort,
    engines,
    finegrain,
    needs_any,
    started,
    wait_until,
)

import finegrain as fg

STEPS = 100
OFTEN = ("[output]", "trajectory_interval = 5", 'checkpoint_interval = "0.1 s"')


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Path]]:
    """The job of a scheme, and the folder of a run that is not killed."""
    known: dict[str, tuple[Path, Path]] = {}

    def of(scheme: str) -> tuple[Path, Path]:
        if scheme not in known:
            folder = tmp_path_factory.mktemp(scheme)
            job = job_of(folder, scheme, STEPS, *OFTEN)
            known[scheme] = job, fg.run(job, folder / "alone", pes=1).path
        return known[scheme]

    return of


def rows(out: Path) -> int:
    """Return the number of rows of energies."""
    table = out / "energies.csv"
    return table.read_text().count("\n") - 1 if table.exists() else -1


def kill_at_a_random_moment(
    process: subprocess.Popen[str], out: Path, ranks: int, chance: random.Random
) -> bool:
    """Kill a process of a run once a random number of rows is there; False if it ends before."""
    log = out / "run.log"
    # A fast machine takes some milliseconds for a step: some are left when it looks. What goes on
    # has rows of before; sometimes it dies before it has read them.
    moment = rows(out) + chance.randrange(STEPS // 3)
    delay = chance.choice([0.0, chance.uniform(0, 0.05)])
    victim = chance.randrange(ranks)

    def it_is_time() -> bool:
        begun = log.exists() and (ranks == 1 or len(engines(out)) == ranks)
        return process.poll() is not None or (begun and rows(out) >= moment)

    wait_until(it_is_time, every_s=0.005)
    time.sleep(delay)
    if process.poll() is None:
        pid = process.pid if ranks == 1 else engines(out).get(victim)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    wait_until(lambda: not engines(out))
    if process.returncode == 0:
        return False
    if ranks == 1:
        assert process.returncode == -signal.SIGKILL, text + complaints
    else:
        assert process.returncode == 2, text + complaints
        assert "a process of the run was lost" in complaints
    return True


def shape_of(chance: random.Random, ranks: int) -> list[Any]:
    """Return the words for a shape of a run."""
    words: list[Any] = ["--ranks", ranks, "--pes", chance.choice([1, 2])]
    return words + (["--mpi", chance.choice(USABLE)] if ranks > 1 else [])


def break_off(
    job: Path, alone: Path, out: Path, most_kills: int, chance: random.Random, ranks: int
) -> int:
    """Run a job with kills, compare it with the run left alone, and return how often it died."""
    kills = 0
    words: list[Any] = ["run", job, "--out", out]
    for _ in range(most_kills):
        process = started(out.parent, *words, *shape_of(chance, ranks))
        if not kill_at_a_random_moment(process, out, ranks, chance):
            break
        kills += 1
        if fg.open_run(out).finished:  # it had its result when it was killed; `resume` refuses it
            break
        words = ["resume", out]
        ranks = chance.choice([1, 2, 3])
    else:
        done = finegrain(out.parent, *words, "--json", *shape_of(chance, ranks))
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout)["finished"]
    whole = fg.open_run(alone)
    assert fg.open_run(out).state_digest == whole.state_digest
    assert (out / "energies.csv").read_bytes() == (alone / "energies.csv").read_bytes()
    here, there = frames(out), frames(alone)
    assert all((here[name] == there[name]).all() for name in there)
    left = [f.name for f in out.iterdir() if f.suffix in (".part", ".journal")]
    assert not left, "what was half written lies about"
    return kills


@needs_any
@pytest.mark.parametrize(
    ("ranks", "scheme"),
    [
        (1, "constrained"),
        (2, "free"),
        (1, "born-oppenheimer"),
        pytest.param(3, "born-oppenheimer", marks=pytest.mark.nightly),
    ],
)
def test_killed_at_random_moments_it_ends_as_if_left_alone(
    undisturbed: Callable[[str], tuple[Path, Path]], tmp_path: Path, ranks: int, scheme: str
) -> None:
    kills = 0
    for trial in range(effort(1)):
        chance = random.Random(100 * ranks + trial)
        kills += break_off(*undisturbed(scheme), tmp_path / f"{trial}", 2, chance, ranks)
    assert kills


@needs_any
@pytest.mark.nightly
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_killed_many_times_it_ends_as_if_left_alone(
    undisturbed: Callable[[str], tuple[Path, Path]], tmp_path: Path, ranks: int, scheme: str
) -> None:
    kills = 0
    for trial in range(effort(4)):
        chance = random.Random(10_000 + 100 * ranks + trial)
        kills += break_off(*undisturbed(scheme), tmp_path / f"{trial}", 6, chance, ranks)
    print(f"{scheme}, {ranks} processes at first: {kills} kills")
    assert kills >= effort(4)
