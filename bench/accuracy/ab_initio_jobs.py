# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio jobs whose iterations or steps are measured beside their counted work.

Searches begin with random orbitals, and a dynamics does not need a good ground state, because the
work of a step does not depend on orbitals. Ice is that of `finegrain init ice`, silicon the cubic
cell of eight atoms, repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine_runs import lines_of

from finegrain import api

STEPS = 20  # after so many iterations no search has converged
SOFT = '{ O = "O.blyp-mt.UPF", H = "H.blyp-vbc.UPF" }'
INPUT = """\
[system]
kind = "ab-initio"
structure = "{structure}"
{cell}
[electrons]
cutoff = "{cutoff} Ry"
functional = "{functional}"
pseudopotentials = {files}
allow_low_cutoff = true
{ions}
[ground_state]
start = "random"
tolerance = "{tolerance} hartree"
energy_tolerance = "{energy} hartree"
iterations = 200
[objects]
pes = {pes}
"""
MOVES = """\
[dynamics]
kind = "car-parrinello"
timestep = "0.1 fs"
steps = 100
fictitious_mass = 400
temperature = "0 K"
"""


@dataclass(frozen=True)
class Case:
    """One of the jobs: a search for a ground state, or a Car-Parrinello dynamics."""

    system: str  # "ice", "silicon" or "molecule"
    cutoff: int  # Ry
    repeats: tuple[int, int, int] = (1, 1, 1)
    moves: bool = False
    pes: int = 2  # for which it is divided
    splines: bool = False  # for all that ions do
    cell_moves: bool = False

    @property
    def name(self) -> str:
        """The name of its row."""
        many = "x".join(map(str, self.repeats)) + " cells of " if max(self.repeats) > 1 else ""
        kind = "Car-Parrinello" if self.moves else "search"
        more = ", splines" * self.splines + ", moving cell" * self.cell_moves
        return f"{many}{self.system}, {self.cutoff} Ry, for {self.pes} PEs, {kind}{more}"

    def write(self, folder: Path) -> Path:
        """Write its job; return it."""
        words = (self.system, self.cutoff, max(self.repeats), self.moves, self.pes)
        stem = "-".join(map(str, (*words, self.splines, self.cell_moves)))
        structure, cell = f"built-in:{self.system}", ""
        if self.system == "molecule":
            structure, cell = "built-in:H2O", 'cell = ["9 Å", "9 Å", "9 Å"]'
        if max(self.repeats) > 1:
            from ase.build import bulk

            file = folder / f"{stem}.xyz"
            (bulk("Si", "diamond", 5.43, cubic=True) * self.repeats).write(file, format="extxyz")
            structure = str(file)
        text = INPUT.format(
            structure=structure,
            cell=cell,
            cutoff=self.cutoff,
            functional={"ice": "BLYP", "silicon": "LDA", "molecule": "PBE"}[self.system],
            files=SOFT if self.system == "ice" else '"auto"',
            tolerance=1e-4 if self.moves else 1e-14,
            energy=1e-6 if self.moves else 1e-14,
            pes=self.pes,
            ions='nonlocal_part = "splines"\nlocal_part = "splines"' if self.splines else "",
        )
        if self.moves:
            text += MOVES + 'cell = "isotropic"\n' * self.cell_moves
        source, job = folder / f"{stem}.toml", folder / f"{stem}.h5"
        source.write_text(text, encoding="utf-8")
        api.load(source, job)
        return job


def seconds_of(job: Path, ranks: int, pes: int, prefix: list[str]) -> float:
    """Return the seconds of an iteration after the first one, or of a step.

    A search that ends before it has converged says so, and has no result.
    """
    lines = lines_of(job, ranks, pes, prefix, "--steps", str(STEPS))
    for one in lines:
        if "result" in one:
            return float(one["result"]["seconds_per_step"])
    told = [one["progress"] for one in lines if "progress" in one]
    times = {one["step"]: one["seconds"] for one in told if one["step"] > 0}
    if len(times) < 2:
        raise SystemExit(f"{job}: a run of {STEPS} iterations reports too few of them: {lines}")
    first, last = min(times), max(times)
    return float((times[last] - times[first]) / (last - first))
