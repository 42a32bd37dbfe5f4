# SPDX-License-Identifier: BSD-3-Clause
"""A command with its wall time, processor time and peak memory."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass(frozen=True)
class Measured:
    """What a command did.

    Attributes
    ----------
    status : int
        Its exit status.
    output, errors : str
    seconds : float
        Wall time.
    core_seconds : float
        Processor time of it and all processes that it waited for.
    peak : int
        Bytes in memory, at most, of the largest of these processes.
    """

    status: int
    output: str
    errors: str
    seconds: float
    core_seconds: float
    peak: int


def measure(command: list[str], cwd: Path, env: dict[str, str]) -> Measured:
    """Run a command."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            command, cwd=cwd, env={**os.environ, **env}, stdout=output, stderr=errors
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        return Measured(
            status=process.returncode,
            output=_text(output),
            errors=_text(errors),
            seconds=seconds,
            core_seconds=used.ru_utime + used.ru_stime,
            peak=used.ru_maxrss * 1024,
        )


def _text(file: IO[str]) -> str:
    file.seek(0)
    return file.read()
