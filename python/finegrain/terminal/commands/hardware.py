# SPDX-License-Identifier: BSD-3-Clause
"""``bench``, ``doctor`` and ``engine``."""

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
from finegrain.engine.engine import engine_program
from finegrain.engine.mpi import checked_mpi, choose_mpi
from finegrain.errors import EXIT_RESOURCE, InputError, ResourceError
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.terminal import benchmark
from finegrain.terminal.commands import common
from finegrain.terminal.commands.bench_options import BenchOptions


@common.takes(BenchOptions)
def bench(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help=", ".join((*benchmark.SYSTEMS, "fft")))
    ] = "dhfr",
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="Also write the JSON there."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
    **options: Any,
) -> None:
    """Time a fixed system; with --peers also other programs. Or time Fourier transforms: fft."""
    asked = BenchOptions(**options)
    systems = (*benchmark.SYSTEMS, "fft")
    one_of(system, systems, "bench", "there is no such benchmark", "choose one of these")
    if out is not None:
        refuse_to_replace(out, overwrite=overwrite)  # check now, not after minutes of work
    asked.refuse_those_of_others(system)
    if system == "fft":
        from finegrain.terminal.commands import transforms  # other commands start without it

        report, text = transforms.advise(asked) if asked.advise else transforms.time(asked)
    else:
        report = _time_system(asked)
        text = benchmark.report_text(report)
    _give(report, text, out, json=json)


def _time_system(asked: BenchOptions) -> dict[str, Any]:
    pes = checked_pes(asked.pes)
    checked_mpi(asked.mpi)
    checked_map(asked.map)
    if asked.peers and checked_ranks(asked.ranks) > 1:
        raise InputError(
            "the comparison with other programs uses one process",
            where="--ranks",
            value=str(asked.ranks),
            limit="1 with --peers",
        )
    warm_up = checked_count(asked.warm_up, "--warm-up", "steps", 0)
    repeats = checked_count(asked.repeats, "--repeats", "rounds", 1)
    steps = asked.steps
    if steps is not None:
        steps = checked_count(steps, "--steps", "steps", 1)
    if asked.peers:
        return benchmark.compare_with_peers(pes=pes, steps=steps or 500, repeats=repeats)
    return benchmark.time_dhfr(
        steps=1000 if steps is None else steps,
        warm_up=warm_up,
        pes=pes,
        map=asked.map,
        ranks=asked.ranks,
        mpi=asked.mpi,
        comm_threads=asked.comm_threads,
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


def engine(
    mpi: Annotated[
        str | None,
        typer.Option("--mpi", metavar="NAME", help="For processes: openmpi, mpich or auto."),
    ] = None,
    json: common.Json = False,
) -> None:
    """Print the path of the engine's executable, which runs jobs without Python."""
    program = engine_program("finegrain-engine") if mpi is None else choose_mpi(mpi).executable
    if program is None:
        hint = "run `make build` in the source folder, or `pip install finegrain`"
        raise ResourceError("the engine's executable is missing", hint=hint)
    if json:
        common.print_json({"path": str(program)})
    else:
        common.say(program)
