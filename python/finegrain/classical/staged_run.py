# SPDX-License-Identifier: BSD-3-Clause
"""A run in stages: one folder for each, and a list of them.

All jobs are made before the first step, from the starting coordinates. When a stage begins, its job
gets the state in which the stage before has ended. So a staged run needs no other files, and a
folder of a stage is that of a plain run.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.base.visible import visible
from finegrain.classical.job import Job
from finegrain.classical.run import Run
from finegrain.classical.sections import charts_through_stages
from finegrain.errors import InputError
from finegrain.files.readable import readable
from finegrain.files.whole import changed_sealed_hdf5, replace_file
from finegrain.page.charts import Chart
from finegrain.page.html import Section, fragment, items, style, table
from finegrain.page.svg import charts_as_svg
from finegrain.runs.checkpoints import CheckpointState, read_checkpoint, step_of_checkpoint
from finegrain.runs.folder.directory import STAGES, RunDirectory
from finegrain.runs.folder.result_file import read_json
from finegrain.runs.job import REMEDY
from finegrain.units import bohr_in_nm, speed_in_nm_per_ps
from finegrain.words.report import table_text

Floats = NDArray[np.float64]
_format = "finegrain-stages"
MOST_STAGES = 99  # as an input may have
_plain_name = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,80}", re.ASCII)


def is_staged(path: PathOrObject) -> bool:
    """Return whether a folder holds a run in stages."""
    return (run_folder(path) / STAGES).is_file()


class StagedRun:
    """The results of a run in stages.

    Parameters
    ----------
    path : path
        The folder, as named by ``finegrain run``.

    Raises
    ------
    InputError
        If the folder holds no such run.
    """

    def __init__(self, path: PathOrObject) -> None:
        self.path = run_folder(path)
        file = RunDirectory(self.path).held_inside().path / STAGES
        self._stages = _stages_in(file)

    def __repr__(self) -> str:
        return f"StagedRun({str(self.path)!r})"

    def __fspath__(self) -> str:
        return str(self.path)

    @property
    def folders(self) -> list[RunDirectory]:
        """The folder of each stage, in their order."""
        return [RunDirectory(self.path / folder).held_inside() for folder, _ in self._stages]

    @property
    def stages(self) -> list[Run]:
        """The runs of the stages that have begun."""
        return [Run(folder.path) for folder in self.folders if folder.log.exists()]

    @property
    def finished(self) -> bool:
        """Whether the last step of the last stage was reached; otherwise `resume` continues."""
        return all(folder.finished(Job) for folder in self.folders)

    @property
    def state_digest(self) -> str:
        """SHA-256 of the state in which the last stage that has a result ended."""
        return _last_digest([_result(folder) for folder in self.folders])

    @property
    def result(self) -> dict[str, Any]:
        """The figures of all stages.

        ``finished``, ``state_digest``, and in ``stages`` for each stage its ``name``,
        ``directory``, ``state`` ("finished", "stopped", "waits") and the figures of its run.
        """
        now = [StageNow(folder) for folder in self.folders]
        stages = [
            {
                "name": one.folder.path.name.partition("-")[2],
                "directory": str(one.folder.path),
                "state": one.state,
                **one.result,
            }
            for one in now
        ]
        digest = _last_digest([one.result for one in now])
        finished = all(one.state == "finished" for one in now)
        return {"finished": finished, "state_digest": digest, "stages": stages}

    def notes(self) -> list[str]:
        """Return what `check` said of the inputs of all stages, each note once."""
        every = [note for folder in self.folders for note in Job(folder.job).notes]
        return [visible(note, keep="") for note in dict.fromkeys(every)]

    def table(self) -> list[list[str]]:
        """Return a row of texts for each stage, and the headings above them."""
        rows = [["stage", "state", "steps", "ns/day", "T / K", "state digest"]]
        for folder in self.folders:
            now = StageNow(folder)
            result = now.result
            done = int(result.get("steps") or step_of_checkpoint(folder.checkpoint))
            rows.append(
                [
                    folder.path.name,
                    now.state,
                    f"{done:,} of {now.job.steps:,}",
                    _number(result.get("ns_per_day"), "{:.3g}") if done else "",
                    _number(result.get("temperature"), "{:.1f}"),
                    str(result.get("state_digest") or "")[:12],
                ]
            )
        return [[visible(cell, keep="") for cell in row] for row in rows]

    def __str__(self) -> str:
        """Return the table of stages as text."""
        return table_text(self.table(), numbers=(2, 3, 4))

    def page_title(self) -> str:
        """Return the title of a page of this run."""
        first = self.folders[0].job
        return (Job(first).title if first.exists() else "") or self.path.name

    def page_sections(self) -> list[Section]:
        """Return the sections of a page: all stages, curves through them, and each stage."""
        begun = self.stages
        points = max(60, 4000 // max(len(begun), 4))  # so that many stages stay a small file
        found = [Section("Stages", [table(self.table(), numbers=(2, 3, 4))])]
        if notes := self.notes():
            found.append(Section("Notes", [items(notes)]))
        if charts := self._charts():
            found.append(Section("Through all stages", charts_as_svg(charts, points=points)))
        for number, run in enumerate(begun):
            last = number == len(begun) - 1
            sections = run.page_sections(points=points, alone=False, structure=last)
            sections.append(run.files_section())
            found.append(Section(run.path.name, [fragment(sections, level=3)]))
        return [*found, *(begun[0].settings_section() if begun else [])]

    def _charts(self) -> list[Chart]:
        try:
            return charts_through_stages([(one.path.name, one.energies) for one in self.folders])
        except InputError:  # the section of the stage says what is wrong
            return []

    def _repr_html_(self) -> str:
        parts = [table(self.table(), numbers=(2, 3, 4)), *charts_as_svg(self._charts(), points=300)]
        return f'{style()}<div class="finegrain">{"".join(parts)}</div>'

    def give_state(self, number: int) -> None:
        """Give the job of a stage the state in which the stage before has ended.

        The state is positions, the box, and velocities if the stage continues with them. References
        of restraints follow the box. A smaller box may have fewer patches; the mesh keeps its
        points. Calling it again changes nothing.
        """
        before, folder = self.folders[number - 1], self.folders[number]
        state = read_checkpoint(before.checkpoint)
        box = state.box / bohr_in_nm
        with changed_sealed_hdf5(folder.job) as file, readable(folder.job, REMEDY):
            file.attrs["starts_from"] = str(_result(before).get("state_digest", ""))
            if "repeat" in file.attrs:
                _give_copies(file, state, carries=self._stages[number][1])
                return
            old = cells.box_of(file["box"][...])
            position = state.unwrapped() / bohr_in_nm
            if not file["settings"].attrs["periodic"]:
                position += (old - box) / 2  # the frame around the molecule is the job's own
                box = old
            if "restraints" in file:
                anchor = file["restraints/anchor"][...]
                file["restraints/reference"][...] += _shift_with_box(anchor, old, box)
                file["restraints/anchor"][...] = _moved_with_box(anchor, old, box)
            if file["settings"].attrs["periodic"]:
                _fit_patches(file["settings"].attrs, cells.widths(box))
            file["box"][...] = cells.engine_numbers(box)
            file["atoms/position"][...] = position
            if self._stages[number][1]:
                file["atoms/velocity"][...] = state.velocities / speed_in_nm_per_ps

    def refuse_changed_stages(self) -> None:
        """Complain if a stage has begun from another end of the stage before than there is now."""
        for before, folder in zip(self.folders, self.folders[1:], strict=False):
            if not folder.checkpoint.exists():
                continue
            start, end = Job(folder.job).starts_from, _result(before).get("state_digest")
            if start and end and start != end:
                hint = f"run this stage again: remove the files in {folder.path} but job.h5"
                what = "has begun from a state that the stage before no longer ends in"
                raise InputError(what, where=str(folder.path), value=start[:12], hint=hint)


def _moved_with_box(position: Floats, old: Floats, box: Floats) -> Floats:
    """Return positions that are the same multiples of the vectors of another box."""
    if not cells.is_tilted(old):
        return np.asarray(box / old * position)
    return np.asarray(position + _shift_with_box(position, old, box))


def _shift_with_box(position: Floats, old: Floats, box: Floats) -> Floats:
    """Return how far `_moved_with_box` moves; zeros for the same box."""
    if not cells.is_tilted(old):
        return np.asarray((box / old - 1) * position)
    return np.asarray(cells.fractional(position, old) @ (box - old))


def _give_copies(file: h5py.File, state: CheckpointState, *, carries: bool) -> None:
    """Write a state beside the cell that is repeated: each copy has moved in its own way."""
    if "start" in file:
        del file["start"]
    box = state.box / bohr_in_nm
    _fit_patches(file["settings"].attrs, cells.widths(box))
    file["start/box"] = cells.engine_numbers(box)
    file["start/position"] = state.unwrapped() / bohr_in_nm
    if carries:
        file["start/velocity"] = state.velocities / speed_in_nm_per_ps


def _stages_in(file: Path) -> list[tuple[str, bool]]:
    """Return folder of each stage and whether it continues with the velocities before it.

    A folder is a plain name: a run clears and fills the folders of its stages, and must touch no
    other.
    """
    hint = f"move {file.name} away; then each folder of a stage is that of a plain run"

    def odd(value: str) -> InputError:
        return InputError("is no list of stages", where=str(file), value=value, hint=hint)

    try:
        content = read_json(file, hint)
    except OSError as error:
        raise odd(str(error)) from None
    listed = content.get("stages") if isinstance(content, dict) else None
    if not isinstance(content, dict) or content.get("format") != _format:
        raise odd(f"its format is not {_format}")
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_STAGES:
        raise odd(f"1 to {MOST_STAGES} stages are expected")
    stages: list[tuple[str, bool]] = []
    for one in listed:
        folder = one.get("folder") if isinstance(one, dict) else None
        carries = one.get("carries") if isinstance(one, dict) else None
        if not isinstance(folder, str) or not isinstance(carries, bool):
            raise odd("each stage has a folder and whether it carries velocities")
        if not _plain_name.fullmatch(folder):
            raise odd(f"{visible(folder)[:60]!r} is no plain name of a folder beside it")
        if (file.parent / folder).is_symlink():
            raise odd(f"the folder {folder} is a link")
        stages.append((folder, carries))
    if len({folder for folder, _ in stages}) < len(stages):
        raise odd("a folder is that of two stages")
    return stages


def _fit_patches(settings: Any, box: Floats) -> None:
    """Take fewer patches where those of the starting box would now be too thin."""
    fitting = np.floor(box * settings.get("reach", 1) / settings["patch_width"]).astype(np.int64)
    settings["patch_grid"] = np.maximum(np.minimum(settings["patch_grid"], fitting), 1)


def write_list(path: Path, stages: Sequence[tuple[str, bool]]) -> StagedRun:
    """Write the list of stages: folder, and whether velocities are those of the stage before."""
    listed = [{"folder": folder, "carries": carries} for folder, carries in stages]
    text = json.dumps({"format": _format, "stages": listed}, indent=2) + "\n"
    replace_file(path / STAGES, text.encode())
    return StagedRun(path)


def refuse_stages(path: Path, *, overwrite: bool) -> None:
    """Complain about an existing run in stages, unless it may be replaced."""
    if overwrite or not is_staged(path):
        return
    if not any(folder.got_beyond_a_start() for folder in StagedRun(path).folders):
        return
    hint = f"continue it with: finegrain resume {path}\n"
    hint += "choose another folder with --out, or replace the results with --overwrite"
    raise InputError("holds a run in stages", where=str(path), value=STAGES, hint=hint)


def clear_stages(path: Path) -> None:
    """Remove the results of a run in stages, and what is empty then."""
    if not is_staged(path):
        return
    folders = StagedRun(path).folders
    for file in RunDirectory(path).converted():  # and the page
        file.unlink()
    (path / STAGES).unlink()
    for folder in folders:
        folder.clear()
        with contextlib.suppress(OSError):  # there are files of the user's
            folder.path.rmdir()


def _result(folder: RunDirectory) -> dict[str, Any]:
    return folder.read_result() if folder.result.exists() else {}


def _last_digest(results: Sequence[Mapping[str, Any]]) -> str:
    found = [result.get("state_digest") for result in results]
    return next((str(digest) for digest in reversed(found) if digest), "")


class StageNow:
    """A stage as it is now; its job is opened once, if at all."""

    def __init__(self, folder: RunDirectory) -> None:
        self.folder, self.result = folder, _result(folder)

    @cached_property
    def job(self) -> Job:
        """The job of the stage."""
        return Job(self.folder.job)

    @cached_property
    def state(self) -> str:
        """One of "finished", "stopped" and "waits"."""
        if self.folder.finished(lambda _path: self.job):
            return "finished"
        return "stopped" if self.folder.log.exists() else "waits"


def _number(value: Any, form: str) -> str:
    finite = isinstance(value, int | float) and np.isfinite(value)
    return form.format(float(value)) if finite else ""
