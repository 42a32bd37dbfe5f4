# SPDX-License-Identifier: BSD-3-Clause
"""What all tests have in common.

A shell ignores SIGINT for what it starts in the background, and `nohup` SIGHUP; programs that tests
start, and then interrupt, would inherit this.
"""

import base64
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


# Several tests run at once. Threads of BLAS that wait for small products take the cores of others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A PNG of one black point.
_POINT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


@pytest.fixture(autouse=True)
def small_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a point in place of a picture, which takes longer than a small run does.

    Tests of pictures have the mark `pictures`.
    """
    if request.node.get_closest_marker("pictures"):
        return
    from matplotlib.figure import Figure

    def save(_figure: object, picture: str | Path | Any, **how: object) -> None:
        if how.get("format") == "svg":
            picture.write("<svg></svg>")  # in the memory of a page
        elif isinstance(picture, (str, Path)):
            Path(picture).write_bytes(_POINT)
        else:
            picture.write(_POINT)

    monkeypatch.setattr(Figure, "savefig", save)


@pytest.fixture(autouse=True)
def no_kept_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test read or change what earlier runs of the user have left in the cache."""
    from finegrain.engine import kept_speed

    monkeypatch.setattr(kept_speed, "folder", lambda: None)


@pytest.fixture
def command() -> Callable[..., Result]:
    """Run a command line and return what it printed and its status."""
    # Here, because most tests need no command line.
    from finegrain.terminal.cli import app

    runner = CliRunner(env={"TERM": "dumb", "NO_COLOR": "1"})
    return lambda *words: runner.invoke(app, [str(word) for word in words], prog_name="finegrain")


@pytest.fixture
def accepted(command: Callable[..., Result]) -> Callable[..., Result]:
    """Run a command line that ends well; return what it printed."""

    def done(*words: object) -> Result:
        found = command(*words)
        assert found.exit_code == 0, found.output
        return found

    return done


@pytest.fixture
def refused(command: Callable[..., Result]) -> Callable[..., str]:
    """Run a command line that ends with a status, by default that of bad input; return why."""

    def message(*words: object, status: int = 1) -> str:
        found = command(*words)
        assert found.exit_code == status, found.output
        return found.stderr

    return message
