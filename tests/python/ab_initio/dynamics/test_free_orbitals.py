# SPDX-License-Identifier: BSD-3-Clause
"""Free orbitals with the default `reset_above`: what happens when they are made orthonormal."""

from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import SILICON

import finegrain as fg

WATER = (
    'structure = "built-in:ice"',
    "[electrons]",
    'cutoff = "14 Ry"',
    'functional = "LDA"',
    'pseudopotentials = { O = "O.blyp-mt.UPF", H = "H.blyp-vbc.UPF" }',
    "allow_low_cutoff = true",
    "allow_other_functional = true",
)
CRYSTAL = (
    'structure = "built-in:silicon"',
    "[electrons]",
    'cutoff = "6 Ry"',
    'functional = "LDA"',
    'pseudopotentials = { Si = "GTH" }',
    "allow_low_cutoff = true",
)


def run(folder: Path, system: tuple[str, ...], steps: int, *more: str) -> fg.DynamicsRun:
    folder.mkdir()
    (folder / "GTH").write_text(SILICON)
    lines = (
        "[system]",
        'kind = "ab-initio"',
        *system,
        "[ground_state]",
        'tolerance = "1e-6 hartree"',
        "[dynamics]",
        'kind = "car-parrinello"',
        'timestep = "0.1 fs"',
        f"steps = {steps}",
        'temperature = "300 K"',
        'orthonormality = "free"',
        *more,
        "[output]",
        "trajectory_interval = 0",
    )
    source = folder / "free.toml"
    source.write_text("\n".join(lines) + "\n")
    done = fg.run(source, folder / "run", pes=1)
    assert isinstance(done, fg.DynamicsRun)
    return done


@pytest.mark.parametrize(
    ("system", "steps"), [(WATER, 24), (CRYSTAL, 70)], ids=["water", "silicon"]
)
def test_the_conserved_energy_does_not_jump_when_orbitals_are_made_orthonormal(
    tmp_path: Path, system: tuple[str, ...], steps: int
) -> None:
    done = run(tmp_path / "default", system, steps)
    never = run(tmp_path / "never", system, steps, "reset_above = 0.5").energies()
    table, atoms = done.energies(), done.job.atoms
    resets = np.flatnonzero(table["made orthonormal"])
    assert len(resets) >= 2
    assert not never["made orthonormal"].any()
    first = resets[0]
    name = "conserved energy (hartree)"
    # Both runs are the same up to the first reset.
    np.testing.assert_array_equal(table[name][:first], never[name][:first])
    # Velocities that were not scaled would make a jump; 6e-9 (silicon) and more are found.
    assert (np.abs(table["energy given back (hartree)"][resets]) / atoms > 5e-9).all()
    difference = np.abs(table[name] - never[name]) / atoms
    # It is the rounding of a sum of some 100 hartree; later the runs differ as their steps do.
    assert difference[first] < 1e-11
    assert difference[first + 1] < 1e-8
