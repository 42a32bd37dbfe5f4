# SPDX-License-Identifier: BSD-3-Clause
"""The content of an existing ab initio job, and whether it is complete."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain import units
from finegrain.ab_initio.division.fineness import enough_for
from finegrain.ab_initio.input.effective_cutoff import effective_cutoff_of
from finegrain.ab_initio.input.words import formula
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation.report import ReportOfElectrons
from finegrain.runs.job import check_job_file

_optional = dict.fromkeys(("pair_groups", "pair_chunks", "plane_pieces"), 1)  # of a division


@dataclass(kw_only=True)
class AbInitioJobReport(ReportOfElectrons):
    """A checked job of an ab initio run."""

    what = ", a job"
    title: str
    ground_state: dict[str, Any]
    division: dict[str, Any]

    def words(self) -> dict[str, str]:
        """Return names and values."""
        ground = self.ground_state
        return super().words() | {
            "title": self.title,
            **{
                f"pseudo {element}": f"{values['file']}, SHA-256 {values['sha256'][:12]}…"
                for element, values in self.pseudopotentials.items()
            },
            "cutoff": f"{2 * self.cutoff_hartree:g} Ry",
            "ground state": f"{ground['minimiser']}, residual {ground['tolerance']:g} hartree, "
            f"energy {ground['energy_tolerance']:g} hartree, "
            f"at most {ground['iterations']:,} iterations",
            "start": f"{ground['start']} orbitals",
            "objects": self.objects_in_words(
                _optional | {"tile_grain": self.bands} | self.division
            ),
        }


def describe_job(path: Path) -> AbInitioJobReport:
    """Read a job as the engine does.

    Raises
    ------
    InputError
        If it is missing, damaged, not a job of finegrain, or one that the engine refuses.
    """
    check_job_file(path)
    job = AbInitioJob(path)
    division, spins = job.division, int(job.electrons["spins"])
    bands, up = int(job.electrons["bands"]), int(job.electrons["bands_up"])
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
        enough_for_pes=enough_for(
            [up, bands - up], division["state_grain"], division["wave_parts"]
        ),
        ground_state=job.ground_state,
        division=division,
        notes=job.notes,
    )
