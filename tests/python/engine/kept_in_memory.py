# SPDX-License-Identifier: BSD-3-Clause
"""States that runs keep in memory, and runs that lose a process and continue from them."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from process_runs import TIMEOUT_S, engines, finegrain, wait_until


def own_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder for checkpoints in memory, used by one test only."""
    folder.mkdir()
    monkeypatch.setenv("FINEGRAIN_MEMORY_DIR", str(folder))
    return folder


def kept(memory: Path) -> dict[str, Path]:
    """Files by name: "1.0" and "1.1" are those of process 1."""
    return {file.name: file for file in memory.glob("*/*")}


def steps_kept(memory: Path) -> list[int]:
    """Return the steps of the kept states; the newest may be incomplete.

    A file of a process that was killed when it began a new state may not even have its head.
    """
    heads = {file.read_bytes()[80:88] for file in kept(memory).values()}
    return sorted(int.from_bytes(head, "little") for head in heads if len(head) == 8)


def kill_process(process: subprocess.Popen[str], out: Path, ranks: int, victim: int) -> str:
    """Kill one of the processes of a run and await the end of all; return the complaints."""
    pid = engines(out)[victim] if ranks > 1 else process.pid
    os.kill(pid, signal.SIGKILL)
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == (2 if ranks > 1 else -signal.SIGKILL), text + complaints
    wait_until(lambda: not engines(out))
    return complaints


def resumed(out: Path, steps: int, *words: Any) -> dict[str, Any]:
    done = finegrain(out.parent, "resume", out, "--steps", steps, "--json", *words)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def start_of(result: dict[str, Any]) -> tuple[int, str]:
    """Return the step from which a run continued, and its source."""
    step, _, place = result["went_on_from"].removeprefix("step ").partition(", ")
    return int(step), place
