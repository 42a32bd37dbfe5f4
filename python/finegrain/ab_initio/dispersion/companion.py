# SPDX-License-Identifier: BSD-3-Clause
"""The program beside a run that finds the dispersion where the ions move to.

The engine starts it by the command line in the job, and speaks with it over a socket that is its
standard input; docs/reference/job-file.md describes the frames. It ends when the engine does.
Units: hartree, bohr.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.dispersion.model import Found, Method, make_model

# Magic, version, kind, number of the request, bytes that follow.
_head = struct.Struct("=8sIIQQ")
_magic, _version = b"finegrn\n", 1
_module = "finegrain.ab_initio.dispersion.companion"
READY, ELEMENTS, GEOMETRY, ANSWERED, REFUSED = 1, 2, 3, 4, 5


class Closed(Exception):  # noqa: N818 - the usual end
    """The engine has closed the socket."""


@dataclass(frozen=True)
class Frame:
    """A request or an answer."""

    kind: int
    number: int
    data: bytes


def read_frame(channel: socket.socket) -> Frame:
    """Await the next frame.

    Raises
    ------
    Closed
        If the other side has ended.
    ValueError
        If what comes is no frame of this version.
    """
    magic, version, kind, number, size = _head.unpack(_read(channel, _head.size))
    if magic != _magic or version != _version:
        raise ValueError(f"a frame begins with {magic!r} and version {version}")
    return Frame(kind, number, _read(channel, size))


def _read(channel: socket.socket, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        more = channel.recv(min(size - len(received), 1 << 20))
        if not more:
            raise Closed
        received += more
    return bytes(received)


def write_frame(channel: socket.socket, frame: Frame) -> None:
    """Send a frame."""
    head = _head.pack(_magic, _version, frame.kind, frame.number, len(frame.data))
    channel.sendall(head + frame.data)


Model = Callable[[NDArray[np.float64], NDArray[np.float64]], Found]


def serve(channel: socket.socket, method: Method, make: Callable[..., Model] = make_model) -> None:
    """Answer requests until the other side ends."""
    try:
        write_frame(channel, Frame(READY, 0, b""))
        model: Model | None = None
        while True:
            frame = read_frame(channel)
            if frame.kind == ELEMENTS:
                model = make(method, np.frombuffer(frame.data, np.int32))
            elif frame.kind == GEOMETRY and model is not None:
                write_frame(channel, _answer(model, frame))
            else:
                raise ValueError(f"a frame of kind {frame.kind} has no place here")
    except (Closed, BrokenPipeError, ConnectionResetError):
        return


def _answer(model: Model, frame: Frame) -> Frame:
    numbers = np.frombuffer(frame.data, np.float64).reshape(-1, 3)
    try:
        found = model(numbers[3:], numbers[:3])
    except RuntimeError as error:
        return Frame(REFUSED, frame.number, str(error).encode())
    data = np.concatenate(([found.energy], found.forces.ravel(), found.strain.ravel()))
    return Frame(ANSWERED, frame.number, data.tobytes())


def own_channel() -> socket.socket:
    """Return the socket of the engine; what others print goes to the standard error."""
    channel = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return channel


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the engine that has started this program."""
    # A run that has to stop still makes its last step.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    serve(own_channel(), method_of(arguments))


def method_of(arguments: Sequence[str] | None) -> Method:
    """Return the method of a command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damping", choices=("d3zero", "d3bj"), required=True)
    parser.add_argument("--functional", required=True)
    parser.add_argument("--three-body", action="store_true")
    parser.add_argument("--isolated", action="store_true")
    given: dict[str, Any] = vars(parser.parse_args(arguments))
    return Method(**given)


def command_of(method: Method) -> list[str]:
    """Return the command line that serves an engine with this method, by the same Python."""
    # Without the folder of the run on the path (-P).
    command = [sys.executable, "-P", "-m", _module]
    command += ["--damping", method.damping, "--functional", method.functional]
    command += ["--three-body"] if method.three_body else []
    return command + (["--isolated"] if method.isolated else [])


if __name__ == "__main__":
    main()
