# SPDX-License-Identifier: BSD-3-Clause
"""The engine for Arm in an emulator: the same bits on any number of threads, the same energies."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

from finegrain import _engine
from finegrain.classical.job import Job

ROOT = Path(__file__).resolve().parents[4]
LIBRARIES = ROOT / ".arm64"
ENGINE = ROOT / "build" / "arm64" / "engine" / "app" / "finegrain-engine"
# As in CMakePresets.json; with SVE of 512 bits the kernels are those of NEON.
PROCESSORS = {"NEON": "max,sve=off", "SVE_256": "max,sve256=on", "NEON beside SVE": "max,sve512=on"}
# Kernels round differently; forces of mixed precision are sums of floats, whose last bit is 6e-8.
CLOSE = {"mixed": 1e-6, "double": 1e-10}

pytestmark = pytest.mark.nightly  # `make test-nightly` builds this engine

emulated = pytest.mark.parametrize("processor", PROCESSORS)


@pytest.fixture(scope="module", params=CLOSE)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    forces = FAST_WATER_FORCES | {"precision": request.param}
    dynamics = {"steps": 20, "ensemble": "nvt", "friction": "1 1/ps"}
    return make_job(tmp_path_factory.mktemp(request.param), "water", forces, dynamics)


def engine(processor: str, *words: object) -> str:
    command = ["qemu-aarch64", "-L", str(LIBRARIES), str(ENGINE), *map(str, words)]
    done = subprocess.run(
        command,
        env=os.environ | {"QEMU_CPU": PROCESSORS[processor]},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def last_result(printed: str) -> dict[str, Any]:
    all_lines: dict[str, Any] = {}
    for line in printed.splitlines():
        all_lines |= json.loads(line)
    result: dict[str, Any] = all_lines["result"]
    return result


@emulated
def test_the_bits_are_the_same_on_any_threads(job: Job, tmp_path: Path, processor: str) -> None:
    digests = set()
    for pes in (1, 2, 3):
        out = tmp_path / str(pes)
        words = ("--out", out, "--pes", pes, "--json")
        digests.add(last_result(engine(processor, job.path, *words))["state_digest"])
    assert len(digests) == 1


@emulated
def test_energies_are_those_of_this_machine(job: Job, processor: str) -> None:
    there = last_result(engine(processor, job.path, "--energy", "--json"))
    here = _engine.energy(str(job.path))
    close = CLOSE[job.path.parent.name.rstrip("0123456789")]
    for name, value in here.items():
        if isinstance(value, float):
            assert there[name] == pytest.approx(value, rel=close, abs=close), name
