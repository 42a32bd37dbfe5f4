# SPDX-License-Identifier: BSD-3-Clause
"""How long a step of a classical job is expected to take, as the engine estimates it.

The engine counts what all its objects have to do, from the job's division and positions. The times
for it are those of a fit (``bench/accuracy/work_estimate.py``). What earlier runs on the machine at
hand showed makes a pace of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from finegrain.classical.division.division import Division
from finegrain.engine.engine import load_engine, usable_cores
from finegrain.engine.kept_speed import KeptSpeed, keep_speed, kept_speed
from finegrain.files.plain import plain_bytes
from finegrain.words.progress import ns_per_day
from finegrain.words.report import as_finegrain_error, table_text

LEAST_STEPS, LEAST_SECONDS = 500, 4.0  # of a run that says how fast a machine is


@dataclass(frozen=True)
class StepEstimate:
    """The expected time of a step.

    Attributes
    ----------
    parts : dict of str to float
        Seconds of all PEs together, by part of the work.
    core_seconds : float
        The sum of `parts`: a step on one PE.
    seconds : float
        The time of the PE with the most work.
    pes : int
        The number of PEs for which objects were placed.
    speed : KeptSpeed or None
        What earlier runs on this machine showed, if there were any.
    most_atoms : int
        The largest number of atoms in one patch.
    objects : int
    messages : float
        Messages between objects, per step.
    """

    parts: dict[str, float]
    core_seconds: float
    seconds: float
    most_atoms: int
    objects: int
    messages: float
    pes: int
    speed: KeptSpeed | None = None

    @property
    def seconds_here(self) -> float:
        """The time of a step by the speed of earlier runs; without them that of the fit."""
        return self.seconds / self.speed.factor if self.speed else self.seconds

    @property
    def imbalance(self) -> float:
        """The work of the fullest PE over the average."""
        return self.seconds * self.pes / self.core_seconds

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json``, with the origin of the times."""
        more = {"seconds_here": self.seconds_here, "imbalance": self.imbalance}
        return asdict(self) | more | {"fit": fit_of_estimates()}

    def lines(self) -> list[str]:
        """Return the parts in words, the longest first, and where the times come from."""
        rows = [["part", "core-ms", "%"]]
        for name, seconds in sorted(self.parts.items(), key=lambda part: -part[1]):
            if seconds > 0:
                share = 100 * seconds / self.core_seconds
                rows.append([name, f"{1000 * seconds:.3g}", f"{share:.1f}"])
        rows.append(["all", f"{1000 * self.core_seconds:.3g}", "100.0"])
        return [
            f"{self.objects:,} objects, {self.messages:,.0f} messages; an estimate, by",
            fit_of_estimates(),
            *table_text(rows, numbers=(1, 2)).splitlines(),
        ]

    def pace(self, timestep_fs: float) -> str:
        """Return the expected rate in words, and whose speed it is."""
        words = f"about {1000 * self.seconds_here:.2g} ms a step"
        if timestep_fs > 0:
            words += f", {ns_per_day(timestep_fs, self.seconds_here):.3g} ns/day"
        words += f" on {self.pes} PE{'s' if self.pes > 1 else ''}"
        if self.speed:
            return f"{words}, as fast as this machine was on {self.speed.day}"
        return f"{words} if none waits, at another machine's speed (no long run here yet)"


def fit_of_estimates() -> str:
    """Return where the times come from."""
    return str(load_engine().fit_of_estimates())


def estimate_steps(
    name: str, contents: bytes, pes: int, divisions: Sequence[Division] = ()
) -> list[StepEstimate | None]:
    """Estimate the step of a job, for each of several divisions.

    Parameters
    ----------
    name : str
        What messages call the job.
    contents : bytes
        The bytes of its file.
    pes : int
        The number of PEs on which its objects are placed by their estimated work.
    divisions : sequence of Division
        None for one that the engine refuses. If there are none: the job's own.

    Raises
    ------
    InputError
        If the engine refuses the job.
    """
    engine = load_engine()
    given = [
        (one.patch_grid, one.reach, one.pair_computes, one.pencil_grid, one.inner_list_cutoff)
        for one in divisions
    ]
    try:
        found = engine.estimate_steps(name, contents, pes, given)
    except Exception as error:
        raise as_finegrain_error(error) from error
    return [None if one is None else StepEstimate(**one, pes=pes) for one in found]


def estimate_own_step(name: str, contents: bytes, pes: int) -> StepEstimate:
    """Estimate the step of a job with its own division, and how fast this machine is with it.

    See `estimate_steps`.
    """
    (found,) = estimate_steps(name, contents, pes)
    assert found is not None  # the engine would have refused the job
    return replace(found, speed=kept_speed())


def keep_speed_of(job: Path, result: Mapping[str, Any]) -> None:
    """Keep how fast this machine was with the steps of a run, for later estimates.

    Nothing is kept of a short run, nor of one on several processes or on more PEs than cores.

    Parameters
    ----------
    job : Path
        The job of the run.
    result : mapping
        Its figures. If it was resumed, its ``seconds`` are those of the last part.
    """
    pace, seconds, pes = result["seconds_per_step"], result["seconds"], int(result["pes"])
    of_one_process = result.get("ranks", 1) == 1 and pes <= usable_cores()
    if not of_one_process or not pace or seconds < max(LEAST_SECONDS, LEAST_STEPS * pace):
        return
    estimate = estimate_own_step(job.name, plain_bytes(job), pes)
    keep_speed(estimate.seconds / pace, pes)
