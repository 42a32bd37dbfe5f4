# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a run: which files are in it, and that none of them is lost silently."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.errors import InputError
from finegrain.whole_file import replace_file


@dataclass(frozen=True)
class RunDirectory:
    """Paths of the files of one run."""

    path: Path

    @property
    def job(self) -> Path:
        """The job that was run."""
        return self.path / "job.h5"

    @property
    def trajectory(self) -> Path:
        """Frames and observables, H5MD."""
        return self.path / "trajectory.h5"

    @property
    def energies(self) -> Path:
        """Energies by step, comma-separated."""
        return self.path / "energies.csv"

    @property
    def log(self) -> Path:
        """What was run, on what, with which settings; for people."""
        return self.path / "run.log"

    @property
    def result(self) -> Path:
        """The figures of the run, JSON."""
        return self.path / "result.json"

    @property
    def checkpoint(self) -> Path:
        """Where `resume` goes on."""
        return self.path / "checkpoint.h5"

    @property
    def picture(self) -> Path:
        """Energies and temperature over time, PNG."""
        return self.path / "energies.png"

    @property
    def phases(self) -> Path:
        """Time per phase, text."""
        return self.path / "phases.txt"

    def results(self) -> list[Path]:
        """Return the files that a new run would replace and that exist."""
        previous = self.path / "checkpoint_previous.h5"
        damaged = self.path / "trajectory_damaged.h5"
        files = (
            self.job,
            self.trajectory,
            damaged,
            self.energies,
            self.log,
            self.result,
            self.checkpoint,
            previous,
            self.picture,
            self.phases,
        )
        return [file for file in files if file.exists()]

    def refuse_results(self, *, overwrite: bool) -> None:
        """Complain about results that are there already, unless they may be replaced."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError("is a file, not a folder", where=str(self.path), hint="try --out DIR")
        found = self.results()
        if not found or overwrite:
            return
        hint = "choose another folder with --out, or replace the results with --overwrite"
        if self.checkpoint.exists() and not self.finished():
            hint = f"continue it with: finegrain resume {self.path}\n{hint}"
        names = ", ".join(file.name for file in found)
        raise InputError(
            "holds the results of an earlier run", where=str(self.path), value=names, hint=hint
        )

    def clear(self) -> None:
        """Remove the results that a new run replaces."""
        for file in self.results():
            file.unlink()

    def finished(self) -> bool:
        """Return whether a run came to its last step here."""
        return self.result.exists() and bool(self.read_result().get("finished", False))

    def read_result(self) -> dict[str, Any]:
        """Return the figures of a finished or stopped run."""
        try:
            content = json.loads(self.result.read_text())
        except FileNotFoundError:
            raise InputError(
                "no finished run here",
                where=str(self.path),
                hint="give the folder that `finegrain run` named, such as runs/dhfr",
            ) from None
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise InputError(
                "not a result of finegrain, or cut short",
                where=str(self.result),
                value=str(error),
                hint="run the job again",
            ) from None
        if not isinstance(content, dict):
            raise InputError("not a result of finegrain", where=str(self.result))
        return content

    def write_result(self, result: dict[str, Any]) -> None:
        """Store the figures of a run; not-a-number becomes null, as JSON has no such thing."""
        text = json.dumps(plain(result), indent=2, ensure_ascii=False) + "\n"
        replace_file(self.result, text.encode())


def existing(path: Path) -> RunDirectory:
    """Return the run in `path`, which must be a folder with a job or results."""
    if not path.exists():
        raise InputError("no such folder", where=str(path), hint="check the path")
    if not path.is_dir():
        raise InputError("is a file, not the folder of a run", where=str(path))
    run = RunDirectory(path)
    if not run.results():
        raise InputError(
            "no run of finegrain in this folder",
            where=str(path),
            hint="give the folder that `finegrain run` named, such as runs/dhfr",
        )
    return run


def plain(value: Any) -> Any:
    """Return the value with NumPy scalars and arrays as JSON types, not-a-number as None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
