# SPDX-License-Identifier: BSD-3-Clause
"""The command ``finegrain``: parses the command line and turns every failure into one message.

Exit status: 0 fine, 1 bad input, 2 machine, 3 numerics, 4 our bug, 75 stopped early and resumable,
130 interrupted by a second Ctrl-C.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from finegrain.base.interrupts import EXIT_BROKEN_OFF, leave_at_once, raise_at_interrupts
from finegrain.base.visible import visible
from finegrain.engine import machine
from finegrain.errors import EXIT_INPUT, EXIT_INTERNAL, InputNote
from finegrain.terminal.commands import (
    geometries,
    hardware,
    planning,
    preparing,
    results,
    running,
    tracing,
    tuning,
    writing,
)
from finegrain.terminal.commands.common import (
    as_command_line_error,
    one_of_words,
    print_json,
    refuse_empty_words,
)
from finegrain.terminal.commands.examples import EXAMPLES, FIRST_STEPS, help_of_examples
from finegrain.terminal.standard_streams import StandardStreams
from finegrain.words.report import error_json, print_error


class _Group(TyperGroup):
    """Commands whose failures are printed in the project's form, with its exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002 - it always is; the name is typer's
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; leave the process with its status."""
        words = list(sys.argv[1:] if args is None else args)
        warnings.simplefilter("always", InputNote)
        warnings.showwarning = _show_warning
        try:
            refuse_empty_words(words)
            status = super().main(
                words, prog_name, complete_var, False, windows_expand_args, **extra
            )
        except SystemExit as left:
            status = left.code
        except Exception as failure:
            status = _report(failure, words)
        if status == EXIT_BROKEN_OFF:
            leave_at_once()
        sys.exit(status if isinstance(status, int) else 0)


def _show_warning(message: Warning | str, *_where: Any, **_more: Any) -> None:
    print(f"note: {visible(str(message))}", file=sys.stderr)


def _report(failure: BaseException, words: Sequence[str]) -> int:
    error = as_command_line_error(failure, COMMANDS)
    if "--json" in words:
        print_json(error_json(error))
    else:
        print_error(error)
    if error.kind == "internal" and os.environ.get("FINEGRAIN_TRACEBACK"):
        raise failure
    return error.exit_status


app = typer.Typer(
    name="finegrain",
    cls=_Group,
    invoke_without_command=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Molecular dynamics on fine-grained message-driven objects.",
    epilog=help_of_examples(FIRST_STEPS, "First steps:"),
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"finegrain {machine.version()}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback has seen it
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(EXIT_INPUT)


COMMANDS: dict[str, Callable[..., None]] = {
    "init": writing.init,
    "prepare": preparing.prepare,
    "check": writing.check,
    "job": writing.job,
    "tune": tuning.tune,
    "run": running.run,
    "resume": running.resume,
    "energy": running.energy,
    "relax": geometries.relax,
    "vibrations": geometries.vibrations,
    "show": results.show,
    "convert": results.convert,
    "wannier": results.wannier,
    "trace": tracing.trace,
    "map": planning.map_places,
    "predict": planning.predict,
    "cite": results.cite,
    "bench": hardware.bench,
    "engine": hardware.engine,
    "doctor": hardware.doctor,
}
for _name, _work in COMMANDS.items():
    # Without `short_help` the list of commands would cut what each does.
    app.command(
        _name,
        short_help=inspect.cleandoc(_work.__doc__ or ""),
        epilog=help_of_examples(EXAMPLES[_name]),
    )(_work)


@app.command("help")
def _help(
    context: typer.Context,
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND",
            help="The command to explain.",
            autocompletion=one_of_words(COMMANDS),
        ),
    ] = None,
) -> None:
    """Print the help of a command, or this text."""
    words = [] if command is None else [command]
    app(args=[*words, "--help"], prog_name=context.find_root().info_name)


def main() -> None:
    """Entry point of the command ``finegrain``."""
    streams = StandardStreams()
    status: int | str | None = EXIT_INTERNAL
    try:
        raise_at_interrupts()
        app(prog_name="finegrain")
    except KeyboardInterrupt:
        leave_at_once()
    except SystemExit as left:
        status = left.code
        unwritten = streams.close()
        if unwritten is not None and status == 0:
            print_error(unwritten)
            status = unwritten.exit_status
    sys.exit(status)


if __name__ == "__main__":
    main()
