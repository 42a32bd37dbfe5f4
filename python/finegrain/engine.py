# SPDX-License-Identifier: BSD-3-Clause
"""The door to the compiled engine.

A run happens on a thread of its own, so that the main thread stays free to hear Ctrl-C and
SIGTERM; both ask the engine for a checkpoint, and only a second Ctrl-C is impatient. Even then the
engine goes on until its next rebuild, since a thread cannot be broken off: an interpreter waits for
it at its end, and the command leaves it with the process.
"""

from __future__ import annotations

import importlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from finegrain.errors import ResourceError
from finegrain.report import as_finegrain_error

Progress = Mapping[str, Any]

_at_work: set[threading.Thread] = set()


def load_engine() -> Any:
    """Import the compiled module, or say how to get it."""
    try:
        return importlib.import_module("finegrain._engine")
    except ImportError as error:
        raise ResourceError(
            "the compiled engine is missing or does not load",
            value=str(error),
            hint="run `make build` in the source folder, or `pip install finegrain`",
        ) from error


def usable_cores() -> int:
    """Return the number of cores this process may run on."""
    return len(os.sched_getaffinity(0))


def engine_is_busy() -> bool:
    """Return whether a run goes on, though nobody may be waiting for it any more."""
    return any(thread.is_alive() for thread in tuple(_at_work))


def when_engine_rests(action: Callable[[], None]) -> None:
    """Do something once all runs have ended: now, or later on a thread that waits for them."""
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
    """Yield an event that SIGINT and SIGTERM set; in other threads it is never set.

    A second SIGINT raises KeyboardInterrupt, for the user who will not wait for the checkpoint.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(number: int, _frame: FrameType | None) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_job(
    job: Path,
    directory: Path,
    *,
    pes: int,
    placement: str = "block",
    balance: str = "none",
    balance_steps: int = 1000,
    checkpoint: Path | None = None,
    memory_steps: int = 0,
    ignore_memory: bool = False,
    stop_after: int = -1,
    trace: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    ranked: Any = None,
) -> dict[str, Any]:
    """Run a job to its end or to the first request to stop.

    Parameters
    ----------
    job : Path
        The HDF5 job.
    directory : Path
        Where results go; it exists.
    pes : int
        Worker threads.
    placement : str
        Name of the map from objects to PEs; no map changes a bit of the result.
    balance : str
        Name of what moves objects between PEs by their measured load; none changes a bit.
    balance_steps : int
        Steps between two rounds of it.
    checkpoint : Path, optional
        Where to go on from.
    memory_steps : int
        Steps between two checkpoints in memory; 0 keeps none.
    ignore_memory : bool
        Go on from `checkpoint` even if there is a newer one in memory.
    stop_after : int
        Stop, resumable, at the first rebuild at or after this step; -1 goes to the end.
    trace : bool
        Keep what ran when, in ``trace.0.bin``.
    on_progress : callable, optional
        Called a few times a second, never at the same time twice, with what the engine reports.
    ranked : RankedEngine, optional
        The engine in several processes, instead of the one in this process.

    Returns
    -------
    dict
        The engine's result (see ``_engine.pyi``).

    Raises
    ------
    FinegrainError
        Whatever the engine raises, in our kinds.
    Exception
        What `on_progress` raised, as it is, once the engine has saved its state and stopped.
    """
    engine = ranked or load_engine()
    outcome: dict[str, Any] = {}

    with stop_on_signals() as stop:

        def report(progress: Progress) -> bool:
            if on_progress is not None and "from_caller" not in outcome:
                try:
                    on_progress(progress)
                except BaseException as error:  # the caller's own: raised below, as it is
                    outcome["from_caller"] = error
            return not stop.is_set() and "from_caller" not in outcome

        def work() -> None:
            try:
                outcome["result"] = engine.run(
                    str(job),
                    str(directory),
                    pes=pes,
                    map=placement,
                    balance=balance,
                    balance_interval=balance_steps,
                    resume="" if checkpoint is None else str(checkpoint),
                    memory_every=memory_steps,
                    ignore_memory=ignore_memory,
                    trace=trace,
                    stop_after_step=stop_after,
                    on_progress=report,
                )
            except BaseException as error:  # handed to the caller's thread below
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
            if ranked is not None:  # other processes can be broken off
                ranked.break_off()
            raise

    if "from_caller" in outcome:
        raise outcome["from_caller"]
    if "error" in outcome:
        error = outcome["error"]
        raise as_finegrain_error(error) from error
    result = outcome["result"]
    return dict(result)
