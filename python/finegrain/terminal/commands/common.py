# SPDX-License-Identifier: BSD-3-Clause
"""Code that the commands share: options, JSON on standard output, failures."""

from __future__ import annotations

import errno
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from finegrain.base.arguments import as_path
from finegrain.base.visible import json_text, visible
from finegrain.errors import FinegrainError, InputError, nearest
from finegrain.runs.folder.directory import plain
from finegrain.runs.options import OPTIONS, described
from finegrain.words.report import as_finegrain_error

Work = TypeVar("Work", bound=Callable[..., None])

_NO_NUMBER = re.compile(r"Invalid value for '(.*?)': Input should be a valid (\w+)", re.DOTALL)
_UNKNOWN_COMMAND = re.compile(r"No such command '(.*?)'", re.DOTALL)

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


def run_option(name: str) -> Any:
    """Return an option of a run as one of a command."""
    option = OPTIONS[name]
    word = "--" + name.replace("_", "-")
    words = one_of_words(option.words) if option.words else None
    return typer.Option(word, metavar=option.metavar, help=option.help, autocompletion=words)


def one_of_words(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what a shell asks for the words that complete a value."""

    def completions(incomplete: str) -> list[str]:  # typer looks at the name
        return [word for word in words if word.startswith(incomplete)]

    return completions


Pes = Annotated[int | None, run_option("pes")]
Ranks = Annotated[int, run_option("ranks")]
Mpi = Annotated[str, run_option("mpi")]
CommThreads = Annotated[int, run_option("comm_threads")]
Map = Annotated[str, run_option("map")]
Steps = Annotated[
    int | None,
    typer.Option("--steps", metavar="N", help="Number of steps, instead of the input's."),
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


def takes(how: type) -> Callable[[Work], Work]:
    """Give a command the options of a list or class, in front of its keyword-only ones."""

    def decorate(work: Work) -> Work:
        hints = get_type_hints(work, include_extras=True)
        own = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(work).parameters.values()
            if parameter.kind is not parameter.VAR_KEYWORD
        ]
        options = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
            )
            for name, (annotation, default) in _options_of(how).items()
        ]
        at = sum(parameter.kind is not parameter.KEYWORD_ONLY for parameter in own)
        signature = inspect.Signature([*own[:at], *options, *own[at:]])
        work.__signature__ = signature  # type: ignore[attr-defined]
        return work

    return decorate


def _options_of(how: type) -> dict[str, tuple[Any, Any]]:
    """Return annotation and default of each option."""
    if is_dataclass(how):
        hints = get_type_hints(how, include_extras=True)
        return {option.name: (hints[option.name], option.default) for option in fields(how)}
    return {
        name: (Annotated[kind, run_option(name)], option.default)
        for name, (kind, option) in described(how).items()
    }


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
