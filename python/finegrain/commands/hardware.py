# SPDX-License-Identifier: BSD-3-Clause
"""``bench`` and ``doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finegrain import benchmark
from finegrain import doctor as examination
from finegrain.arguments import (
    as_path,
    checked_count,
    checked_pes,
    checked_placement,
    checked_ranks,
    one_of,
)
from finegrain.commands import common
from finegrain.errors import EXIT_RESOURCE, InputError
from finegrain.mpi import checked_mpi
from finegrain.new_file import refuse_to_replace


def bench(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help=", ".join(benchmark.SYSTEMS))
    ] = "dhfr",
    pes: common.Pes = None,
    ranks: common.Ranks = 1,
    mpi: common.Mpi = "auto",
    comm_threads: common.CommThreads = 0,
    steps: Annotated[
        int | None,
        typer.Option("--steps", metavar="N", help="Timed steps: 1000, or 500 with --peers."),
    ] = None,
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", help="Steps before the clock starts.")
    ] = 200,
    placement: common.Placement = "block",
    peers: Annotated[
        bool,
        typer.Option("--peers", help="Run GROMACS and OpenMM too, in turns, where installed."),
    ] = False,
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="N", help="Rounds of turns with --peers.")
    ] = 5,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="Also write the JSON there."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Time a fixed system; with --peers also other programs."""
    pes = checked_pes(pes)
    checked_mpi(mpi)
    checked_placement(placement)
    if peers and checked_ranks(ranks) > 1:
        raise InputError(
            "the comparison with other programs uses one process",
            where="--ranks",
            value=str(ranks),
            limit="1 with --peers",
        )
    warm_up = checked_count(warm_up, "--warm-up", "steps", 0)
    repeats = checked_count(repeats, "--repeats", "rounds", 1)
    if steps is not None:
        steps = checked_count(steps, "--steps", "steps", 1)
    if out is not None:
        refuse_to_replace(out, overwrite=overwrite)  # check now, not after minutes of work
    one_of(system, benchmark.SYSTEMS, "bench", "there is no such benchmark", "choose one of these")
    if peers:
        report = benchmark.compare_with_peers(pes=pes, steps=steps or 500, repeats=repeats)
    else:
        report = benchmark.time_dhfr(
            pes=pes,
            steps=1000 if steps is None else steps,
            warm_up=warm_up,
            placement=placement,
            ranks=ranks,
            mpi=mpi,
            comm_threads=comm_threads,
        )
    if out is not None:
        benchmark.write_report(report, out)
    if json:
        common.print_json(report)
    else:
        common.say(benchmark.report_text(report), end="")


def doctor(json: common.Json = False) -> None:
    """List what this installation has and lacks."""
    findings, fingerprint = examination.examine()
    answer = examination.doctor_json(findings, fingerprint)
    if json:
        common.print_json(answer)
    else:
        common.say(examination.doctor_text(findings), end="")
    if not answer["ready"]:
        raise typer.Exit(EXIT_RESOURCE)
