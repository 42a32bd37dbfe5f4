# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run: one HTML file that loads nothing.

Runs bring their sections (`RunResults.page_sections`, `StagedRun.page_sections`); here they get the
references of the kind, and a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from finegrain.cite import Reference
from finegrain.classical.staged_run import StagedRun, is_staged
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.kinds.registry import kind_named, open_job, open_plain_run
from finegrain.page.html import MOST_BYTES, Section, document, is_our_page, items
from finegrain.runs.folder.directory import RunDirectory, existing
from finegrain.runs.folder.new_file import refuse_to_replace


def page_of(run: Path) -> str:
    """Return the page of a run, or of a run in stages, as text.

    Raises
    ------
    InputError
        If the folder holds no run.
    """
    if is_staged(run):
        staged = StagedRun(run)
        sections = staged.page_sections()
        folders = [folder for folder in staged.folders if folder.job.exists()]
        return document(staged.page_title(), [*sections, *_references(folders)])
    done = open_plain_run(run)
    sections = [
        *done.page_sections(),
        *done.settings_section(),
        *_references([done.directory]),
        done.files_section(),
    ]
    return document(done.page_title(), sections)


def _references(folders: Sequence[RunDirectory]) -> list[Section]:
    """Return what to cite for these runs, each once."""
    found: dict[str, Reference] = {}
    for folder in folders:
        if folder.job.exists():
            job = open_job(folder.job)
            found |= {one.key: one for one in kind_named(job.of_kind).references(job)}
    if not found:
        return []
    lines = items(_in_words(one) for one in found.values())
    return [Section("References", [lines], closed=True)]


def _in_words(one: Reference) -> str:
    """Return for example "Langevin dynamics: Zhang, Z. and others, A title, J. Chem. Phys. ..."."""
    keys = ("author", "title", "journal", "volume", "pages", "year", "doi")
    clean = (str(one.fields.get(key, "")).replace("--", "–") for key in keys)
    return f"{one.use}: " + ", ".join(filter(None, clean)).translate({123: None, 125: None})


def write_page(run: Path, out: Path | None = None, *, overwrite: bool = False) -> Path:
    """Write the page of a run and return the file: report.html in its folder, or `out`.

    A page that finegrain made is replaced. Another file is not, without `overwrite`.

    Raises
    ------
    InputError
        If the folder holds no run, or the file is there already, or belongs to a run.
    ResourceError
        If the file cannot be written.
    """
    home = run if is_staged(run) else existing(run).path
    target = home / "report.html" if out is None else out
    refuse_to_replace(target, overwrite=overwrite or is_our_page(target))
    page = page_of(run).encode()
    if len(page) > MOST_BYTES:
        raise InputError(
            "the page would be too large",
            where=str(run),
            value=f"{len(page) / 1e6:.1f} MB",
            limit=f"{MOST_BYTES / 1e6:g} MB",
            hint="show the stages one by one, such as " + str(next(iter(_stage_folders(run)), run)),
        )
    replace_file(target, page)
    return target


def _stage_folders(run: Path) -> Iterable[Path]:
    return (folder.path for folder in StagedRun(run).folders) if is_staged(run) else ()
