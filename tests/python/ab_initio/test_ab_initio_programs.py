# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs, from input and files of pseudopotentials, against Quantum ESPRESSO's pw.x.

The figures are those of the plain program's tests (tests/python/electrons/measure_pw.py made them);
what differs between the programs is listed in test_other_programs.py there. Needs the files of
Debian's packages.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from plain_kohn_sham import System
from reference_systems import FOR_PW

import finegrain as fg

electrons = Path(__file__).parents[1] / "electrons"
PW = json.loads((electrons / "pw_figures.json").read_text())
BOHR = 0.529177210903
# The user's word: the system with GTH has a fit that pw.x does not have (see reference_systems).
FUNCTIONALS = {"PZ": "LDA", "PW92": "PW92", "PBE": "PBE", "BLYP": "BLYP"}
# Hartree per atom: the difference of the plain program from pw.x, and of PBE that of a constant.
CASES = {
    "H2 GTH LDA": 5e-8,
    "H2O MT BLYP": 5e-8,
    "Si2 VBC LDA": 5e-8,
    "Si2 ONCV NLCC LDA": 5e-8,
    "Ge2 GTH BLYP": 5e-8,
    "H2O GTH PBE triclinic": 1e-6,
}


def write_input(folder: Path, system: System) -> Path:
    """Write structure and input of a system of the plain program."""
    lines = [str(len(system.elements)), ""]
    for symbol, place in zip(system.elements, system.positions, strict=True):
        lines.append(" ".join([symbol, *(repr(float(x * BOHR)) for x in place)]))
    (folder / "system.xyz").write_text("\n".join(lines) + "\n")
    rows = [[f"{x!r} bohr" for x in map(float, row)] for row in system.vectors]
    files = {name: str(one.path) for name, one in system.pseudopotentials.items()}
    table = ", ".join(f"{name} = {json.dumps(file)}" for name, file in files.items())
    source = folder / "system.toml"
    source.write_text(
        f"""\
[system]
kind = "ab-initio"
structure = "system.xyz"
cell = {json.dumps(rows)}

[electrons]
cutoff = "{system.cutoff!r} hartree"
functional = "{FUNCTIONALS[system.functional]}"
pseudopotentials = {{ {table} }}
allow_low_cutoff = true
grid = {list(system.grid)}

[ground_state]
tolerance = "1e-7 hartree"
energy_tolerance = "1e-11 hartree"
iterations = 400
"""
    )
    return source


@pytest.mark.parametrize("name", CASES)
def test_pw_x_finds_the_same_energy_forces_and_stress(name: str, tmp_path: Path) -> None:
    system, figures = FOR_PW[name](), PW[name]
    found = fg.energy(write_input(tmp_path, system), pes=1)
    assert found.total == pytest.approx(figures["total"], abs=CASES[name] * len(system.elements))
    forces = found.forces - found.forces.mean(axis=0)
    # Residuals of a coefficient of 1e-7 hartree leave errors of up to 1e-6 in forces.
    np.testing.assert_allclose(forces, figures["forces"], rtol=0, atol=2e-6)
    np.testing.assert_allclose(found.stress, figures["stress"], rtol=0, atol=1e-7)
