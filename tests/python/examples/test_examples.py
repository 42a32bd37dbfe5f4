# SPDX-License-Identifier: BSD-3-Clause
"""Every input in examples is accepted without changes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
INPUTS = sorted(EXAMPLES.glob("*/*.toml"))


@pytest.mark.parametrize("source", INPUTS, ids=lambda path: path.stem)
def test_an_example_is_accepted(source, tmp_path):
    folder = tmp_path / source.parent.name
    shutil.copytree(source.parent, folder)
    if (folder / "get_files.py").exists():
        subprocess.run([sys.executable, folder / "get_files.py"], check=True)
    command = [sys.executable, "-m", "finegrain", "check", str(folder / source.name), "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)


def test_there_are_examples():
    assert {path.stem for path in INPUTS} >= {"dhfr", "water"}
