# SPDX-License-Identifier: BSD-3-Clause
"""What the commands share: their options, JSON on standard output, failures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from finegrain.errors import FinegrainError, InputError
from finegrain.report import as_finegrain_error
from finegrain.run_directory import plain

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
        "--mpi", metavar="NAME", help="Which MPI starts the processes: openmpi, mpich or auto."
    ),
]
CommThreads = Annotated[
    int,
    typer.Option(
        "--comm-threads",
        metavar="N",
        help="Threads of each process that only drive the network; 0: the workers do.",
    ),
]
Steps = Annotated[
    int | None, typer.Option("--steps", metavar="N", help="Number of steps, over the input's.")
]
Placement = Annotated[
    str,
    typer.Option(
        "--map",
        metavar="NAME",
        help="Which thread each object lives on: block, round-robin or hashed.",
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
Traced = Annotated[
    bool, typer.Option("--trace", help="Keep what ran when, for: finegrain trace DIR.")
]
OverwriteFile = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
InputFile = Annotated[Path, typer.Argument(metavar="INPUT", help="A TOML input, or a job (.h5).")]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")]


def print_json(value: Any) -> None:
    """Print a value on standard output."""
    print(json.dumps(plain(value), indent=2, ensure_ascii=False))


@contextmanager
def nothing_was_run() -> Iterator[None]:
    """Let the message of a failure end with the assurance that nothing was run."""
    try:
        yield
    except FinegrainError as error:
        error.outcome = "nothing was run"
        raise


def as_command_line_error(failure: BaseException) -> FinegrainError:
    """Translate a failure, the complaints of the command line parser included."""
    message = getattr(failure, "format_message", None)
    if message is not None:
        context = getattr(failure, "ctx", None)
        program = getattr(context, "command_path", "finegrain")
        text = str(message()).rstrip(".")
        what = text[:1].lower() + text[1:]
        return InputError(what, where="command line", hint=f"see: {program} --help")
    return as_finegrain_error(failure)
