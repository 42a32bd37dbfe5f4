# SPDX-License-Identifier: BSD-3-Clause
"""The options of `run` and `resume`, each described once.

The functions, the commands and the call of the engine follow from these lists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, get_args, get_type_hints

from finegrain.base.arguments import (
    checked_balance,
    checked_balance_steps,
    checked_companion_seconds,
    checked_hours,
    checked_memory_steps,
    checked_pes,
    checked_placement,
    checked_stop_after,
)
from finegrain.engine.engine import Progress


def unchecked(value: Any) -> Any:
    """Return a value that is checked elsewhere, together with others."""
    return value


@dataclass(frozen=True)
class RunOption:
    """One option.

    Attributes
    ----------
    word, metavar, help : str
        On the command line, and in the help of the commands.
    default : Any
        Without it.
    check : callable
        Returns the value; raises InputError for one that cannot be.
    engine : str
        What ``_engine.run`` calls it; empty if it says how the engine is started.
    """

    word: str
    metavar: str | None
    help: str
    default: Any
    check: Callable[[Any], Any]
    engine: str = ""


class How(TypedDict, total=False):
    """The options that `run` and `resume` have in common."""

    pes: Annotated[
        int | None,
        RunOption(
            "--pes",
            "N",
            "Worker threads of each process; all usable cores by default.",
            None,
            checked_pes,
            "pes",
        ),
    ]
    ranks: Annotated[
        int, RunOption("--ranks", "N", "Processes; more than one need an MPI.", 1, unchecked)
    ]
    mpi: Annotated[
        str,
        RunOption(
            "--mpi",
            "NAME",
            "MPI that starts the processes: openmpi, mpich or auto.",
            "auto",
            unchecked,
        ),
    ]
    comm_threads: Annotated[
        int,
        RunOption(
            "--comm-threads",
            "N",
            "Threads of each process that only drive the network; 0: the workers drive it.",
            0,
            unchecked,
        ),
    ]
    placement: Annotated[
        str,
        RunOption(
            "--map",
            "NAME",
            "Map from objects to threads: cost, block, plane, hybrid, round-robin, hashed, or "
            "torus-4x4x8-16 (sides, prisms); another for some arrays: cost,pairs=hashed.",
            "cost",
            checked_placement,
            "map",
        ),
    ]
    balance: Annotated[
        str,
        RunOption(
            "--balance",
            "NAME",
            "Move objects by their measured load: none, refine, greedy, bisection or random.",
            "none",
            checked_balance,
            "balance",
        ),
    ]
    balance_steps: Annotated[
        int,
        RunOption(
            "--balance-steps",
            "N",
            "Steps between two rounds of --balance.",
            1000,
            checked_balance_steps,
            "balance_interval",
        ),
    ]
    memory_checkpoint_steps: Annotated[
        int,
        RunOption(
            "--memory-checkpoint-steps",
            "N",
            "Steps between two checkpoints in memory, each in two processes; 0: none.",
            0,
            checked_memory_steps,
            "memory_every",
        ),
    ]
    stop_after: Annotated[
        int,
        RunOption(
            "--stop-after",
            "STEP",
            "Save and stop, resumable, after this step.",
            -1,
            checked_stop_after,
            "stop_after_step",
        ),
    ]
    hours: Annotated[
        float | None,
        RunOption(
            "--hours",
            "H",
            "Save and stop, resumable, after H hours of wall time.",
            None,
            checked_hours,
            "hours",
        ),
    ]
    companion_seconds: Annotated[
        float,
        RunOption(
            "--companion-seconds",
            "S",
            "Longest wait for one answer of a program beside the run (of the dispersion).",
            600.0,
            checked_companion_seconds,
            "companion_seconds",
        ),
    ]
    trace: Annotated[
        bool,
        RunOption(
            "--trace",
            None,
            "Record what ran when, for: finegrain trace DIR.",
            False,
            bool,
            "trace",
        ),
    ]
    on_progress: Callable[[Progress], None] | None


class HowToGoOn(How, total=False):
    """The options of `resume`."""

    ignore_memory: Annotated[
        bool,
        RunOption(
            "--ignore-memory",
            None,
            "Go on from disk even if memory has a newer state.",
            False,
            bool,
            "ignore_memory",
        ),
    ]
    new_results: Annotated[
        bool,
        RunOption(
            "--new-results",
            None,
            "Where trajectory or energies are damaged, begin new ones; the old are kept.",
            False,
            bool,
            "new_results",
        ),
    ]


def described(how: type) -> dict[str, tuple[Any, RunOption]]:
    """Return type and description of each option of a list, without the callback."""
    hints = get_type_hints(how, include_extras=True)
    pairs = {name: get_args(hint) for name, hint in hints.items()}
    return {name: pair for name, pair in pairs.items() if isinstance(pair[-1], RunOption)}


OPTIONS = {name: option for name, (_, option) in described(HowToGoOn).items()}
