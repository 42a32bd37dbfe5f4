# SPDX-License-Identifier: BSD-3-Clause
"""Standard output and error of a command: no run fails because its output cannot be written.

A reader such as ``head`` may leave, and the streams may be closed from the start, be on a full disk
or be ASCII-only. Text that cannot be written is dropped, and the command continues.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import select
import sys
from typing import IO

from finegrain.base.visible import plain_letters
from finegrain.errors import ResourceError
from finegrain.files.whole import disk_hint

_PLAIN = "finegrain.plain"


class _Patient(io.RawIOBase):
    """Writes to a descriptor until that fails, and drops everything after that."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: object) -> int:
        """Write part of it, and return the number of bytes."""
        block = bytes(data)  # type: ignore[call-overload]
        while self.failure is None:
            try:
                return os.write(self._descriptor, block)
            except BlockingIOError:
                select.select([], [self._descriptor], [])
            except OSError as error:
                self.failure = error
        return len(block)


class StandardStreams:
    """Replaces ``sys.stdout`` and ``sys.stderr`` for the rest of the process."""

    def __init__(self) -> None:
        codecs.register_error(_PLAIN, plain_letters)
        closed = sys.stdout is None
        _open_descriptors()
        self._output = _Patient(1)
        if closed:  # the stream was closed on purpose
            self._output.failure = BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        sys.stdout = _text(self._output, sys.stdout)
        sys.stderr = _text(_Patient(2), sys.stderr)

    def close(self) -> ResourceError | None:
        """Write out what waits; return why not all was written, if the reader has not left."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        failure = self._output.failure
        if failure is None or failure.errno in (errno.EPIPE, errno.EBADF):
            return None
        return ResourceError(
            f"cannot be written: {(failure.strerror or str(failure)).lower()}",
            where="standard output",
            hint=disk_hint(failure).replace("choose another --out", "write it elsewhere"),
        )


def _open_descriptors() -> None:
    """Open closed streams; otherwise the next file to be opened would get their number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free number


def _text(raw: _Patient, before: IO[str] | None) -> io.TextIOWrapper:
    eager = before is None or getattr(before, "line_buffering", True)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(before, "encoding", None) or "utf-8",
        errors=_PLAIN,
        line_buffering=eager or bool(getattr(before, "write_through", False)),
    )
