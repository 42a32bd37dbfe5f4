# SPDX-License-Identifier: BSD-3-Clause
"""``show``, ``convert`` and ``cite``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finegrain import cite as citations
from finegrain.base.arguments import as_path
from finegrain.classical.staged_run import StagedRun, is_staged
from finegrain.errors import InputError, ResourceError
from finegrain.kinds.convert import convert as convert_run
from finegrain.kinds.page import write_page
from finegrain.kinds.registry import (
    KINDS,
    kind_named,
    open_job,
    open_plain_run,
    usual_kind,
)
from finegrain.runs.folder.directory import (
    AB_INITIO_FORMATS,
    FORMATS,
    existing,
)
from finegrain.runs.results import RunResults
from finegrain.terminal.commands import common
from finegrain.words.report import file_size

_formats = tuple(dict.fromkeys((*FORMATS, *AB_INITIO_FORMATS)))


def show(
    run: common.RunFolder,
    html: Annotated[
        bool, typer.Option("--html", help="Write a page with all pictures, report.html.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="With --html: the page."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Summarise a run and draw its energies; or write a page of it, with --html."""
    if html:
        target = write_page(run, out, overwrite=overwrite)
        if json:
            common.print_json({"file": str(target), "bytes": target.stat().st_size})
        else:
            common.say(f"{target}  {file_size(target.stat().st_size)}")
        return
    if out is not None or overwrite:
        option = "--out" if out is not None else "--overwrite"
        raise InputError(
            "has a meaning only with --html", where=option, hint="finegrain show DIR --html"
        )
    if is_staged(run):
        staged = StagedRun(run)
        if json:
            told = {"notes": notes} if (notes := staged.notes()) else {}
            common.print_json({"directory": str(staged.path), **staged.result, **told})
        else:
            common.say(staged, end="")
            _say_notes(staged.notes())
        return
    done = open_plain_run(run)
    directory = done.directory
    notes = done.notes()
    try:
        draw(done)
    except ResourceError as error:  # the folder is read-only
        notes.append(f"the plot was not drawn: {error.where} {error.what}")
    if json:
        summary = {
            "directory": str(done.path),
            "finished": done.finished,
            "running": done.running,
        }
        told = {"notes": notes} if notes else {}
        result = done.result if directory.result.exists() else {}
        common.print_json({**summary, **result, **done.figures(), **told})
        return
    if directory.result.exists() and done.result.get("phases"):
        common.say(done.phases())  # and an empty line
    for file in directory.results():
        common.say(f"  {file}  {file_size(file.stat().st_size)}")
    common.say()
    common.say(done)
    _say_notes(notes)


def _say_notes(notes: list[str]) -> None:
    """Say what was kept aside of the files, and what else is worth knowing."""
    if notes:
        common.say()
    for note in notes:
        common.say(f"note: {note}")


def draw(done: RunResults) -> None:
    """Draw the pictures of a run."""
    directory = done.directory
    if directory.job.exists():
        kind_named(done.job.of_kind).finish(directory, done.job)
    else:
        usual_kind().finish(directory, None)


def convert(
    run: common.RunFolder,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=", ".join(_formats),
            autocompletion=common.one_of_words(_formats),
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="The file to write."),
    ] = None,
    frame: Annotated[
        int | None,
        typer.Option("--frame", metavar="N", help="Only this frame, from 0; -1 is the last."),
    ] = None,
    first: Annotated[
        int | None, typer.Option("--first", metavar="N", help="The first frame, from 0.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", help="The last frame; -1: the very last.")
    ] = None,
    stride: Annotated[
        int | None, typer.Option("--stride", metavar="N", help="Only every Nth frame.")
    ] = None,
    select: Annotated[
        str | None,
        typer.Option("--select", metavar="WORDS", help="Only these atoms, such as protein."),
    ] = None,
    center: Annotated[
        str | None,
        typer.Option("--center", metavar="WORDS", help="Put these atoms in the middle of the box."),
    ] = None,
    fit: Annotated[
        str | None,
        typer.Option("--fit", metavar="WORDS", help="Turn these atoms onto the first frame."),
    ] = None,
    unwrap: Annotated[
        bool, typer.Option("--unwrap", help="Undo the jumps at the box faces.")
    ] = False,
    wrap: Annotated[
        bool, typer.Option("--wrap", help="Each atom in the box; molecules are cut at its faces.")
    ] = False,
    orbital: Annotated[
        str | None,
        typer.Option(
            "--orbital",
            metavar="N",
            help="With cube: this orbital, from 1 or homo, with spin such as 3-up; else density.",
        ),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Write the trajectory in another program's format; gro and rst7: the last state of the run."""
    target = convert_run(
        run,
        to,
        out,
        frame=frame,
        first=first,
        last=last,
        stride=stride,
        select=select,
        center=center,
        fit=fit,
        unwrap=unwrap,
        wrap=wrap,
        orbital=orbital,
        overwrite=overwrite,
    )
    if json:
        common.print_json({"file": str(target), "format": to, "bytes": target.stat().st_size})
    else:
        common.say(f"{target}  {file_size(target.stat().st_size)}")


def wannier(
    run: common.RunFolder,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="The file to write."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Localise the orbitals of an ab initio run: centres, spreads, dipoles of molecules."""
    from finegrain.ab_initio.wannier.report import Wannier, write_wannier

    found = Wannier(run)
    target = write_wannier(found, run, out, overwrite=overwrite)
    if json:
        common.print_json({"file": str(target), **found.figures()})
    else:
        common.say(found)
        common.say(f"\n{target}  {file_size(target.stat().st_size)}")


def cite(
    run: Annotated[
        Path | None,
        typer.Argument(parser=as_path, metavar="DIR", help="A run; without it, all methods."),
    ] = None,
    json: common.Json = False,
) -> None:
    """Print BibTeX of the methods that a run used."""
    if run is None:
        every = [one for kind in KINDS for one in kind_named(kind).references(None)]
        entries = list({one.key: one for one in every}.values())
    else:
        job = open_job(existing(run).job if run.is_dir() else run)
        entries = kind_named(job.of_kind).references(job)
    if json:
        common.print_json([{"key": e.key, "use": e.use, **e.fields} for e in entries])
    else:
        common.say(citations.bibtex(entries), end="")
