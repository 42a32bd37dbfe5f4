# SPDX-License-Identifier: BSD-3-Clause
"""The interface to the compiled engine.

A run takes place on its own thread, so that the main thread can react to Ctrl-C and SIGTERM. Both
ask the engine for a checkpoint; a second Ctrl-C does not wait for it. Even then the engine
continues until its next rebuild, since a thread cannot be interrupted. An interpreter waits for it
at its end; the command ends it with the process.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from finegrain.errors import ResourceError
from finegrain.words.report import as_finegrain_error

Progress = Mapping[str, Any]  # what the engine reports now and then

_at_work: set[threading.Thread] = set()


def load_engine() -> Any:
    """Import the compiled module, or say how to get it."""
    try:
        return importlib.import_module("finegrain._engine")
    except ImportError as error:
        if (raised := as_finegrain_error(error)).kind == "resource":
            raise raised from error
        raise ResourceError(
            "the compiled engine is missing or does not load",
            value=str(error),
            hint="run `make build` in the source folder, or `pip install finegrain`",
        ) from error


def engine_program(name: str) -> Path | None:
    """Return one of the engine's executables; None without it.

    A build puts all of them beside the compiled module. One for an MPI may also have a package of
    its own, `finegrain_openmpi` or `finegrain_mpich`.
    """
    place = getattr(load_engine(), "__file__", None)
    packages = [place] if place else []
    mpi = name.removeprefix("finegrain-engine-")
    if mpi != name and (found := importlib.util.find_spec(f"finegrain_{mpi}")) is not None:
        packages += [found.origin] if found.origin else []
    for package in packages:
        path = Path(package).parent / "bin" / name
        if os.access(path, os.X_OK):
            return path
    return None


def is_from_wheel() -> bool:
    """Tell whether a wheel brought the engine, with the libraries that it needs."""
    place = getattr(load_engine(), "__file__", None)
    return place is not None and (Path(place).parents[1] / "finegrain.libs").is_dir()


def check_job(name: str, contents: bytes) -> None:
    """Refuse what a run of a job would refuse before its first step.

    Parameters
    ----------
    name : str
        What messages call the job.
    contents : bytes
        The bytes of its file.
    """
    engine = load_engine()
    try:
        engine.check_job(name, contents)
    except Exception as error:
        raise as_finegrain_error(error) from error


def usable_cores(processors: Path = Path("/sys/devices/system/cpu")) -> int:
    """Return the number of cores this process may run on.

    Hardware threads of one core count once, as in the engine, which binds one worker to a core.

    Parameters
    ----------
    processors : Path
        Where the system describes its processors. One without a description counts as a core.
    """

    def core_of(processor: int) -> str:
        siblings = processors / f"cpu{processor}" / "topology" / "thread_siblings_list"
        try:
            return siblings.read_text(encoding="ascii").strip()
        except OSError:
            return f"cpu{processor}"

    return len({core_of(processor) for processor in os.sched_getaffinity(0)})


def when_engine_rests(action: Callable[[], None]) -> None:
    """Call `action` once all runs have ended: now, or later on a thread that waits for them."""
    busy = [thread for thread in tuple(_at_work) if thread.is_alive()]
    if not busy:
        action()
        return

    def wait() -> None:
        for thread in busy:
            thread.join()
        action()

    threading.Thread(target=wait, name="finegrain-end").start()


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Yield an event that SIGINT, SIGTERM and SIGHUP set; in other threads it is never set.

    If SIGHUP is ignored, as under nohup, it stays so.

    A second SIGINT raises KeyboardInterrupt, so that the user need not wait for the checkpoint.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(number: int, _frame: FrameType | None) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_job(
    job: Path,
    directory: Path,
    options: Mapping[str, Any],
    *,
    on_progress: Callable[[Progress], None] | None = None,
    on_result: Callable[[dict[str, Any]], None] | None = None,
    ranked: Any = None,
    stop: threading.Event | None = None,
) -> dict[str, Any]:
    """Run a job to its end or to the first request to stop.

    Parameters
    ----------
    job : Path
        The HDF5 job.
    directory : Path
        Where results go; it exists.
    options : mapping
        The options of ``_engine.run``.
    on_progress : callable, optional
        Called a few times a second with the engine's report, never twice at the same time.
    on_result : callable, optional
        Called with the result as soon as there is one, even if `on_progress` had raised.
    ranked : RankedEngine, optional
        The engine in several processes, instead of the one in this process.
    stop : Event, optional
        The event of a caller that has its own `stop_on_signals`.

    Returns
    -------
    dict
        The engine's result (see ``_engine.pyi``).

    Raises
    ------
    FinegrainError
        Every error of the engine, as one of our kinds.
    Exception
        The exception of `on_progress`, unchanged, after the engine has saved its state and stopped.
    """
    engine = ranked or load_engine()
    outcome: dict[str, Any] = {}

    with stop_on_signals() if stop is None else contextlib.nullcontext(stop) as stop:

        def report(progress: Progress) -> bool:
            if on_progress is not None and "from_caller" not in outcome:
                try:
                    on_progress(progress)
                # the caller's own exception: raised below, unchanged
                except BaseException as error:
                    outcome["from_caller"] = error
            return not stop.is_set() and "from_caller" not in outcome

        def work() -> None:
            try:
                outcome["result"] = engine.run(
                    str(job), str(directory), **options, on_progress=report
                )
            except BaseException as error:  # passed to the caller's thread below
                outcome["error"] = error
            finally:
                _at_work.discard(threading.current_thread())

        thread = threading.Thread(target=work, name="finegrain")
        _at_work.add(thread)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.2)
        except KeyboardInterrupt:
            if ranked is not None:  # other processes can be interrupted
                ranked.break_off()
            raise

    result = dict(outcome.get("result", {}))
    if "result" in outcome and on_result is not None:
        on_result(result)
    if "from_caller" in outcome:
        raise outcome["from_caller"]
    if "error" in outcome:
        error = outcome["error"]
        raise as_finegrain_error(error) from error
    return result
