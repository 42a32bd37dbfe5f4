# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C before the command has begun: one line and status 130, as later.

Imports take some tenths of a second. Meanwhile Python would answer Ctrl-C with a traceback. So this
module is imported among the first, and itself imports only the standard library.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from types import FrameType

EXIT_BROKEN_OFF = 130  # 128 + SIGINT, as shells have it
_LINE = "\nfinegrain: interrupted; the last checkpoint, if any, is whole"


def is_command() -> bool:
    """Return whether this process is the command ``finegrain``, or ``python -m finegrain``."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m":  # while the package is imported
        return any(word in ("finegrain", "finegrain.terminal.cli") for word in sys.orig_argv)
    return Path(name).name == "finegrain"


def leave_at_once() -> None:
    """End the process, even while the engine works, because the user has asked for it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or None
        sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError):
        print(_LINE, file=sys.stderr, flush=True)
    os._exit(EXIT_BROKEN_OFF)


def leave_at_interrupts() -> None:
    """Have Ctrl-C end the process from now on, unless it is ignored or has another meaning."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_at_interrupts() -> None:
    """Have Ctrl-C raise KeyboardInterrupt again, as a program finds it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    leave_at_once()


if is_command():
    leave_at_interrupts()
