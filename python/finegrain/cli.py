# SPDX-License-Identifier: BSD-3-Clause
"""The command ``finegrain``: parses the command line and turns every failure into one message.

Exit status: 0 fine, 1 bad input, 2 machine, 3 numerics, 4 our bug, 75 stopped early and resumable,
130 broken off by a second Ctrl-C.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from finegrain import machine
from finegrain.commands import hardware, results, running, tracing, writing
from finegrain.commands.common import as_command_line_error
from finegrain.errors import EXIT_INPUT, InputNote
from finegrain.report import error_json, print_error

EXIT_BROKEN_OFF = 130  # 128 + SIGINT, as shells have it


class _Group(TyperGroup):
    """Commands whose failures are printed in the house form, with the house's exit status."""

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
            status = super().main(
                words, prog_name, complete_var, False, windows_expand_args, **extra
            )
            sys.stdout.flush()  # here, where a reader that has left is not yet a failure
        except BrokenPipeError:  # the reader, such as head, has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 0
        except SystemExit as left:
            # The parser ends the program when the reader has left in the middle, and says 1.
            gone = type(sys.stdout).__name__ == "PacifyFlushWrapper"
            status = 0 if gone else left.code
        except Exception as failure:
            status = _report(failure, words)
        if status == EXIT_BROKEN_OFF:
            _leave_at_once()
        sys.exit(status if isinstance(status, int) else 0)


def _show_warning(message: Warning | str, *_where: Any, **_more: Any) -> None:
    print(f"note: {message}", file=sys.stderr)


def _leave_at_once() -> None:
    """End the process although the engine still works: the user has asked for it twice."""
    print("\nfinegrain: broken off; the last checkpoint, if any, is whole", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_BROKEN_OFF)


def _report(failure: BaseException, words: Sequence[str]) -> int:
    error = as_command_line_error(failure)
    if "--json" in words:
        print(json.dumps(error_json(error), indent=2, ensure_ascii=False))
    else:
        print_error(error)
    if error.kind == "internal" and os.environ.get("FINEGRAIN_TRACEBACK"):
        raise failure
    return error.exit_status


app = typer.Typer(
    name="finegrain",
    cls=_Group,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Molecular dynamics on fine-grained message-driven objects.",
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


app.command("init")(writing.init)
app.command("check")(writing.check)
app.command("run")(running.run)
app.command("resume")(running.resume)
app.command("energy")(running.energy)
app.command("show")(results.show)
app.command("convert")(results.convert)
app.command("trace")(tracing.trace)
app.command("cite")(results.cite)
app.command("bench")(hardware.bench)
app.command("doctor")(hardware.doctor)


def main() -> None:
    """Entry point of the command ``finegrain``."""
    app(prog_name="finegrain")


if __name__ == "__main__":
    main()
