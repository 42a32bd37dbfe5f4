# SPDX-License-Identifier: BSD-3-Clause
"""``map`` and ``predict``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from finegrain.base.arguments import as_path, checked_count, checked_map, input_path
from finegrain.errors import InputError
from finegrain.files.plain import plain_bytes
from finegrain.kinds.new_job import write_job
from finegrain.kinds.registry import kind_of_input, kind_of_job
from finegrain.machines.description import MachineDescription
from finegrain.machines.traffic.traffic import Traffic
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.terminal.commands import common

Machine = Annotated[
    Path | None,
    typer.Option(
        "--machine",
        parser=as_path,
        metavar="FILE",
        help="The machine: a TOML file, or the name of a known one, with --nodes.",
    ),
]
RanksPerNode = Annotated[
    int | None, typer.Option("--ranks-per-node", metavar="N", help="Ranks on each node.")
]


def map_places(
    input: Annotated[  # noqa: A002 - the user's word
        Path | None,
        typer.Argument(parser=as_path, metavar="[INPUT]", help="A TOML input, or a job (.h5)."),
    ] = None,
    machine: Machine = None,
    matrix: Annotated[
        Path | None,
        typer.Option(
            "--matrix",
            parser=as_path,
            metavar="FILE",
            help="What ranks of any program send each other, instead of an input.",
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", metavar="N", help="Nodes, instead of those in the machine file."),
    ] = None,
    ranks_per_node: RanksPerNode = None,
    pes: common.Pes = None,
    map: common.Map = "cost",  # noqa: A002 - the user's word
    relief: Annotated[
        float | None,
        typer.Option(
            "--relief",
            metavar="SHARE",
            help="Share, 0 to 1, by which hop-bytes may grow to relieve the heaviest link (0.05).",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", parser=as_path, metavar="DIR", help="Write pictures and rank files there."
        ),
    ] = None,
    overwrite: common.OverwriteFile = False,
    allow_scripts: common.AllowScripts = False,
    json: common.Json = False,
) -> None:
    """Look at the places of a job's ranks on a machine, and what they put on its links."""
    from finegrain.machines.traffic.matrix import read_matrix
    from finegrain.planning import plan_places, report, traffic_of_job
    from finegrain.planning.placements import USUAL_RELIEF, checked_relief

    described = _machine(machine, nodes, ranks_per_node)
    checked_map(map)
    relief = USUAL_RELIEF if relief is None else checked_relief(relief, "--relief")
    if (input is None) == (matrix is None):
        raise InputError(
            "an input or a matrix is needed, and not both",
            where="map",
            hint="finegrain map water.toml --machine cluster.toml",
        )
    threads = _threads(described, pes)
    job = None
    if matrix is not None:
        traffic: Traffic = read_matrix(matrix)
    else:
        assert input is not None
        name, contents = _job_of(input, allow_scripts=allow_scripts)
        job = traffic_of_job(
            name,
            contents,
            described.ranks,
            threads,
            hosts=described.allocation.node_of_rank,
            map=map,
        )
        traffic = job.whole
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        pictures = [report.PICTURE, *([] if job is None else [report.CELLS[job.cells]])]
        for target in (*report.RANK_FILES.values(), *pictures):
            refuse_to_replace(out / target, overwrite=overwrite)
    plan = plan_places(
        described,
        traffic,
        None if job is None else job.positions,
        hosts_together=job is not None,
        relief=relief,
    )
    left_out = [] if out is None else report.write_files(plan, job, out, threads)
    if json:
        common.print_json(report.as_dict(plan, job) | {"left_out": left_out})
        return
    for line in [*report.lines_of(plan, job), *left_out]:
        common.say(line)
    if out is not None:
        common.say(f"Pictures and rank files of the adapted placement are in {out}.")


def predict(
    input: common.InputFile,  # noqa: A002 - the user's word
    more: Annotated[
        list[int] | None,
        typer.Argument(metavar="[N]...", help="More numbers of nodes, after --nodes N."),
    ] = None,
    machine: Machine = None,
    nodes: Annotated[
        list[int] | None,
        typer.Option(
            "--nodes",
            metavar="N [N]...",
            help="Numbers of nodes; by default 1, 2, 4 ... to those of the machine file's job.",
        ),
    ] = None,
    ranks_per_node: RanksPerNode = None,
    pes: common.Pes = None,
    map: common.Map = "cost",  # noqa: A002 - the user's word
    divide: Annotated[
        bool,
        typer.Option("--divide", help="Also with the job divided again for the PEs of each."),
    ] = False,
    simulate: Annotated[
        bool,
        typer.Option("--simulate", help="Also by SimGrid, one rank with one PE on each node."),
    ] = False,
    efficiency: Annotated[
        float,
        typer.Option(
            "--efficiency", metavar="X", help="The least that is worth its nodes, from 0 to 1."
        ),
    ] = 0.5,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="DIR", help="Draw a picture there."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    allow_scripts: common.AllowScripts = False,
    json: common.Json = False,
) -> None:
    """Predict how long a step takes on numbers of nodes, and how many are worth using."""
    from finegrain.planning import divided_jobs, predict_step, prediction_report, simulated_seconds

    checked_map(map)
    if not 0 < efficiency <= 1:
        raise InputError(
            "is no efficiency",
            where="--efficiency",
            value=str(efficiency),
            limit="more than 0, at most 1",
            hint="such as --efficiency 0.5",
        )
    machines = [
        _machine(machine, number, ranks_per_node)
        for number in _numbers_of_nodes(machine, [*(nodes or []), *(more or [])])
    ]
    threads = [_threads(one, pes) for one in machines]
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        refuse_to_replace(out / prediction_report.PICTURE, overwrite=overwrite)
    if divide and input_path(input).suffix == ".h5":
        raise InputError(
            "a job is divided already",
            where="--divide",
            value=str(input),
            hint="give the TOML input of which it was made",
        )
    if simulate and (max(threads) > 1 or any(max(one.allocation.ranks) > 1 for one in machines)):
        raise InputError(
            "SimGrid has one rank with one PE on each node",
            where="--simulate",
            value=f"{max(threads)} PEs of a rank",
            hint="add --ranks-per-node 1 --pes 1",
        )
    name, contents = _job_of(input, allow_scripts=allow_scripts)
    path = input_path(input)
    kind = kind_of_job(path) if path.suffix == ".h5" else kind_of_input(path)
    own = [
        predict_step(name, contents, one, each, map=map)
        for one, each in zip(machines, threads, strict=True)
    ]
    divided = []
    if divide:
        jobs = divided_jobs(path, [one.pes for one in own], allow_scripts)
        divided = [
            predict_step(name, job, one, each, map=map)
            for job, one, each in zip(jobs, machines, threads, strict=True)
        ]
    simulated = simulated_seconds(contents, machines) if simulate else []
    found = prediction_report.Predictions(
        machines[-1], own, divided, efficiency, simulated, division_key=kind.division_key
    )
    if out is not None:
        prediction_report.draw(found, out / prediction_report.PICTURE)
    if json:
        common.print_json(found.as_dict())
        return
    for line in found.lines():
        common.say(line)
    if out is not None:
        common.say(f"A picture is in {out}.")


def _numbers_of_nodes(machine: Path | None, given: Sequence[int]) -> list[int]:
    """Return the numbers that were asked for, ascending, or the usual ones."""
    if not given:
        most = len(_machine(machine, None, None).allocation.nodes)
        given = [1 << power for power in range(most.bit_length() - 1)] + [most]
    checked = [checked_count(number, "--nodes", "nodes", 1) for number in given]
    return sorted(set(checked))


def _threads(machine: MachineDescription, pes: int | None) -> int:
    if pes is not None:
        return checked_count(pes, "--pes", "PEs", 1)
    return max(1, machine.parts.cores // max(machine.allocation.ranks))


def _machine(
    path: Path | None, nodes: int | None, ranks_per_node: int | None
) -> MachineDescription:
    from finegrain.machines.input.load import read_machine
    from finegrain.planning import known_machine, known_machines

    if path is None:
        raise InputError(
            "a machine is needed",
            where="--machine",
            hint="`finegrain init machine` writes a file to start from; known by name are "
            + ", ".join(known_machines()),
        )
    if path.suffix == "" and not path.exists():  # no file has such a name
        if nodes is None:
            raise InputError(
                "is a machine of any size, or none",
                where="--machine",
                value=str(path),
                hint="add --nodes N; a machine file ends in .toml",
            )
        count = checked_count(nodes, "--nodes", "nodes", 1)
        each = checked_count(ranks_per_node or 1, "--ranks-per-node", "ranks", 1)
        return known_machine(str(path), count, each)
    found = read_machine(path)
    if nodes is None and ranks_per_node is None:
        return found
    each = max(found.allocation.ranks, default=1)
    if ranks_per_node is not None:
        each = checked_count(ranks_per_node, "--ranks-per-node", "ranks", 1)
    if nodes is None:
        return found.with_nodes(found.allocation.nodes, each)
    return found.with_first_nodes(checked_count(nodes, "--nodes", "nodes", 1), each)


def _job_of(source: Path, *, allow_scripts: bool) -> tuple[str, bytes]:
    """Return name and bytes of the job of an input."""
    path = input_path(source)
    if path.suffix == ".h5":
        return path.name, plain_bytes(path)
    with tempfile.TemporaryDirectory(prefix="finegrain-plan-") as folder:
        target = Path(folder) / "job.h5"
        write_job(path, target, allow_scripts=allow_scripts, runs_here=False)
        return path.name, target.read_bytes()
