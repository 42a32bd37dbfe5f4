# SPDX-License-Identifier: BSD-3-Clause
"""Hydrogens made heavier: as OpenMM does it, and what cannot be done is refused."""

from pathlib import Path

import numpy as np
import pytest
from input_systems import write_alanine, write_input
from openmm import app, unit

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError
from finegrain.units import electron_mass_in_dalton

FORCES = """[forces]
cutoff = "8 Å"
constraints = "{constraints}"
rigid_water = {rigid}
"""
DYNAMICS = """[dynamics]
timestep = "2 fs"
steps = 10
temperature = "300 K"
hydrogen_mass = "{mass}"
"""
VILLIN = """forcefield = ["charmm36.xml"]
[forces]
electrostatics = "plain"
constraints = "h-bonds"
"""


def masses(folder: Path, rigid: str = "true", mass: str = "3 Da") -> np.ndarray:
    held = "h-bonds" if rigid == "true" else "none"
    more = FORCES.format(constraints=held, rigid=rigid) + DYNAMICS.format(mass=mass)
    toml = write_input(folder, "x.prmtop", "x.crd", more)
    return prepare(toml).system.mass * electron_mass_in_dalton


@pytest.fixture
def folder(tmp_path: Path, openmmtools_data: Path) -> Path:
    return write_alanine(tmp_path, openmmtools_data, kind="explicit")


@pytest.mark.parametrize("rigid", ["true", "false"])
def test_masses_are_openmms(folder: Path, rigid: str) -> None:
    topology = app.AmberPrmtopFile(str(folder / "x.prmtop"))
    system = topology.createSystem(
        constraints=app.HBonds if rigid == "true" else None,
        rigidWater=rigid == "true",
        hydrogenMass=3 * unit.dalton,
    )
    wanted = [system.getParticleMass(i)._value for i in range(system.getNumParticles())]
    found = masses(folder, rigid)
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
    toml = write_input(tmp_path, "villin.pdb", more=VILLIN + DYNAMICS.format(mass="3 Da"))
    system = app.ForceField("charmm36.xml").createSystem(
        protein.topology, constraints=app.HBonds, hydrogenMass=3 * unit.dalton
    )
    wanted = [system.getParticleMass(i)._value for i in range(system.getNumParticles())]
    found = prepare(toml).system.mass * electron_mass_in_dalton
    assert found == pytest.approx(wanted, rel=1e-12)


def test_too_much_mass_is_refused_with_the_atom(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        masses(folder, mass="5 Da")
    (problem,) = caught.value.problems
    assert problem.where == "in.toml:13"
    assert "leaves atom" in problem.what
    assert "lighter than its hydrogens" in problem.what


@pytest.mark.parametrize("mass", ["0.1 Da", "30 Da", "3 Å"])
def test_a_mass_that_is_none_is_refused(folder: Path, mass: str) -> None:
    with pytest.raises(InputError) as caught:
        masses(folder, mass=mass)
    assert caught.value.problems[0].value == f"dynamics.hydrogen_mass = {mass}"
