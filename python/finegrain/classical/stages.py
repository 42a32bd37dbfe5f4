# SPDX-License-Identifier: BSD-3-Clause
"""Stage after stage: minimise, heat, equilibrate, produce, from one input."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

from finegrain.classical.job import Job
from finegrain.classical.staged_run import StagedRun, StageNow, clear_stages, write_list
from finegrain.engine.engine import Progress, stop_on_signals
from finegrain.errors import InputError, InputNote
from finegrain.files.whole import replace_file
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.folder.lock import locked
from finegrain.runs.preparation import made_folder, our_errors
from finegrain.runs.results import RunResults
from finegrain.runs.simulate import Options, engine_run
from finegrain.toml_input.source import InputFile

Continue = Callable[[RunDirectory, Options], RunResults]


def prepare_stage_jobs(
    input_file: InputFile, path: Path, *, overwrite: bool, allow_scripts: bool, scale: float
) -> StagedRun:
    """Make the jobs of all stages in their folders; a bad input harms no results."""
    from finegrain.classical.preparation.job import checked_image
    from finegrain.classical.preparation.notes import notes_of
    from finegrain.classical.preparation.stages import prepare_stages

    images: list[bytes] = []
    with our_errors():
        stages = prepare_stages(
            input_file,
            lambda one: images.append(checked_image(one)),
            allow_scripts=allow_scripts,
            scale=scale,
        )
    notes = [note for stage in stages for note in notes_of(stage.prepared)]
    if scale != 1:
        notes.append(f"a try: every stage makes {scale:g} of its steps")
    for note in dict.fromkeys(notes):
        warnings.warn(note, InputNote, stacklevel=4)
    folders = [RunDirectory(path / stage.folder) for stage in stages]
    for folder in folders:
        folder.refuse_results(Job, overwrite=overwrite)  # of a plain run there
    clear_stages(path)
    RunDirectory(path).clear()
    for folder, image in zip(folders, images, strict=True):
        folder.clear()
        replace_file(folder.job, image)
    return write_list(path, [(stage.folder, stage.carries_velocities) for stage in stages])


def run_stages(staged: StagedRun, options: Options, continue_one: Continue) -> StagedRun:
    """Run all stages that are not finished, until one stops early.

    Parameters
    ----------
    continue_one : function
        Continues the run of a stage from its checkpoint.
    """
    staged.refuse_changed_stages()
    _refuse_map_of_a_mesh(staged, str(options.values["map"]))
    asked, on_progress = options.values["stop_after"], options.on_progress
    done = 0  # steps of the stages before
    with stop_on_signals() as stop:
        options.stop = stop
        for number, folder in enumerate(staged.folders):
            now = StageNow(folder)
            if now.state != "finished":
                if number > 0 and (stop.is_set() or _over(options) or 0 <= asked <= done):
                    break
                within = done <= asked < done + now.job.steps
                options.values["stop_after"] = asked - done if within else -1
                options.on_progress = _of_stage(on_progress, folder)
                with made_folder(folder.path), locked(folder.path):
                    if folder.checkpoint.exists():
                        run = continue_one(folder, options)
                    else:
                        run = _start(staged, number, now.job, options, continue_one)
                if not run.finished:
                    break
                options.values |= {"ignore_memory": False, "new_results": False}
            done += now.job.steps
    return staged


def resume_stages(
    staged: StagedRun, options: Options, steps: int | None, continue_one: Continue
) -> StagedRun:
    """Run the stages that are left of a run that was stopped."""
    refuse_steps(steps)
    if staged.finished:
        hint = "start another run from its last checkpoint.h5, or resume the folder of one stage"
        raise InputError("all stages are complete", where=str(staged.path), hint=hint)
    with locked(staged.path):
        return run_stages(staged, options, continue_one)


def _start(
    staged: StagedRun, number: int, job: Job, options: Options, continue_one: Continue
) -> RunResults:
    folder = staged.folders[number]
    if folder.got_beyond_a_start():
        return continue_one(folder, options)  # it says what is lost
    if number > 0:
        staged.give_state(number)
        job = Job(folder.job)
    from finegrain.classical.kind import Classical

    return engine_run(Classical(), job, folder, options, None)


def _refuse_map_of_a_mesh(staged: StagedRun, name: str) -> None:
    """Complain before the first stage if a later one has no mesh for such a map."""
    if not name.startswith("mesh-"):
        return
    for folder in staged.folders:
        if Job(folder.job).settings["electrostatics"] != "pme":
            what = f"stage {folder.path.name} has no mesh that could have threads of its own"
            raise InputError(what, where="--map", value=name, hint="the usual map is cost")


def _over(options: Options) -> bool:
    """Return whether the wall time is over."""
    return options.values["hours"] is not None and options.hours_left() <= 1e-8


def _of_stage(
    on_progress: Callable[[Progress], None] | None, folder: RunDirectory
) -> Callable[[Progress], None] | None:
    """Return a function that also tells which stage reports."""
    if on_progress is None:
        return None
    return lambda progress: on_progress({**progress, "stage": folder.path.name})


def refuse_steps(steps: int | None) -> None:
    """Complain about a number of steps for a run that has stages."""
    if steps is None:
        return
    hint = "change the steps of the stages in the input, or resume the folder of one stage"
    what = "a run in stages has no number of steps of its own"
    raise InputError(what, where="--steps", value=str(steps), hint=hint)
