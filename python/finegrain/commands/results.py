# SPDX-License-Identifier: BSD-3-Clause
"""``show``, ``convert`` and ``cite``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finegrain import cite as citations
from finegrain.arguments import as_path
from finegrain.commands import common
from finegrain.convert import convert as convert_run
from finegrain.energies import draw_energies
from finegrain.errors import ResourceError
from finegrain.jobs import Job
from finegrain.report import file_size
from finegrain.run_directory import FORMATS, existing
from finegrain.runs import Run
from finegrain.staged_run import StagedRun, is_staged


def show(run: common.RunFolder, json: common.Json = False) -> None:
    """Summarise a run and draw its energies."""
    if is_staged(run):
        staged = StagedRun(run)
        if json:
            common.print_json({"directory": str(staged.path), **staged.result})
        else:
            common.say(staged, end="")
        return
    done = Run(run)
    directory = done.directory
    note = ""
    try:
        title = done.job.title if directory.job.exists() else ""
        draw_energies(directory.energies, directory.picture, title)
    except ResourceError as error:  # the folder is read-only
        note = f"the plot was not drawn: {error.where} {error.what}"
    if json:
        summary = {"directory": str(done.path), "finished": done.finished}
        notes = {"notes": [note]} if note else {}
        result = done.result if directory.result.exists() else {}
        common.print_json({**summary, **result, **notes})
        return
    if directory.result.exists() and done.result.get("phases"):
        common.say(done.phases())  # and an empty line
    for file in directory.results():
        common.say(f"  {file}  {file_size(file.stat().st_size)}")
    common.say()
    common.say(done)
    if note:
        common.say(f"\nnote: {note}")


def convert(
    run: common.RunFolder,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=", ".join(FORMATS))],
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="The file to write."),
    ] = None,
    frame: Annotated[
        int | None,
        typer.Option("--frame", metavar="N", help="Only this frame, from 0; -1 is the last."),
    ] = None,
    unwrap: Annotated[
        bool, typer.Option("--unwrap", help="Undo the jumps at the box faces.")
    ] = False,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Write the trajectory in another program's format; gro and rst7: the last state of the run."""
    target = convert_run(run, to, out, frame=frame, unwrap=unwrap, overwrite=overwrite)
    if json:
        common.print_json({"file": str(target), "format": to, "bytes": target.stat().st_size})
    else:
        common.say(f"{target}  {file_size(target.stat().st_size)}")


def cite(
    run: Annotated[
        Path | None,
        typer.Argument(parser=as_path, metavar="DIR", help="A run; without it, all methods."),
    ] = None,
    json: common.Json = False,
) -> None:
    """Print BibTeX of the methods that a run used."""
    if run is None:
        entries = citations.all_references()
    else:
        job = Job(existing(run).job if run.is_dir() else run)
        entries = citations.references(
            job.settings,
            job.dynamics,
            waters=job.waters,
            constraints=job.constraints,
            cmaps=job.cmaps,
        )
    if json:
        common.print_json([{"key": e.key, "use": e.use, **e.fields} for e in entries])
    else:
        common.say(citations.bibtex(entries), end="")
