# SPDX-License-Identifier: BSD-3-Clause
"""How long a step of a classical job is expected to take, as the engine estimates it.

The engine counts what all its objects have to do, from the job's division and positions. The times
for it are those of a fit (``bench/accuracy/work_estimate.py``). Nothing is measured on the machine
at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from finegrain.classical.division.division import Division
from finegrain.engine.engine import load_engine
from finegrain.words.progress import ns_per_day
from finegrain.words.report import as_finegrain_error, table_text


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

    @property
    def imbalance(self) -> float:
        """The work of the fullest PE over the average."""
        return self.seconds * self.pes / self.core_seconds

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json``, with the origin of the times."""
        return asdict(self) | {"imbalance": self.imbalance, "fit": fit_of_estimates()}

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
        """Return the expected rate in words."""
        words = f"about {1000 * self.seconds:.2g} ms a step"
        if timestep_fs > 0:
            words += f", {ns_per_day(timestep_fs, self.seconds):.3g} ns/day"
        return f"{words} on {self.pes} PE{'s' if self.pes > 1 else ''} if none waits"


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
    """Estimate the step of a job with its own division; see `estimate_steps`."""
    (found,) = estimate_steps(name, contents, pes)
    assert found is not None  # the engine would have refused the job
    return found
