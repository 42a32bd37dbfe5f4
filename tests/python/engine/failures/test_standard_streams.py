# SPDX-License-Identifier: BSD-3-Clause
"""Runs whose output cannot be read, or not all letters of it: they end as usual."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain import _engine
from finegrain.files.seal import seal

TIMEOUT_S = 300
TITLE = "Wasser, 9 Å \x1b[31mrot\x9b0m"
OWN = Path(_engine.__file__).parent / "bin" / "finegrain-engine"


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a job of a relaxed box of water, 20 steps under a heat bath."""
    folder = tmp_path_factory.mktemp("job")
    dynamics = {"steps": 20, "ensemble": "nvt", "friction": "1 1/ps"}
    return make_job(
        folder, "water", FAST_WATER_FORCES, dynamics, output={"energy_interval": 5}
    ).path


def start(
    words: list[Any], before: Callable[[], None] | None = None, **how: Any
) -> subprocess.CompletedProcess[bytes]:
    command = [str(word) for word in words]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.run(command, check=False, timeout=TIMEOUT_S, preexec_fn=before, **how)


def no_output() -> None:
    os.close(1)


def no_streams() -> None:
    for descriptor in (0, 1, 2):
        os.close(descriptor)


def reader_gone() -> None:
    read, write = os.pipe()
    os.close(read)
    os.dup2(write, 1)
    os.dup2(write, 2)


def full_disk() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, 1)
    os.dup2(full, 2)


FRONT = [sys.executable, "-m", "finegrain", "run"]


@pytest.fixture(scope="module", params=[FRONT, [OWN]], ids=["finegrain", "finegrain-engine"])
def program(
    request: pytest.FixtureRequest, job: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Any], Path]:
    """Return the command of a program, and a run that it made undisturbed."""
    words: list[Any] = request.param
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    done = start([*words, job, "--out", folder, "--pes", 1])
    assert done.returncode == 0, done.stderr
    return words, folder


@pytest.mark.parametrize(
    ("trouble", "status"), [(no_output, 0), (no_streams, 0), (reader_gone, 0), (full_disk, 2)]
)
def test_a_run_that_nobody_can_read_leaves_all_its_files(
    job: Path,
    tmp_path: Path,
    program: tuple[list[Any], Path],
    trouble: Callable[[], None],
    status: int,
) -> None:
    words, there = program
    here = tmp_path / "here"
    done = start([*words, job, "--out", here, "--pes", 1], trouble)
    assert done.returncode == status
    assert {file.name for file in here.iterdir()} == {file.name for file in there.iterdir()}
    for name in ("trajectory.h5", "checkpoint.h5"):
        assert (here / name).read_bytes()[:8] == b"\x89HDF\r\n\x1a\n", name
    assert (here / "energies.csv").read_bytes() == (there / "energies.csv").read_bytes()
    if words is FRONT:
        assert fg.Run(here).state_digest == fg.Run(there).state_digest


def test_a_stopped_run_stays_resumable_when_its_reader_has_left(job: Path, tmp_path: Path) -> None:
    words = [*FRONT, job, "--out", tmp_path / "out", "--pes", 1, "--stop-after", 5]
    assert start(words, reader_gone).returncode == 75


def test_what_was_asked_for_and_cannot_be_written_is_an_error(job: Path, tmp_path: Path) -> None:
    forces = tmp_path / "forces.npz"
    with Path("/dev/full").open("wb") as full:
        words = [*FRONT[:-1], "energy", job, "--forces", forces, "--json"]
        done = start(words, stdout=full)
        own = start([OWN, job, "--energy"], stdout=full)
    assert (done.returncode, own.returncode) == (2, 2)
    for stderr in (done.stderr, own.stderr):
        assert b"standard output" in stderr
        assert b"please report" not in stderr


def test_a_terminal_of_ascii_gets_plain_letters(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    init = [*FRONT[:-1], "init", "water", "--out", tmp_path / "w.toml"]
    assert start(init, env=environment).returncode == 0
    done = start([*FRONT[:-1], "check", tmp_path / "w.toml"], env=environment)
    assert done.returncode == 0, done.stderr
    assert b"9 A " in done.stdout
    asked = start([*FRONT[:-1], "check", tmp_path / "w.toml", "--json"], env=environment)
    assert asked.stdout.isascii()
    assert json.loads(asked.stdout)["settings"]["cutoff"].startswith("9 Å")
    names = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    listed = start([*FRONT[:-1], "doctor"], env={**os.environ, **names})
    assert listed.returncode == 0, listed.stderr
    assert b"  + numpy" in listed.stdout


def test_escape_codes_in_a_title_reach_no_terminal_and_no_log(tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = make_job(tmp_path, "water", FAST_WATER_FORCES, {"steps": 5})
    with h5py.File(job.path, "r+") as file:
        file.attrs["title"] = TITLE
    seal(job.path)
    done = start([*FRONT, job.path, "--out", out, "--pes", 1])
    assert done.returncode == 0, done.stderr
    shown = start([*FRONT[:-1], "show", out])
    checked = start([*FRONT[:-1], "check", job.path])
    for text in (done.stdout, shown.stdout, checked.stdout, (out / "run.log").read_bytes()):
        assert b"9 \xc3\x85 \\x1b[31mrot\\x" in text
        assert b"\x1b" not in text
        assert b"\xc2\x9b" not in text
    asked = start([*FRONT[:-1], "show", out, "--json"])
    assert b"\xc2\x9b" not in asked.stdout
    assert json.loads(asked.stdout)["title"] == "Wasser, 9 Å \\x1b[31mrot\\x9b0m"


def test_the_drift_of_the_conserved_energy_is_told_with_and_without_a_bath(
    job: Path, tmp_path: Path
) -> None:
    alone = make_job(tmp_path / "alone", "water", FAST_WATER_FORCES, {"steps": 20}).path
    for name, path in (("bath", job), ("free", alone)):
        done = start([*FRONT, path, "--out", tmp_path / name])
        assert b"conserved energy drift  " in done.stdout
        assert b"conserved energy drift ." in (tmp_path / name / "run.log").read_bytes()
        assert abs(fg.Run(tmp_path / name).result["energy_drift"]) < 1
    own = start([OWN, job, "--out", tmp_path / "own"])
    assert b"energy_drift " in own.stdout + own.stderr
