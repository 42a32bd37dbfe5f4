# SPDX-License-Identifier: BSD-3-Clause
"""The pages on ab initio runs, executed in small: a water, an oxygen molecule and a hydrogen."""

import sys
from pathlib import Path

import ase.build
import ase.io
import pytest
from how_to_pages import blocks, shell
from shown_commands import execute

import finegrain as fg

PAGE = "ab-initio.md"

pytestmark = [pytest.mark.nightly, pytest.mark.pictures]


def in_small(code: str, cutoff: str, new: str = "24 Ry") -> str:
    """Return an input with a cutoff that its pseudopotentials do not recommend."""
    assert f'cutoff = "{cutoff}"' in code
    return code.replace(f'cutoff = "{cutoff}"', f'cutoff = "{new}"\nallow_low_cutoff = true')


def test_a_ground_state_is_found_and_its_orbitals_are_localised(tmp_path: Path) -> None:
    ase.io.write(tmp_path / "water.xyz", ase.build.molecule("H2O"))
    water, division, _ = blocks(PAGE, "toml")
    (tmp_path / "water.toml").write_text(
        in_small(water, "70 Ry").replace("10 Å", "6 Å") + "\n" + division
    )
    commands, localise = blocks(PAGE, "")
    shell(tmp_path, commands)
    run = tmp_path / "runs/water"
    for name in ("ground_state.xyz", "ground_state.cube"):
        assert (run / name).exists(), sorted(run.iterdir())
    assert "debye" in shell(tmp_path, localise)
    code = blocks(PAGE, "python")[0] + "\nprint(len(water.centres), len(water.molecules))"
    # Eight valence electrons are in four orbitals.
    assert execute(tmp_path, sys.executable, "-c", code).split() == ["4", "1"]


def test_a_molecule_with_unpaired_electrons_is_computed(tmp_path: Path) -> None:
    oxygen = in_small(blocks(PAGE, "toml")[2], "140 Ry").replace("7 Å", "5 Å")
    (tmp_path / "oxygen.toml").write_text(oxygen)
    run = fg.run(tmp_path / "oxygen.toml", out=tmp_path / "oxygen")
    # Two unpaired electrons, as the input asks for.
    assert run.ground_state().magnetization == pytest.approx(2)


def test_ase_relaxes_a_molecule(tmp_path: Path) -> None:
    code = blocks(PAGE, "python")[1]
    assert "140 Ry" in code
    code = code.replace('cutoff="140 Ry"', 'cutoff="30 Ry"').replace("vacuum=3.0", "vacuum=2.0")
    code = code.replace("run(fmax=0.02)", "run(fmax=0.02, steps=3)")
    steps = execute(tmp_path, sys.executable, "-W", "ignore", "-c", code).splitlines()
    energies = [float(line.split()[3]) for line in steps if line.startswith("BFGS:")]
    assert len(energies) == 4
    assert energies[-1] < energies[0]


def test_a_constraint_has_a_mean_force(tmp_path: Path) -> None:
    page = "free-energy.md"
    (shown,) = blocks(page, "toml")
    assert "steps = 40" in shown
    (tmp_path / "h2.toml").write_text(
        '[system]\nkind = "ab-initio"\nstructure = "built-in:H2"\n'
        'cell = ["5 Å", "5 Å", "5 Å"]\n\n'
        '[electrons]\ncutoff = "24 Ry"\nallow_low_cutoff = true\nfunctional = "BLYP"\n'
        'pseudopotentials = "auto"\n\n[ground_state]\ntolerance = "1e-7 hartree"\n\n'
        + shown.replace("steps = 40", "steps = 4")
    )
    (code,) = blocks(page, "python")
    # The bond is stretched from its 0.74 Å (Huber and Herzberg 1979), so the constraint pushes.
    assert float(execute(tmp_path, sys.executable, "-c", code).split()[-1]) > 0
