# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics of eight silicon atoms with dispersion, which a program beside the run finds."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
from moving_silicon import write_input

from finegrain.ab_initio.dispersion.model import Method
from finegrain.ab_initio.preparation.job import make_job
from finegrain.ase import Finegrain
from finegrain.files.seal import seal

METHOD = Method("d3bj", "pbe", three_body=False, isolated=False)


def with_dispersion(source: Path) -> Path:
    """Give an input of silicon a functional that has a dispersion."""
    lines = ('functional = "PBE"', 'dispersion = "d3bj"', "allow_other_functional = true")
    source.write_text(source.read_text().replace('functional = "LDA"', "\n".join(lines)))
    return source


def job_of(folder: Path, scheme: str, steps: int, *more: str) -> Path:
    """Make the job of a dynamics of silicon with dispersion."""
    make_job(with_dispersion(write_input(folder, scheme, steps, *more)), folder / "job.h5")
    return folder / "job.h5"


def calculator(folder: Path, **options: Any) -> Finegrain:
    """Return a calculator with dispersion for the silicon that is written in a folder."""
    return Finegrain(
        cutoff="6 Ry",
        functional="PBE",
        pseudopotentials={"Si": str(folder / "GTH")},
        electrons={"dispersion": "d3bj", "allow_low_cutoff": True, "allow_other_functional": True},
        **options,
    )


def with_command(job: Path, to: Path, command: list[str] | None) -> Path:
    """Copy a job, and let it name another program, or none."""
    to.write_bytes(job.read_bytes())
    with h5py.File(to, "r+") as file:
        del file["dispersion/companion"]
        if command is not None:
            file["dispersion/companion/command"] = command
            file["dispersion/companion/elements"] = np.full(8, 14, np.int32)
    seal(to)
    return to
