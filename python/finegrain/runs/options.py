# SPDX-License-Identifier: BSD-3-Clause
"""The options of `run` and `resume`, each described once.

The functions, the commands and the call of the engine follow from these lists. An option has one
name everywhere; in a command it is written with dashes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, get_args, get_type_hints

from finegrain.base.arguments import (
    BALANCERS,
    MAPS,
    checked_balance,
    checked_balance_steps,
    checked_companion_seconds,
    checked_hours,
    checked_map,
    checked_memory_checkpoint_steps,
    checked_pes,
    checked_pin,
    checked_stop_after,
)
from finegrain.engine.engine import Progress
from finegrain.engine.mpi import NAMES


def unchecked(value: Any) -> Any:
    """Return a value that is checked elsewhere, together with others."""
    return value


@dataclass(frozen=True)
class RunOption:
    """One option.

    Attributes
    ----------
    metavar, help : str
        What stands for its value, and what it means, in the help of the commands.
    default : Any
        Without it.
    check : callable
        Returns the value; raises InputError for one that cannot be.
    engine : bool
        Whether ``_engine.run`` takes it; the others say how the engine is started.
    words : tuple of str
        Usual values, with which a shell completes the option.
    """

    metavar: str | None
    help: str
    default: Any
    check: Callable[[Any], Any]
    engine: bool = False
    words: tuple[str, ...] = ()


class How(TypedDict, total=False):
    """The options that `run` and `resume` have in common."""

    pes: Annotated[
        int | None,
        RunOption(
            "N",
            "Worker threads of each process; all usable cores by default.",
            None,
            checked_pes,
            engine=True,
        ),
    ]
    ranks: Annotated[int, RunOption("N", "Processes; more than one need an MPI.", 1, unchecked)]
    mpi: Annotated[
        str,
        RunOption(
            "NAME",
            "MPI that starts the processes: openmpi, mpich or auto.",
            "auto",
            unchecked,
            words=("auto", *NAMES),
        ),
    ]
    comm_threads: Annotated[
        int,
        RunOption(
            "N",
            "Threads of each process that only drive the network; 0: the workers drive it.",
            0,
            unchecked,
        ),
    ]
    map: Annotated[
        str,
        RunOption(
            "NAME",
            "Map from objects to threads: cost, block, plane, hybrid, round-robin, hashed, mesh-1 "
            "(the mesh on one thread of each process), mesh-1-alone, or torus-4x4x8-16 (sides, "
            "prisms); another for some arrays: cost,pairs=hashed.",
            "cost",
            checked_map,
            engine=True,
            words=(*MAPS, "mesh-1", "mesh-1-alone"),
        ),
    ]
    pin: Annotated[
        str,
        RunOption(
            "LIST",
            "Bind threads to one core each (cores), to none (none), or to these processors of each "
            "host, one for each thread: 0-3,8.",
            "cores",
            checked_pin,
            engine=True,
            words=("cores", "none"),
        ),
    ]
    balance: Annotated[
        str,
        RunOption(
            "NAME",
            "Move objects by their measured load: none, refine, greedy, bisection or random.",
            "none",
            checked_balance,
            engine=True,
            words=BALANCERS,
        ),
    ]
    balance_steps: Annotated[
        int,
        RunOption(
            "N",
            "Steps between two rounds of --balance.",
            1000,
            checked_balance_steps,
            engine=True,
        ),
    ]
    memory_checkpoint_steps: Annotated[
        int,
        RunOption(
            "N",
            "Steps between two checkpoints in memory, each in two processes; 0: none.",
            0,
            checked_memory_checkpoint_steps,
            engine=True,
        ),
    ]
    stop_after: Annotated[
        int,
        RunOption(
            "STEP",
            "Save and stop, resumable, after this step.",
            -1,
            checked_stop_after,
            engine=True,
        ),
    ]
    hours: Annotated[
        float | None,
        RunOption(
            "H",
            "Save and stop, resumable, after H hours of wall time.",
            None,
            checked_hours,
            engine=True,
        ),
    ]
    companion_seconds: Annotated[
        float,
        RunOption(
            "S",
            "Longest wait for one answer of a program beside the run (of the dispersion).",
            600.0,
            checked_companion_seconds,
            engine=True,
        ),
    ]
    trace: Annotated[
        bool,
        RunOption(
            None,
            "Record what ran when, for: finegrain trace DIR.",
            False,
            bool,
            engine=True,
        ),
    ]
    on_progress: Callable[[Progress], None] | None


class HowToGoOn(How, total=False):
    """The options of `resume`."""

    ignore_memory: Annotated[
        bool,
        RunOption(
            None,
            "Go on from disk even if memory has a newer state.",
            False,
            bool,
            engine=True,
        ),
    ]
    new_results: Annotated[
        bool,
        RunOption(
            None,
            "Where trajectory or energies are damaged, begin new ones; the old are kept.",
            False,
            bool,
            engine=True,
        ),
    ]


def described(how: type) -> dict[str, tuple[Any, RunOption]]:
    """Return type and description of each option of a list, without the callback."""
    hints = get_type_hints(how, include_extras=True)
    pairs = {name: get_args(hint) for name, hint in hints.items()}
    return {name: pair for name, pair in pairs.items() if isinstance(pair[-1], RunOption)}


OPTIONS = {name: option for name, (_, option) in described(HowToGoOn).items()}
