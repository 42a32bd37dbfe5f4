# SPDX-License-Identifier: BSD-3-Clause
"""Position restraints as in OpenMM, in runs and in the virial."""

from pathlib import Path

import numpy as np
import openmm
import pytest
from engine_jobs import make_job, scaled_job
from input_systems import Waters, water_input
from openmm import app

import finegrain as fg
from finegrain.runs.checkpoints import read_checkpoint

HELD = """\
[[restraints]]
atoms = "name O"
force_constant = "5000 kJ/mol/nm^2"
reference = "there.pdb"
"""


def waters_and_reference(folder: Path) -> Waters:
    """Write waters, and where they are held: some in other boxes, and up to 1 Å away."""
    waters, random = Waters(), np.random.default_rng(3)
    start = waters.position
    boxes = 1.864 * random.integers(-1, 2, start.shape)
    waters.position = start + random.uniform(-0.05, 0.05, start.shape) + boxes
    waters.write(folder)
    (folder / "water.pdb").rename(folder / "there.pdb")
    waters.position = start
    waters.write(folder)
    return waters


def by_openmm(folder: Path, waters: Waters) -> tuple[float, np.ndarray]:
    """Return the energy (kJ/mol) and forces (kJ/mol/nm) of the same restraints in OpenMM."""
    force = openmm.CustomExternalForce("0.5*k*periodicdistance(x, y, z, x0, y0, z0)^2")
    force.addGlobalParameter("k", 5000.0)
    for name in ("x0", "y0", "z0"):
        force.addPerParticleParameter(name)
    places = app.PDBFile(str(folder / "there.pdb")).getPositions(asNumpy=True)
    for atom in range(0, len(places), 3):
        force.addParticle(atom, places[atom])
    force.setForceGroup(7)
    waters.system.addForce(force)
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(waters.system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(app.PDBFile(str(folder / "water.pdb")).positions)
    state = context.getState(getEnergy=True, getForces=True, groups={7})
    kj = openmm.unit.kilojoule_per_mole
    forces = state.getForces(asNumpy=True).value_in_unit(kj / openmm.unit.nanometer)
    return state.getPotentialEnergy().value_in_unit(kj), forces


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_energies_and_forces_are_those_of_openmm(tmp_path: Path, precision: str) -> None:
    waters = waters_and_reference(tmp_path)
    text = water_input.replace("[forces]", f'[forces]\nprecision = "{precision}"')
    (tmp_path / "water.toml").write_text(text)
    free = fg.energy(tmp_path / "water.toml")
    assert "restraint" not in free.energies
    (tmp_path / "water.toml").write_text(text + HELD)
    held = fg.energy(tmp_path / "water.toml")
    energy, forces = by_openmm(tmp_path, waters)
    assert energy > 1000
    # Each patch rounds its sum to 2^-36 hartree, which is 3.8e-8 kJ/mol.
    assert held.energies["restraint"] == pytest.approx(energy, rel=1e-9)
    assert held.total - free.total == pytest.approx(energy, rel=1e-6)
    # Forces are rounded to 2^-38 hartree/bohr, 1.8e-7 kJ/mol/nm, and constants differ by 1e-9.
    np.testing.assert_allclose(held.forces - free.forces, forces, atol=1e-5, rtol=1e-7)


def test_the_virial_is_the_derivative_by_the_box(tmp_path: Path) -> None:
    """References stay where they are while atoms and box are stretched.

    A central difference of a quadratic energy has no error but rounding. Energies of some 1e3
    kJ/mol are rounded to 4e-8, over twice the strain.
    """
    waters_and_reference(tmp_path)
    (tmp_path / "water.toml").write_text(water_input)
    free = fg.energy(fg.load(tmp_path / "water.toml", tmp_path / "free.h5"))
    (tmp_path / "water.toml").write_text(water_input + HELD)
    job = fg.load(tmp_path / "water.toml", tmp_path / "held.h5")
    held, strain = fg.energy(job), 1e-4
    less, more = (
        fg.energy(scaled_job(job, tmp_path / f"{sign}.h5", 1 + sign * strain)).energies["restraint"]
        for sign in (-1, 1)
    )
    assert held.virial is not None
    assert free.virial is not None
    share = (held.virial - free.virial)[:3].sum()
    assert abs(share) > 1000
    assert share == pytest.approx(-(more - less) / (2 * strain), abs=5e-3)


def test_held_atoms_stay_and_the_energies_have_a_column(tmp_path: Path) -> None:
    held = {"atoms": "1-300", "force_constant": "100000 kJ/mol/nm^2"}
    forces = {"cutoff": "7 Å", "switch": "off"}
    moves = {"steps": 200, "ensemble": "nvt", "friction": "10 1/ps"}
    job = make_job(tmp_path, "water", forces, moves)
    text = (tmp_path / "input.toml").read_text() + "[[restraints]]\n"
    text += "".join(f'{key} = "{value}"\n' for key, value in held.items())
    (tmp_path / "held.toml").write_text(text)
    run = fg.run(tmp_path / "held.toml", tmp_path / "run", pes=2)
    again = fg.run(tmp_path / "held.toml", tmp_path / "again", pes=1, stop_after=90)
    assert not again.finished
    assert fg.resume(again, pes=2).result["state_digest"] == run.result["state_digest"]
    energies = run.energies()["restraint (kJ/mol)"]
    assert energies[0] < 0.1  # waters are moved onto their constraints before the first step
    assert energies[-1] > 1
    assert "restrained atoms" in (run.path / "run.log").read_text()
    apart = np.linalg.norm(
        read_checkpoint(run.path / "checkpoint.h5").unwrapped() - job.positions, axis=1
    )
    # sqrt(k_B T / k) is 0.05 Å along each axis; five times that is never reached by chance.
    assert apart[:300].max() < 0.05
    assert apart[300:].max() > 0.05
