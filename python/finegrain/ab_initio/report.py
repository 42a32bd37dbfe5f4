# SPDX-License-Identifier: BSD-3-Clause
"""The content of an existing ab initio job, and whether it is complete."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from finegrain import units
from finegrain.ab_initio.division.fineness import enough_for
from finegrain.ab_initio.input.effective_cutoff import effective_cutoff_of, in_words
from finegrain.ab_initio.input.ion_method import IonMethod
from finegrain.ab_initio.input.words import (
    cell_in_words,
    electrons_in_words,
    formula,
    net_force_in_words,
    times,
)
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation.dynamics import in_words as dynamics_in_words
from finegrain.base.visible import visible
from finegrain.runs.job import check_job_file


@dataclass(frozen=True)
class AbInitioJobReport:
    """A checked job of an ab initio run.

    Attributes
    ----------
    cell_angstrom : list
        The vectors in rows.
    boundary : str
        "periodic" or "isolated".
    spin : str
        "none": every orbital holds two electrons, and `bands_down` is 0; or "collinear".
    empty : int
        Empty orbitals of all spins that are found after the ground state.
    cutoff_hartree : float
        The cutoff of |G|^2/2 for orbitals.
    effective_cutoff : dict
        Its energy, height and width [hartree]; empty without one.
    pseudopotentials : dict
        For each element its file and the SHA-256 of this file.
    """

    source: str
    title: str
    atoms: int
    formula: str
    cell_angstrom: list[list[float]]
    boundary: str
    electrons: int
    bands: int
    spin: str
    bands_up: int
    bands_down: int
    empty: int
    functional: str
    cutoff_hartree: float
    effective_cutoff: dict[str, float]
    grid: list[int]
    removes_net_force: bool
    pseudopotentials: dict[str, dict[str, str]]
    nonlocal_part: IonMethod
    local_part: IonMethod
    dynamics: dict[str, Any]
    ground_state: dict[str, Any]
    division: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    def _enough_for_pes(self) -> int:
        bands = [self.bands_up, self.bands_down]
        return enough_for(bands, self.division["state_grain"], self.division["wave_parts"])

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        enough = self._enough_for_pes()
        return asdict(self) | {"enough_for_pes": enough, "problems": []}

    def text(self) -> str:
        """Return the report as text."""
        ground, division = self.ground_state, self.division
        rows = [
            ("title", self.title),
            ("atoms", f"{self.atoms:,}, {self.formula}"),
            ("cell", f"{cell_in_words(self.cell_angstrom)}, {self.boundary}"),
            (
                "electrons",
                electrons_in_words(self.electrons, self.bands_up, self.bands_down, self.empty),
            ),
            ("functional", self.functional),
            *(
                (f"pseudo {element}", f"{values['file']}, SHA-256 {values['sha256'][:12]}…")
                for element, values in self.pseudopotentials.items()
            ),
            ("cutoff", f"{2 * self.cutoff_hartree:g} Ry"),
            *in_words(self.effective_cutoff),
            ("grid", times(self.grid)),
            ("net force", net_force_in_words(self.removes_net_force, self.functional)),
            ("nonlocal", self.nonlocal_part.in_words(" an iteration")),
            ("local", self.local_part.in_words()),
            (
                "ground state",
                f"{ground['minimiser']}, residual {ground['tolerance']:g} hartree, "
                f"energy {ground['energy_tolerance']:g} hartree, "
                f"at most {ground['iterations']:,} iterations, {ground['start']} orbitals",
            ),
            *(dynamics_in_words(self.dynamics).items() if self.dynamics else ()),
            (
                "objects",
                f"blocks of {division['state_grain']} orbitals, "
                f"{division['wave_parts']} parts of waves, "
                f"{division['density_parts']} of the density "
                f"in {division.get('plane_pieces', 1)} pieces, "
                f"{division.get('pair_groups', 1)} groups of pairs "
                f"in {division.get('pair_chunks', 1)} chunks of waves, "
                f"tiles of {division.get('tile_grain', self.bands)} orbitals; "
                f"enough for {self._enough_for_pes()} PEs",
            ),
        ]
        width = max(len(name) for name, _ in rows) + 2
        lines = [f"fine  {self.source}, a job", ""]
        lines += [f"  {name.ljust(width)}{value}" for name, value in rows if value]
        lines += [f"  note: {note}" for note in self.notes]
        return visible("\n".join(lines)) + "\n"


def describe_job(path: Path) -> AbInitioJobReport:
    """Read a job as the engine does.

    Raises
    ------
    InputError
        If it is missing, damaged, not a job of finegrain, or one that the engine refuses.
    """
    check_job_file(path)
    job = AbInitioJob(path)
    bands, up = int(job.electrons["bands"]), int(job.electrons["bands_up"])
    spins = int(job.electrons["spins"])
    return AbInitioJobReport(
        source=job.path.name,
        title=job.title,
        atoms=job.atoms,
        formula=formula(job.symbols),
        cell_angstrom=(job.cell * units.bohr_in_angstrom).tolist(),
        boundary=job.boundary,
        electrons=2 * bands if spins == 1 else bands,
        bands=bands,
        spin="none" if spins == 1 else "collinear",
        bands_up=up,
        bands_down=bands - up,
        empty=sum(int(job.electrons.get(f"empty_{spin}", 0)) for spin in ("up", "down")),
        functional=str(job.electrons["functional"]),
        cutoff_hartree=float(job.electrons["cutoff"]),
        effective_cutoff=effective_cutoff_of(job.electrons),
        grid=[int(points) for points in job.electrons["grid"]],
        removes_net_force=job.removes_net_force,
        pseudopotentials={
            str(one["symbol"]): {"file": str(one["file"]), "sha256": str(one["sha256"])}
            for one in job.species
        },
        nonlocal_part=job.nonlocal_part,
        local_part=job.local_part,
        dynamics=job.dynamics,
        ground_state=job.ground_state,
        division=job.division,
        notes=job.notes,
    )
