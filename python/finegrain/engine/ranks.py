# SPDX-License-Identifier: BSD-3-Clause
"""The engine in several processes, started by ``mpiexec``; process 0 reports in JSON.

``mpiexec`` gets its own session, so that Ctrl-C reaches only this process. To ask for a checkpoint,
this process closes the standard input of ``mpiexec``. Every MPI passes this on to process 0 on any
host. If this process is killed, the input is closed too, and the run saves its state and stops.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from finegrain.base.arguments import checked_comm_threads, checked_ranks
from finegrain.engine.engine import load_engine, usable_cores
from finegrain.engine.mpi import Mpi, checked_mpi, choose_mpi
from finegrain.engine.room_for_mpi import little_room
from finegrain.engine.start_guard import StartGuard
from finegrain.errors import KINDS, FinegrainError, InputError, ResourceError

_PATIENCE_S = 30.0  # for processes to end after the last message, and after SIGTERM
_CHATTER_LINES = 40
START_VARIABLE = "FINEGRAIN_MPI_START_SECONDS"
_START_S = 180.0  # for all processes to find each other; a start takes a second or two
_NO_FIGURES = {"atoms", "forces_file"}  # of an evaluation


def ranked_engine(ranks: Any, mpi: str, comm_threads: Any = 0) -> RankedEngine | None:
    """Return the engine in this number of processes; None for one, which needs no MPI.

    Raises
    ------
    InputError
        If a number of processes or threads is invalid, or there is no MPI of that name.
    ResourceError
        If that MPI is not installed.
    """
    count = checked_ranks(ranks)
    checked_mpi(mpi)
    comm_threads = checked_comm_threads(comm_threads, count)
    return RankedEngine(count, choose_mpi(mpi), comm_threads) if count > 1 else None


def usual_pes(ranked: RankedEngine | None) -> int:
    """Return the default number of worker threads of a process: its share of the cores."""
    if ranked is None:
        return usable_cores()
    return max(1, usable_cores() // ranked.ranks - ranked.comm_threads)


class RankedEngine:
    """The `run` and `energy` of ``finegrain._engine``, for a number of processes.

    Parameters
    ----------
    ranks : int
        Number of processes.
    mpi : Mpi
        The MPI that starts them.
    comm_threads : int
        Threads of each process that drive the network; with 0 the workers drive it.
    """

    def __init__(self, ranks: int, mpi: Mpi, comm_threads: int = 0) -> None:
        self.ranks = ranks
        self.mpi = mpi
        self.comm_threads = comm_threads
        self._process: subprocess.Popen[bytes] | None = None

    def run(
        self,
        job: str,
        out: str,
        *,
        on_progress: Callable[[Mapping[str, Any]], bool | None] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Run a job; see ``_engine.pyi``.

        Raises
        ------
        FinegrainError
            The first error of any process.
        """
        words = [job, "--out", out, "--stop-at-eof", *_words(options)]
        return self._answer(words, Path(out), on_progress)

    def energy(self, job: str, *, pes: int = 1) -> dict[str, Any]:
        """Evaluate once; see ``_engine.pyi``."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "forces"
            words = [job, "--energy", "--forces", str(file), "--pes", str(pes)]
            answer = self._answer(words, None, None)
            forces = np.fromfile(file, "<f8").astype(np.float64).reshape(-1, 3)
        figures = {name: value for name, value in answer.items() if name not in _NO_FIGURES}
        lists = {name: np.array(value) for name, value in figures.items() if type(value) is list}
        return {**figures, **lists, "forces": forces}

    def break_off(self) -> None:
        """End all processes at once, without a checkpoint."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _answer(
        self,
        words: list[str],
        out: Path | None,
        on_progress: Callable[[Mapping[str, Any]], bool | None] | None,
    ) -> dict[str, Any]:
        command = [*self.mpi.command(self.ranks), *words, "--json"]
        command += ["--ranks", str(self.ranks), "--comm-threads", str(self.comm_threads)]
        with tempfile.TemporaryFile() as chatter, self._started(command, chatter) as started:
            process, output, guard = started
            said = _Said()
            watch = _StartWatch(said, self.break_off)
            for kind, content in _messages(output, chatter):
                guard.release()
                if kind == "progress":
                    if on_progress is not None and on_progress(content) is False:
                        _close_input(process)
                elif said.note(kind, content):
                    self._leave_soon()
            status = process.wait()
            watch.end()
            if said.result is not None:
                return said.result
            text = _text_of(chatter)
        died = _signal_of(status, self.mpi.name)
        if said.error is not None and not (died and _is_of_the_network(said.error)):
            raise said.error
        if out is not None:
            _append_to_log(out / "run.log", text)
        if watch.over:
            raise self._never_started(watch.seconds, text)
        raise self._lost(_how(status, died), out, text, started=said.started)

    @contextlib.contextmanager
    def _started(
        self, command: list[str], chatter: IO[bytes]
    ) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], StartGuard]]:
        with self.mpi.environment() as variables:
            process, output = _start(command, chatter, variables)
            self._process = process
            guard = StartGuard(process.pid)
            with output:
                try:
                    yield process, output, guard
                finally:
                    self.break_off()
                    guard.release()
                    _close_input(process)

    def _leave_soon(self) -> None:
        """Do not wait forever for a process that does not know that the run has ended."""
        timer = threading.Timer(_PATIENCE_S, self.break_off)
        timer.daemon = True
        timer.start()

    def _never_started(self, seconds: float, chatter: str) -> FinegrainError:
        """Return where a start stands that has taken too long; its processes have been ended."""
        said = "\n".join(chatter.splitlines()[:6])
        room = little_room()
        hint = (
            f"is there room in {tempfile.gettempdir()} and in /dev/shm, and does the host answer? "
        )
        hint += f"a slow start may take longer: {START_VARIABLE}=600"
        return ResourceError(
            "the processes did not start: mpiexec runs, and process 0 has not reported",
            where=f"mpiexec of {self.mpi.title}, {self.ranks} processes",
            value=said,
            limit=f"{seconds:g} s ({START_VARIABLE})",
            hint=room or hint,
        )

    def _lost(self, how: str, out: Path | None, chatter: str, *, started: bool) -> FinegrainError:
        where = f"mpiexec of {self.mpi.title}, {self.ranks} processes"
        killed = "SIGKILL" in how
        if not started and not killed:
            lines = [line.strip() for line in chatter.splitlines() if line.strip(" -=*\t")]
            return ResourceError(
                f"the processes could not be started ({how})",
                where=where,
                value="\n".join(lines[:6]),
                hint=little_room() or "finegrain doctor lists what is usable; --pes N needs no MPI",
            )
        if out is None:
            hint = "try again"
        elif (out / "checkpoint.h5").exists():
            hint = f"the last checkpoint is whole: continue with finegrain resume {out}"
        else:
            hint = f"there was no checkpoint yet; start again with finegrain resume {out}"
        if "SIGKILL" in how:
            room = little_room()
            hint += "\n" + (room or "the operating system kills a process when memory runs out")
        elif "SIGBUS" in how and (room := little_room()):
            hint += f"\n{room}"
        elif "SIGABRT" in how:  # mpiexec may report only this process, and not the first one
            hint += "\na process also aborts when another one is lost; its output is in run.log"
        what = "a process of the run was lost" + ("" if started else " while it started")
        return ResourceError(what, where=where, value=how, hint=hint)


def _start(
    command: list[str], chatter: IO[bytes], variables: dict[str, str]
) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Start a command; return it and its output."""
    read_end, write_end = os.pipe()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=write_end,
            stderr=chatter,
            env=variables,
            start_new_session=True,
            # If this process has been killed, the engine's write may fail; it can read its own
            # output.
            pass_fds=(read_end,),
        )
    except OSError as error:
        os.close(read_end)
        raise ResourceError(
            f"cannot be started: {(error.strerror or str(error)).lower()}", where=command[0]
        ) from error
    finally:
        os.close(write_end)
    return process, os.fdopen(read_end, "rb")


def _words(options: Mapping[str, Any]) -> list[str]:
    """Return options of ``_engine.run`` as words for the command line of the engine."""
    words = {name: (word, usual) for name, word, usual, _ in load_engine().run_options()}
    line: list[str] = []
    for name, value in options.items():
        if name not in words:
            raise TypeError(f"run() has no option {name!r}")
        word, usual = words[name]
        if value != usual:
            line += [word] if isinstance(usual, bool) else [word, str(value)]
    return line


class _StartWatch:
    """Ends a start that takes too long."""

    def __init__(self, said: _Said, break_off: Callable[[], None]) -> None:
        self.seconds = _start_limit()
        self.over = False
        self._said, self._break_off = said, break_off
        self._timer = threading.Timer(self.seconds, self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        if not self._said.heard:
            self.over = True
            self._break_off()

    def end(self) -> None:
        """Stop watching."""
        self._timer.cancel()


def _start_limit() -> float:
    given = os.environ.get(START_VARIABLE, "")
    if not given:
        return _START_S
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < threading.TIMEOUT_MAX:
        what = "is no number of seconds above 0"
        raise InputError(what, where=START_VARIABLE, value=given, hint=f"such as {_START_S:g}")
    return seconds


class _Said:
    """The messages of process 0 so far."""

    def __init__(self) -> None:
        self.started = False
        self.heard = False  # whether process 0 has said anything
        self.result: dict[str, Any] | None = None
        self.error: FinegrainError | None = None

    def note(self, kind: str, content: dict[str, Any]) -> bool:
        """Store a message; return whether it is the last one."""
        self.heard = True
        if kind == "started":
            self.started = True
        elif kind == "result":
            self.result = content
        elif kind == "error" and self.error is None:
            parts = {name: str(content[name]) for name in ("where", "value", "limit", "hint")}
            self.error = KINDS[content["kind"]](str(content["what"]), **parts)
        return kind in ("result", "error")


def _messages(output: IO[bytes], chatter: IO[bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield kind and content of each message; other output goes to the chatter."""
    for line in output:
        try:
            message = json.loads(line.decode(errors="surrogateescape"))
            ((kind, content),) = message.items()
        except (ValueError, AttributeError):
            chatter.write(line)
            continue
        if isinstance(content, dict):
            yield kind, content


def _close_input(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _text_of(chatter: IO[bytes]) -> str:
    chatter.seek(0)
    lines = chatter.read().decode(errors="replace").splitlines()
    return "\n".join(lines[-_CHATTER_LINES:])


def _append_to_log(log: Path, chatter: str) -> None:
    if not chatter.strip() or not log.exists():
        return
    text = f"\nA process was lost; mpiexec said:\n{chatter}\n"
    with contextlib.suppress(OSError):  # a link would lead out of the folder, a pipe would wait
        flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(log, flags), "w", encoding="utf-8") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.write(text)


def _signal_of(status: int, mpi: str) -> int:
    """Return the signal that ended a process, from mpiexec's exit status; 0 if there was none."""
    if status < 0:
        return -status  # mpiexec itself
    if status > 128:
        return status - 128
    # Hydra returns a process's wait status unchanged; the engine's own are 0 to 4, and 75. If
    # several processes end at once it combines the bits: one killed, and others that then aborted.
    if mpi == "mpich" and status == signal.SIGKILL | signal.SIGABRT:
        return signal.SIGKILL
    return status if mpi == "mpich" and 4 < status < 65 else 0


def _how(status: int, number: int) -> str:
    if not number:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return f"signal {number}, {signal.Signals(number).name}"
    return f"signal {number}"


def _is_of_the_network(error: FinegrainError) -> bool:
    """Return whether it only says that another process no longer answered."""
    return error.kind == "resource" and error.what.startswith("the network failed")
