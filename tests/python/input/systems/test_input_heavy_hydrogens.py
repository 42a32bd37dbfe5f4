# SPDX-License-Identifier: BSD-3-Clause
"""Hydrogens made heavier: as OpenMM does it, and what cannot be done is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from openmm import app, unit

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError
from finegrain.units import electron_mass_in_dalton

INPUT = """[system]
kind = "classical"
topology = "{topology}"
coordinates = "{coordinates}"
[forces]
cutoff = "8 Å"
constraints = "{constraints}"
rigid_water = {rigid}
[dynamics]
timestep = "2 fs"
steps = 10
temperature = "300 K"
hydrogen_mass = "{mass}"
"""

VILLIN = """[system]
kind = "classical"
topology = "villin.pdb"
forcefield = ["charmm36.xml"]
[forces]
electrostatics = "plain"
constraints = "h-bonds"
[dynamics]
timestep = "2 fs"
steps = 10
temperature = "300 K"
hydrogen_mass = "3 Da"
"""


def masses(folder: Path, rigid: str = "true", mass: str = "3 Da") -> np.ndarray:
    data = prepared_data()
    text = INPUT.format(
        topology=data / "alanine-dipeptide.prmtop",
        coordinates=data / "alanine-dipeptide.crd",
        constraints="h-bonds" if rigid == "true" else "none",
        rigid=rigid,
        mass=mass,
    )
    (folder / "in.toml").write_text(text)
    return prepare(folder / "in.toml").system.mass * electron_mass_in_dalton


def prepared_data() -> Path:
    from openmmtools import testsystems

    return Path(testsystems.__file__).parent / "data/alanine-dipeptide-explicit"


@pytest.mark.parametrize("rigid", ["true", "false"])
def test_masses_are_openmms(tmp_path: Path, rigid: str) -> None:
    topology = app.AmberPrmtopFile(str(prepared_data() / "alanine-dipeptide.prmtop"))
    system = topology.createSystem(
        constraints=app.HBonds if rigid == "true" else None,
        rigidWater=rigid == "true",
        hydrogenMass=3 * unit.dalton,
    )
    wanted = [system.getParticleMass(i)._value for i in range(system.getNumParticles())]
    found = masses(tmp_path, rigid)
    assert found == pytest.approx(wanted, rel=1e-12)
    assert np.count_nonzero(np.isclose(found, 3)) >= 12
    # In a rigid water nothing changes.
    assert found[-1] == pytest.approx(1.008 if rigid == "true" else 3, abs=1e-3)


def test_urey_bradley_terms_of_charmm_are_no_bonds(tmp_path: Path) -> None:
    shipped = app.PDBFile(str(Path(app.__file__).parent / "data/test.pdb"))  # villin in water
    protein = app.Modeller(shipped.topology, shipped.positions)
    residues = protein.topology.residues()
    protein.delete([residue for residue in residues if residue.name in ("HOH", "Cl")])
    with (tmp_path / "villin.pdb").open("w") as file:
        app.PDBFile.writeFile(protein.topology, protein.positions, file)
    lines = (tmp_path / "villin.pdb").read_text().splitlines(keepends=True)
    bare = "".join(line for line in lines if not line.startswith("CRYST1"))
    (tmp_path / "villin.pdb").write_text(bare)
    (tmp_path / "in.toml").write_text(VILLIN)
    system = app.ForceField("charmm36.xml").createSystem(
        protein.topology, constraints=app.HBonds, hydrogenMass=3 * unit.dalton
    )
    wanted = [system.getParticleMass(i)._value for i in range(system.getNumParticles())]
    found = prepare(tmp_path / "in.toml").system.mass * electron_mass_in_dalton
    assert found == pytest.approx(wanted, rel=1e-12)


def test_too_much_mass_is_refused_with_the_atom(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        masses(tmp_path, mass="5 Da")
    (problem,) = caught.value.problems
    assert problem.where == "in.toml:13"
    assert "leaves atom" in problem.what
    assert "lighter than its hydrogens" in problem.what


@pytest.mark.parametrize("mass", ["0.1 Da", "30 Da", "3 Å"])
def test_a_mass_that_is_none_is_refused(tmp_path: Path, mass: str) -> None:
    with pytest.raises(InputError) as caught:
        masses(tmp_path, mass=mass)
    assert caught.value.problems[0].value == f"dynamics.hydrogen_mass = {mass}"
