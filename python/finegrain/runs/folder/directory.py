# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a run: its files, and protection against losing them silently."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.page.html import is_our_page
from finegrain.runs.folder.result_file import read_json, refuse_odd_figures

STAGES = "stages.json"  # in the folder of a run of several stages
# The formats of `convert` for an ab initio run, and the files.
GROUND_STATE_FILES = {
    "xyz": "ground_state.xyz",
    "cube": "ground_state.cube",
    "spin-cube": "ground_state_spin.cube",
}
WANNIER_FILE = "wannier.xyz"  # centres of localised orbitals
AB_INITIO_FORMATS = (*GROUND_STATE_FILES, "xtc", "dcd")
ONE_STRUCTURE = ("gro", "rst7")
FORMATS = ("xtc", "dcd", "xyz", "pdb", *ONE_STRUCTURE)  # the formats of `convert`

OpenJob = Callable[[Path], Any]  # to the job of a kind


@dataclass(frozen=True)
class RunDirectory:
    """Paths of the files of one run."""

    path: Path

    @property
    def job(self) -> Path:
        """The job of the run."""
        return self.path / "job.h5"

    @property
    def trajectory(self) -> Path:
        """Frames and observables, H5MD."""
        return self.path / "trajectory.h5"

    @property
    def journal(self) -> Path:
        """Changes of a run in progress, or a killed one, that are not yet in the trajectory."""
        return self.path / "trajectory.h5.journal"

    def kept_aside(self) -> list[Path]:
        """Return the damaged results that `resume --new-results` kept under other names."""
        names = (
            "trajectory_damaged*.h5",
            "trajectory_damaged*.h5.journal",
            "energies_damaged*.csv",
        )
        return [file for name in names for file in sorted(self.path.glob(name))]

    @property
    def energies(self) -> Path:
        """Energies by step, comma-separated."""
        return self.path / "energies.csv"

    @property
    def minimisation(self) -> Path:
        """Lowest energy and largest force by evaluation of a minimisation, comma-separated."""
        return self.path / "minimisation.csv"

    @property
    def ground_state(self) -> Path:
        """Energies, forces and orbital energies of an ab initio run, HDF5."""
        return self.path / "ground_state.h5"

    @property
    def convergence(self) -> Path:
        """How a ground state was found, PNG."""
        return self.path / "ground_state.png"

    @property
    def density_picture(self) -> Path:
        """The density of the electrons of an ab initio run, PNG."""
        return self.path / "density.png"

    @property
    def observables_picture(self) -> Path:
        """Distances, displacements and vibrations of an ab initio dynamics, PNG."""
        return self.path / "observables.png"

    @property
    def log(self) -> Path:
        """Job, machine and settings of the run, as text."""
        return self.path / "run.log"

    @property
    def result(self) -> Path:
        """The figures of the run, JSON."""
        return self.path / "result.json"

    @property
    def checkpoint(self) -> Path:
        """The checkpoint from which `resume` continues."""
        return self.path / "checkpoint.h5"

    @property
    def picture(self) -> Path:
        """Energies and temperature over time, PNG."""
        return self.path / "energies.png"

    @property
    def phases(self) -> Path:
        """Time per phase, text."""
        return self.path / "phases.txt"

    @property
    def trace_view(self) -> Path:
        """The trace for viewers, in the default place of `trace`."""
        return self.path / "trace.json.gz"

    @property
    def page(self) -> Path:
        """The page of `show --html`, in its default place."""
        return self.path / "report.html"

    @property
    def stage(self) -> str:
        """Name of the stage of which this is the folder, such as "2-heat"; empty if it is none."""
        home = self.path.absolute()
        return home.name if (home.parent / STAGES).is_file() else ""

    def titled(self, title: str) -> str:
        """Return the title of a picture: that of the job, and the stage."""
        return ", ".join(words for words in (title, self.stage) if words)

    def traces(self) -> list[Path]:
        """Return the traces of the processes of a run, in the order of the processes."""
        files = (file for file in self.path.glob("trace.*.bin") if _process(file) is not None)
        return sorted(files, key=lambda file: _process(file) or 0)

    @property
    def own_files(self) -> tuple[Path, ...]:
        """All files that a run may write, whether they exist or not."""
        return (
            self.job,
            self.journal,  # before the trajectory: it must never meet another one
            self.trajectory,
            *self.kept_aside(),
            self.energies,
            self.minimisation,
            self.log,
            self.result,
            self.checkpoint,
            self.path / "checkpoint_previous.h5",
            self.picture,
            self.phases,
            self.ground_state,
            self.convergence,
            self.density_picture,
            self.observables_picture,
        )

    def converted(self) -> list[Path]:
        """Return the output of `convert` and `trace` under the default names."""
        files: list[Path] = []  # without its source, a file of that name is not ours
        if self.trajectory.exists() or (self.path / STAGES).exists():
            files += (self.path / f"trajectory.{to}" for to in FORMATS)
        if self.ground_state.exists():
            files += (self.path / name for name in GROUND_STATE_FILES.values())
        if self.ground_state.exists() and self.checkpoint.exists():
            files += sorted(self.path.glob("orbital_[0-9]*.cube"))
            files.append(self.path / WANNIER_FILE)
        if self.traces():
            files.append(self.trace_view)
        if is_our_page(self.page):
            files.append(self.page)
        return [file for file in files if file.exists()]

    def held_inside(self) -> RunDirectory:
        """Return this run; complain if a file of it is a link that leads out of the folder.

        The folder itself may be reached through links: results may lie on another disk.
        """
        home = os.path.realpath(self.path)
        for file in (*self.own_files, *self.traces(), self.path / STAGES):
            if file.is_symlink() and os.path.commonpath([home, os.path.realpath(file)]) != home:
                raise InputError(
                    "is a link out of the folder of its run, which finegrain does not follow",
                    where=str(file),
                    value=str(file.readlink()),
                    hint="copy the file into the folder; to keep results on another disk, move the "
                    "whole folder there, and make a link to the folder",
                )
        return self

    def results(self) -> list[Path]:
        """Return the existing files that a new run would replace or remove."""
        own = (file for file in self.own_files if file.exists())
        return [*own, *self.traces(), *self.converted()]

    def got_beyond_a_start(self) -> bool:
        """Return whether a run got further than its log here."""
        return bool(self._beyond_a_start())

    def _beyond_a_start(self) -> set[Path]:
        """Return the results of a run that got further than its log, and its traces."""
        start = {self.job, self.log, self.minimisation, self.trace_view, *self.traces()}
        return set(self.results()) - start

    def refuse_results(self, open_job: OpenJob, *, overwrite: bool) -> None:
        """Complain about existing results, unless they may be replaced."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError("is a file, not a folder", where=str(self.path), hint="try --out DIR")
        if not overwrite:
            self.held_inside()  # its figures are read
        found = self.results()
        if overwrite or not self._beyond_a_start() or self._stopped_before_dynamics():
            return  # a run with only a job and a log produced no result
        hint = "choose another folder with --out, or replace the results with --overwrite"
        if self.checkpoint.exists() and not self.finished(open_job):
            hint = f"continue it with: finegrain resume {self.path}\n{hint}"
        names = ", ".join(file.name for file in found)
        raise InputError(
            "holds the results of an earlier run", where=str(self.path), value=names, hint=hint
        )

    def _stopped_before_dynamics(self) -> bool:
        """Return whether the only result is that a run was stopped during minimisation."""
        if self._beyond_a_start() - {self.result} or not self.result.exists():
            return False
        return not self.read_result().get("state_digest")

    def lost_its_checkpoint(self) -> bool:
        """Return whether there was a checkpoint here: the run got beyond minimisation."""
        if (self.path / "checkpoint_previous.h5").exists():
            return True
        return self.result.exists() and bool(self.read_result().get("state_digest"))

    def clear(self, *, keep_job: bool = False) -> None:
        """Remove the results that a new run replaces, converted ones first."""
        for file in (*self.converted(), *self.results()):
            if not (keep_job and file == self.job):
                file.unlink(missing_ok=True)

    def finished(self, open_job: OpenJob) -> bool:
        """Return whether a run here came to the end of its job, which is opened to see it."""
        if not self.result.exists():
            return False
        result = self.read_result()
        if not result.get("finished", False):
            return False
        return not self.job.exists() or open_job(self.job).is_done(result)

    def read_result(self) -> dict[str, Any]:
        """Return the figures of a finished or stopped run."""
        try:
            content = read_json(self.result, "run the job again")
        except FileNotFoundError:
            raise InputError(
                "no finished run here",
                where=str(self.path),
                hint="give the folder that `finegrain run` named, such as runs/dhfr",
            ) from None
        return refuse_odd_figures(content, self.result)

    def write_result(self, result: dict[str, Any]) -> None:
        """Store the figures of a run; NaN becomes null, because JSON has no NaN."""
        text = json.dumps(plain(result), indent=2, ensure_ascii=False) + "\n"
        replace_file(self.result, text.encode())
        # The engine's own program may have been killed while it wrote its figures.
        self.result.with_name("result.json.part").unlink(missing_ok=True)


def _process(file: Path) -> int | None:
    """Return the number in "trace.3.bin"; None if there is none."""
    number = file.name.removeprefix("trace.").removesuffix(".bin")
    return int(number) if number.isascii() and number.isdigit() else None


def existing(path: Path) -> RunDirectory:
    """Return the run in `path`, which must be a folder with a job or results."""
    if not path.exists():
        raise InputError("no such folder", where=str(path), hint="check the path")
    if not path.is_dir():
        raise InputError("is a file, not the folder of a run", where=str(path))
    run = RunDirectory(path).held_inside()
    if (path / STAGES).exists():
        last = max(path.glob("*/job.h5"), default=path / "…/job.h5").parent
        hint = f"give the folder of one stage, such as {last}"
        raise InputError("is a run of several stages", where=str(path), hint=hint)
    if not run.results():  # a trajectory.pdb from elsewhere is not a run
        raise InputError(
            "no run of finegrain in this folder",
            where=str(path),
            hint="give the folder that `finegrain run` named, such as runs/dhfr",
        )
    return run


def plain(value: Any) -> Any:
    """Return the value with NumPy scalars and arrays as JSON types, and NaN as None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
