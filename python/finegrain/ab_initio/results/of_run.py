# SPDX-License-Identifier: BSD-3-Clause
"""What every run of this kind shows: of a ground state, or of a dynamics that begins there."""

from __future__ import annotations

from typing import Any

from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.results.dynamics_run import (
    DynamicsRun,
    dynamics_figures,
    dynamics_words,
)
from finegrain.ab_initio.results.ground_state_run import GroundStateRun
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.trajectory import Trajectory
from finegrain.words.progress import ProgressWords
from finegrain.words.report import number_in_words


def open_results(path: PathOrObject, job: AbInitioJob | None = None) -> GroundStateRun:
    """Open the results in a folder, by what its job asks for, which may be open already."""
    directory = RunDirectory(run_folder(path)).held_inside()
    if job is None and directory.job.exists():
        job = AbInitioJob(directory.job)
    moves = job is not None and job.dynamics
    return (DynamicsRun(path) if moves else GroundStateRun(path)).holding(job)


def figures(job: AbInitioJob) -> dict[str, Any]:
    """Return the units of a run's figures."""
    if job.dynamics:
        return dynamics_figures(job)
    return {"energy_unit": "hartree", "energy_drift": None, "energy_drift_unit": "hartree/ps/atom"}


def progress_line(job: AbInitioJob) -> ProgressWords:
    """Return the words for the progress of a run."""
    return dynamics_words(job) if job.dynamics else _words_of_search


def _words_of_search(progress: Any, pace: float) -> str:
    """Say iteration, energy, residual."""
    line = f"iteration {int(progress['step']):,}"
    line += number_in_words(progress.get("total_energy"), "   energy {:.8f} hartree")
    line += number_in_words(progress.get("residual"), "   residual {:.1e} hartree")
    return line + (f"   {pace:.2g} s an iteration" if pace > 0 else "")


def finish(directory: RunDirectory, job: AbInitioJob | None) -> None:
    """Draw how the ground state was found, its density, energies and frames of a dynamics."""
    title = directory.titled(job.title if job is not None else "")
    if job is not None and job.dynamics:
        from finegrain.ab_initio.results.dynamics_picture import draw_dynamics

        draw_dynamics(directory.energies, directory.picture, title)
        if directory.trajectory.exists():
            from finegrain.observables import draw_observables

            with Trajectory(directory.trajectory) as trajectory:
                draw_observables(trajectory, directory.observables_picture, title)
    if not directory.ground_state.exists():
        return
    from finegrain.ab_initio.results.picture import draw_convergence, draw_density

    found = GroundState(directory.ground_state)
    goals = job.ground_state if job is not None else None
    draw_convergence(found, directory.convergence, title, goals)
    draw_density(found, directory.density_picture, title)
