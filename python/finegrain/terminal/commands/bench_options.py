# SPDX-License-Identifier: BSD-3-Clause
"""The options of ``bench``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

import typer

from finegrain.errors import InputError
from finegrain.terminal.commands import common

_of_transforms = ("grid", "real", "single", "batch", "advise")
_of_systems = ("pes", "steps", "warm_up", "map", "comm_threads", "peers")


@dataclass(frozen=True)
class BenchOptions:
    """The options of `bench`: some are those of a run, some those of transforms."""

    pes: common.Pes = None
    ranks: common.Ranks = 1
    mpi: common.Mpi = "auto"
    comm_threads: common.CommThreads = 0
    steps: Annotated[
        int | None,
        typer.Option("--steps", metavar="N", help="Timed steps: 1000, or 500 with --peers."),
    ] = None
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", help="Steps before the clock starts.")
    ] = 200
    map: common.Map = "cost"
    peers: Annotated[
        bool,
        typer.Option("--peers", help="Run GROMACS and OpenMM too, in turns, where installed."),
    ] = False
    repeats: Annotated[
        int,
        typer.Option("--repeats", metavar="N", help="Rounds of turns with --peers, and of fft."),
    ] = 5
    grid: Annotated[
        list[str] | None,
        typer.Option("--grid", metavar="GRID", help="fft: 64 or 48x64x96, also several times."),
    ] = None
    real: Annotated[bool, typer.Option("--real", help="fft: real points.")] = False
    single: Annotated[bool, typer.Option("--single", help="fft: single precision.")] = False
    batch: Annotated[
        int, typer.Option("--batch", metavar="N", help="fft: fields that go together.")
    ] = 1
    advise: Annotated[
        bool, typer.Option("--advise", help="fft: how many processes help, up to --ranks.")
    ] = False

    def refuse_those_of_others(self, system: str) -> None:
        """Refuse options that mean nothing for this benchmark."""
        others = _of_systems if system == "fft" else _of_transforms
        for option in fields(self):
            if option.name in others and getattr(self, option.name) != option.default:
                raise InputError(
                    f"is not an option of bench {system}",
                    where="command line",
                    value="--" + option.name.replace("_", "-"),
                    hint="leave it out; see: finegrain bench --help",
                )
