# SPDX-License-Identifier: BSD-3-Clause
"""``bench`` and ``doctor``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from finegrain.base.arguments import (
    as_path,
    checked_count,
    checked_map,
    checked_pes,
    checked_ranks,
    one_of,
)
from finegrain.engine.mpi import checked_mpi
from finegrain.errors import EXIT_RESOURCE, InputError
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.terminal import benchmark
from finegrain.terminal.commands import common


def bench(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help=", ".join((*benchmark.SYSTEMS, "fft")))
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
    map: common.Map = "cost",  # noqa: A002 - the user's word
    peers: Annotated[
        bool,
        typer.Option("--peers", help="Run GROMACS and OpenMM too, in turns, where installed."),
    ] = False,
    repeats: Annotated[
        int,
        typer.Option("--repeats", metavar="N", help="Rounds of turns with --peers, and of fft."),
    ] = 5,
    grid: Annotated[
        list[str] | None,
        typer.Option("--grid", metavar="GRID", help="fft: 64 or 48x64x96, also several times."),
    ] = None,
    real: Annotated[bool, typer.Option("--real", help="fft: real points.")] = False,
    single: Annotated[bool, typer.Option("--single", help="fft: single precision.")] = False,
    batch: Annotated[
        int, typer.Option("--batch", metavar="N", help="fft: fields that go together.")
    ] = 1,
    advise: Annotated[
        bool, typer.Option("--advise", help="fft: how many processes help, up to --ranks.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="Also write the JSON there."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Time a fixed system; with --peers also other programs. Or time Fourier transforms: fft."""
    systems = (*benchmark.SYSTEMS, "fft")
    one_of(system, systems, "bench", "there is no such benchmark", "choose one of these")
    if out is not None:
        refuse_to_replace(out, overwrite=overwrite)  # check now, not after minutes of work
    own = {"--grid": grid, "--real": real, "--single": single, "--batch": batch, "--advise": advise}
    others = {
        "--pes": pes,
        "--steps": steps,
        "--warm-up": warm_up,
        "--map": map,
        "--comm-threads": comm_threads,
        "--peers": peers,
    }
    refuse_options_of_others(system, others if system == "fft" else own)
    if system == "fft":
        from finegrain.terminal.commands import transforms  # other commands start without it

        asked = transforms.Asked(grid or [], real, single, batch, ranks, mpi, repeats)
        report, text = transforms.advise(asked) if advise else transforms.time(asked)
        _give(report, text, out, json=json)
        return
    pes = checked_pes(pes)
    checked_mpi(mpi)
    checked_map(map)
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
    if peers:
        report = benchmark.compare_with_peers(pes=pes, steps=steps or 500, repeats=repeats)
    else:
        report = benchmark.time_dhfr(
            pes=pes,
            steps=1000 if steps is None else steps,
            warm_up=warm_up,
            map=map,
            ranks=ranks,
            mpi=mpi,
            comm_threads=comm_threads,
        )
    _give(report, benchmark.report_text(report), out, json=json)


USUAL = {"--warm-up": 200, "--map": "cost", "--batch": 1}


def refuse_options_of_others(system: str, given: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing for this benchmark."""
    for option, value in given.items():
        if value and value != USUAL.get(option):
            raise InputError(
                f"is not an option of bench {system}",
                where="command line",
                value=option,
                hint="leave it out; see: finegrain bench --help",
            )


def _give(report: Mapping[str, Any], text: str, out: Path | None, *, json: bool) -> None:
    """Write a report to its file and print it."""
    if out is not None:
        benchmark.write_report(report, out)
    if json:
        common.print_json(report)
    else:
        common.say(text, end="")


def doctor(json: common.Json = False) -> None:
    """List what this installation has and lacks."""
    from finegrain.terminal import doctor as examination  # other commands start without it

    findings, fingerprint = examination.examine()
    answer = examination.doctor_json(findings, fingerprint)
    if json:
        common.print_json(answer)
    else:
        common.say(examination.doctor_text(findings), end="")
    if not answer["ready"]:
        raise typer.Exit(EXIT_RESOURCE)
