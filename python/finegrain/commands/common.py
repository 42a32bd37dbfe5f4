# SPDX-License-Identifier: BSD-3-Clause
"""Code that the commands share: options, JSON on standard output, failures."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from finegrain.arguments import as_path
from finegrain.errors import FinegrainError, InputError, nearest
from finegrain.report import as_finegrain_error
from finegrain.run_directory import plain
from finegrain.visible import json_text, visible

_NO_NUMBER = re.compile(r"Invalid value for '(.*?)': Input should be a valid (\w+)", re.DOTALL)
_UNKNOWN_COMMAND = re.compile(r"No such command '(.*?)'", re.DOTALL)

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Pes = Annotated[
    int | None,
    typer.Option(
        "--pes", metavar="N", help="Worker threads of each process; all usable cores by default."
    ),
]
Ranks = Annotated[
    int, typer.Option("--ranks", metavar="N", help="Processes; more than one need an MPI.")
]
Mpi = Annotated[
    str,
    typer.Option(
        "--mpi", metavar="NAME", help="MPI that starts the processes: openmpi, mpich or auto."
    ),
]
CommThreads = Annotated[
    int,
    typer.Option(
        "--comm-threads",
        metavar="N",
        help="Threads of each process that only drive the network; 0: the workers drive it.",
    ),
]
Steps = Annotated[
    int | None,
    typer.Option("--steps", metavar="N", help="Number of steps, instead of the input's."),
]
Placement = Annotated[
    str,
    typer.Option(
        "--map",
        metavar="NAME",
        help="Map from objects to threads: block, round-robin or hashed.",
    ),
]
Balance = Annotated[
    str,
    typer.Option(
        "--balance",
        metavar="NAME",
        help="Move objects by their measured load: none, refine, greedy, bisection or random.",
    ),
]
BalanceSteps = Annotated[
    int,
    typer.Option("--balance-steps", metavar="N", help="Steps between two rounds of --balance."),
]
MemorySteps = Annotated[
    int,
    typer.Option(
        "--memory-checkpoint-steps",
        metavar="N",
        help="Steps between two checkpoints in memory, each in two processes; 0: none.",
    ),
]
StopAfter = Annotated[
    int,
    typer.Option("--stop-after", metavar="STEP", help="Save and stop, resumable, after this step."),
]
Hours = Annotated[
    float | None,
    typer.Option(
        "--hours", metavar="H", help="Save and stop, resumable, after H hours of wall time."
    ),
]
Traced = Annotated[
    bool, typer.Option("--trace", help="Record what ran when, for: finegrain trace DIR.")
]
AllowScripts = Annotated[
    bool,
    typer.Option("--allow-scripts", help="Execute the Python in your own force field files."),
]
OverwriteFile = Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
InputFile = Annotated[
    Path, typer.Argument(parser=as_path, metavar="INPUT", help="A TOML input, or a job (.h5).")
]
RunFolder = Annotated[
    Path, typer.Argument(parser=as_path, metavar="DIR", help="The folder of a run.")
]


def print_json(value: Any) -> None:
    """Print a value on standard output."""
    print(json_text(plain(value), getattr(sys.stdout, "encoding", None) or "utf-8"))


def say(text: object = "", *, end: str = "\n") -> None:
    """Print text on standard output, with any characters in its names and titles."""
    print(visible(str(text)), end=end)


@contextmanager
def terminal_may_be_gone() -> Iterator[None]:
    """Drop what is printed once the terminal has hung up: the exit status still counts."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(nowhere, number)


@contextmanager
def nothing_was_run() -> Iterator[None]:
    """Add to a failure's message that nothing was run."""
    try:
        yield
    except FinegrainError as error:
        error.outcome = "nothing was run"
        raise


def refuse_empty_words(words: Sequence[str]) -> None:
    """Complain about an empty word, such as a script makes from a variable that is not set."""
    for before, word in zip(("", *words), words, strict=False):
        option = word if word.startswith("--") and word.endswith("=") else ""
        if not word:
            option = f"{before} " if before.startswith("-") else " "
        if option:
            raise InputError(
                "an empty word",
                where="command line",
                value=f'{option}""'.strip(),
                hint="give a value",
            )


def as_command_line_error(failure: BaseException, commands: Iterable[str]) -> FinegrainError:
    """Translate a failure, including the errors of the command line parser."""
    message = getattr(failure, "format_message", None)
    if message is None:
        return as_finegrain_error(failure)
    text = str(message()).rstrip(".")
    what, value, close = text[:1].lower() + text[1:], "", ""
    option = getattr(failure, "option_name", "")
    unknown, number = _UNKNOWN_COMMAND.match(text), _NO_NUMBER.match(text)
    if option and text.startswith("No such option"):
        what, value = "there is no such option", option
        close = nearest(str(option), getattr(failure, "possibilities", None) or ()) or ""
    elif number:
        noun = "whole number" if number.group(2) == "integer" else "number"
        what, value = f"takes a {noun}", number.group(1)
    elif unknown:
        what, value = "there is no such command", unknown.group(1)
        close = nearest(value, commands) or ""
        if value.endswith((".toml", ".h5")):
            close = f"finegrain run {value}"
    program = getattr(getattr(failure, "ctx", None), "command_path", "finegrain")
    hint = (f"did you mean {close}?\n" if close else "") + f"see: {program} --help"
    return InputError(what, where="command line", value=value, hint=hint)
