# SPDX-License-Identifier: BSD-3-Clause
"""A sample of the damaged files through the executables themselves, as a user starts them."""

import os
import random
import subprocess
import sys
from pathlib import Path

import oracle
import pytest
import results
from seeds import formats
from worker import damage

from finegrain import _engine

FRONT = [sys.executable, "-m", "finegrain"]
ENGINE = Path(_engine.__file__).parent / "bin" / "finegrain-engine"
TIMEOUT_S = 60
EFFORT = int(os.environ.get("FINEGRAIN_EFFORT", "1"))


def done_by(words: list[str]) -> tuple[int, str]:
    done = subprocess.run(words, capture_output=True, timeout=TIMEOUT_S, check=False)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def copy_of(folder: Path, target: Path) -> Path:
    target.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            (target / file.name).write_bytes(file.read_bytes())
    return target


@pytest.mark.parametrize("kind", list(formats))
def test_inputs_through_the_command(seeds: Path, tmp_path: Path, kind: str) -> None:
    for number in range(500_000, 500_000 + EFFORT):
        folder = tmp_path / str(number)
        mutant = damage(kind, number, seeds, folder)
        status, text = done_by([*FRONT, "check", str(folder / "in.toml")])
        assert not oracle.text_faults(status, text), f"{mutant.done}\n{text}"


@pytest.mark.parametrize("command", results.commands)
def test_results_through_the_command(stopped_run: Path, tmp_path: Path, command: str) -> None:
    for number in range(EFFORT):
        chance = random.Random(f"executable {command} {number}")
        (tmp_path / str(number)).mkdir()
        folder = copy_of(stopped_run, tmp_path / str(number) / "run")
        what = results.damage(chance, folder)
        words = results.words_for(command, chance, folder)
        status, text = done_by([*FRONT, *words])
        faults = oracle.text_faults(status, text) + oracle.library_faults(text)
        assert not faults, f"{what}\n{text}"


def test_jobs_through_the_engine(stopped_run: Path, tmp_path: Path) -> None:
    statuses = set()
    for number in range(24 * EFFORT):
        chance = random.Random(f"engine {number}")
        folder = copy_of(stopped_run, tmp_path / str(number))
        what = results.damage(chance, folder)
        command = [str(ENGINE), str(folder / "job.h5"), "--out", str(folder / "out"), "--pes", "1"]
        status, text = done_by([*command, "--steps", "2", "--quiet"])
        assert status in (0, 1, 3), f"{what}\n{text}"
        assert "Traceback" not in text
        assert "HDF5-DIAG" not in text
        statuses.add(status)
    assert statuses >= {0, 1}
