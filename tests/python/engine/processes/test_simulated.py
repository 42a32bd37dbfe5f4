# SPDX-License-Identifier: BSD-3-Clause
"""The engine in processes that SimGrid simulates: the same bits, and the machine's own clock."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import WATER_FORCES, make_job

from finegrain import _engine

ROOT = Path(__file__).resolve().parents[4]
PROGRAMS = ROOT / "build" / "simulated"
ENGINE = PROGRAMS / "engine" / "app" / "finegrain-engine-smpi"

sys.path.insert(0, str(ROOT / "bench" / "machines"))
from machines import MACHINES  # noqa: E402  (a folder of scripts, not a package)

pytestmark = pytest.mark.nightly  # `make test-nightly` builds these programs


def simulate(folder: Path, machine: str, nodes: int, *words: object) -> str:
    platform, hosts = MACHINES[machine].write(folder, nodes)
    command = ["smpirun", "-np", str(nodes), "-platform", str(platform), "-hostfile", str(hosts)]
    done = subprocess.run(
        [*command, *MACHINES[machine].options(), *map(str, words)],
        env=os.environ | {"TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("machine", MACHINES)
def test_eight_simulated_nodes_end_where_one_process_does(tmp_path: Path, machine: str) -> None:
    job = make_job(tmp_path / "job", "water", WATER_FORCES, {"steps": 20})
    out = simulate(tmp_path, machine, 8, ENGINE, job.path, "--out", tmp_path / "here", "--quiet")
    there = _engine.run(str(job.path), str(tmp_path / "there"))
    assert f"state_digest {there['state_digest']}" in out


def transform(folder: Path, by: str) -> dict[str, Any]:
    program = PROGRAMS / "bench" / "simulated" / "transform_table"
    words = (16, "pencils", "8x8", by, "both", 1, 1)
    result: dict[str, Any] = json.loads(simulate(folder, "bluegene-q", 8, program, *words))
    return result


def test_simulated_times_are_the_same_each_time(tmp_path: Path) -> None:
    first, second = transform(tmp_path, "exchanges"), transform(tmp_path, "exchanges")
    assert first == second
    assert first["us"] > 0
    assert first["error"] < 1e-12


def test_many_to_many_takes_less_time_than_messages(tmp_path: Path) -> None:
    assert transform(tmp_path, "exchanges")["us"] < transform(tmp_path, "messages")["us"]


@pytest.mark.parametrize("shape", [("slabs", "8"), ("pencils", "2x4"), ("bricks", "2x2x2")])
def test_any_decomposition_is_transformed(tmp_path: Path, shape: tuple[str, str]) -> None:
    program = PROGRAMS / "bench" / "simulated" / "transform_table"
    words = (16, *shape, "messages", "forward", 0.25, 1)
    result = json.loads(simulate(tmp_path, "bluegene-l", 8, program, *words))
    # exchanges: between slabs one, pencils two, from bricks over lines of three axes to bricks four
    assert result["exchanges"] == {"slabs": 1, "pencils": 2, "bricks": 4}[shape[0]]
    assert result["error"] < 1e-12
