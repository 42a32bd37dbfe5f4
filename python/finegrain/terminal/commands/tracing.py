# SPDX-License-Identifier: BSD-3-Clause
"""``trace``."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

import typer

from finegrain.base.arguments import as_path
from finegrain.files.whole import replace_file
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.terminal.commands import common
from finegrain.words.report import file_size


def trace(
    run: common.RunFolder,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            parser=as_path,
            metavar="FILE",
            help="The trace for ui.perfetto.dev, DIR/trace.json.gz by default.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", parser=as_path, metavar="FILE", help="Also draw what each PE did, a PNG."
        ),
    ] = None,
    begin: Annotated[
        float | None,
        typer.Option("--from", metavar="SECONDS", help="Leave out what is before this time."),
    ] = None,
    end: Annotated[
        float | None,
        typer.Option("--to", metavar="SECONDS", help="Leave out what is after this time."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    json: common.Json = False,
) -> None:
    """Show what ran when in a run made with --trace."""
    # Here, so that other commands start without them.
    from finegrain.classical.run import Run
    from finegrain.tracing import (
        critical_path,
        plot_utilisation,
        read_trace,
        summarise,
        write_perfetto,
    )
    from finegrain.tracing.report import trace_json, trace_text

    found = read_trace(run)
    view = out if out is not None else Run(run).directory.trace_view
    # The default name may hold an earlier output for this run.
    refuse_to_replace(view, overwrite=overwrite or out is None, inputs=found.files)
    if plot is not None:
        refuse_to_replace(plot, overwrite=overwrite, inputs=found.files, option="--plot")
    if begin is not None or end is not None:
        found = found.between(begin, end)
    summary, path = summarise(found), critical_path(found)
    files = [write_perfetto(found, view)]
    if plot is not None:
        image = io.BytesIO()
        plot_utilisation(found, image)
        replace_file(plot, image.getvalue())
        files.append(plot)
    if json:
        common.print_json(trace_json(found, summary, path, files))
        return
    common.say(trace_text(found, summary, path))
    for file in files:
        common.say(f"  {file}  {file_size(file.stat().st_size)}")
    common.say("\nOpen the first in ui.perfetto.dev (it stays on your machine).")
