# SPDX-License-Identifier: BSD-3-Clause
"""Cases given to processes that may crash or hang: a few at a time, each within its time."""

import json
import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Case = dict[str, Any]
_here = Path(__file__).parent
_ticks = os.sysconf("SC_CLK_TCK")
# On a machine that others load a process gets at least this part of a processor.
_smallest_share = 1 / 12


@dataclass
class Outcome:
    """A case with its result; `faults` are sentences, none if all is well."""

    case: Case
    status: int
    faults: list[str]
    done: str = ""
    text: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        head = f"{self.case['work']} {self.case['kind']} {self.case['number']}: {self.done}"
        return "\n  ".join([head, *self.faults, *self.text.splitlines()])


class _Worker:
    def __init__(self) -> None:
        path = os.pathsep.join([str(_here), str(_here.parent / "input")])
        self.process = subprocess.Popen(
            [sys.executable, str(_here / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        )
        self.case: Case | None = None
        self.limit = self.begun_s = self.processor_s = 0.0

    def give(self, case: Case, limit: float) -> None:
        assert self.process.stdin is not None
        self.case, self.limit = case, limit
        self.begun_s, self.processor_s = time.monotonic(), self.processor_time()
        self.process.stdin.write(json.dumps(case).encode() + b"\n")
        self.process.stdin.flush()

    def processor_time(self) -> float:
        """Return the seconds that the process has computed."""
        try:
            about = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(about[11]) + int(about[12])) / _ticks

    def hangs(self) -> bool:
        """Whether the case computes longer than its limit, or waits for what never comes."""
        waits = time.monotonic() - self.begun_s > self.limit / _smallest_share
        return waits or self.processor_time() - self.processor_s > self.limit

    def end(self) -> int:
        self.process.kill()
        status = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        return status


def _answer_of(worker: _Worker) -> Outcome:
    assert worker.process.stdout is not None
    assert worker.case is not None
    line = worker.process.stdout.readline()
    if line:
        return Outcome(worker.case, **json.loads(line))
    status = worker.process.wait()
    return Outcome(worker.case, status, [f"a crash: the process ended with {status}"])


def outcomes(cases: Iterable[Case], *, workers: int = 2, limit: float = 60.0) -> list[Outcome]:
    """Do all cases; one that computes longer than `limit` seconds is a hang.

    So is one that waits twelve times as long, as for a pipe. Processor time is counted because a
    loaded machine makes every case slow.
    """
    waiting, found = deque(cases), []
    chosen = selectors.DefaultSelector()
    free = [_Worker() for _ in range(min(workers, len(waiting)))]
    busy: list[_Worker] = []
    try:
        while waiting or busy:
            while waiting and (free or len(busy) < workers):
                worker = free.pop() if free else _Worker()
                worker.give(waiting.popleft(), limit)
                chosen.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
                busy.append(worker)
            ready = [key.data for key, _ in chosen.select(timeout=1.0)]
            for worker in list(busy):
                late = worker not in ready and worker.hangs()
                if not late and worker not in ready:
                    continue
                busy.remove(worker)
                chosen.unregister(worker.process.stdout)  # type: ignore[arg-type]
                if late:
                    assert worker.case is not None
                    worker.end()
                    found.append(Outcome(worker.case, -1, [f"a hang: more than {limit:g} s"]))
                    continue
                found.append(_answer_of(worker))
                if worker.process.poll() is None:
                    free.append(worker)
                else:
                    worker.end()
    finally:
        for worker in [*free, *busy]:
            worker.end()
    return found
