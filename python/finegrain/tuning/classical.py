# SPDX-License-Identifier: BSD-3-Clause
"""What can be tuned about an input for classical dynamics."""

from __future__ import annotations

import warnings
from pathlib import Path

from finegrain import api
from finegrain.classical.division.step_estimate import estimate_own_step
from finegrain.classical.input.load import load_input
from finegrain.classical.input.sections.minimise import MinimiseSection
from finegrain.classical.job import Job
from finegrain.classical.preparation.job import checked_image, job_image
from finegrain.classical.preparation.other_divisions import keys_of
from finegrain.classical.preparation.prepare import Prepared, prepare_input
from finegrain.errors import InputError, InputNote, ResourceError
from finegrain.runs.options import How
from finegrain.toml_input.source import InputFile
from finegrain.tuning.in_turns import Say
from finegrain.tuning.search import Tunable
from finegrain.tuning.variants import ASPECTS


def tunable(
    path: InputFile, folder: Path, how: How, pes: int, say: Say, *, allow_scripts: bool
) -> Tunable:
    """Return the checked input, with its own division; from a minimum if it asks for one.

    Parameters
    ----------
    folder : Path
        Where a minimisation may write.
    pes : int
        The PEs of all processes.
    """
    prepared = _prepared(path, folder, how, say, allow_scripts=allow_scripts)
    return Tunable(
        own=prepared,
        aspects=ASPECTS,
        image=job_image,
        interval=lambda division: int(division.rebuild_interval),
        keys=keys_of,
        seconds=estimate_own_step(prepared.given.source.name, job_image(prepared), pes).seconds,
    )


def _prepared(
    path: InputFile, folder: Path, how: How, say: Say, *, allow_scripts: bool
) -> Prepared:
    given = load_input(path)
    given.allow_scripts = allow_scripts
    if given.model.dynamics is None:
        hint = "add a section [dynamics]"
        raise InputError("has no dynamics that could be timed", where=given.source.name, hint=hint)
    if given.model.minimise.method != "none":
        say("minimising the energy first")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputNote)
            start = _relaxed(path, folder, how)
        system = given.model.system.model_copy(update={"coordinates": str(start), "frame": None})
        dynamics = given.model.dynamics.model_copy(update={"velocities": "from-file"})
        update = {
            "system": system,
            "dynamics": dynamics,
            "minimise": MinimiseSection(method="none"),
        }
        given.model = given.model.model_copy(update=update)
    prepared = prepare_input(given)
    checked_image(prepared)  # settles the division
    return prepared


def _relaxed(source: InputFile, folder: Path, how: How) -> Path:
    """Minimise the energy as an input asks, and return the checkpoint behind its first steps."""
    job = Job(api.load(source, folder / "start.h5"))
    steps = int(job.settings["rebuild_interval"])
    out = folder / "start"
    run = api.run(job, out, steps=steps, overwrite=True, **how)
    if not run.finished:
        raise ResourceError("was stopped while it minimised the energy", hint="start it again")
    return out / "checkpoint.h5"
