# SPDX-License-Identifier: BSD-3-Clause
"""Free bonds far beyond their lengths are noted; those that only look so are not."""

from pathlib import Path

import openmm
import pytest
from input_systems import reference_platform, write_input
from openmm import unit

from finegrain.classical.preparation.check import check

covalent = 410_032.0  # kJ/mol/nm^2, C-N of the AMBER force fields
length = 0.1335


def notes(
    folder: Path,
    apart: float,
    *,
    stiffness: float = covalent,
    held: bool = False,
    box: float = 0.0,
    rest: float = length,
) -> list[str]:
    """The notes on two bonded atoms at a distance (nm)."""
    system = openmm.System()
    for _ in range(2):
        system.addParticle(12.0)
    bonds, pairs = openmm.HarmonicBondForce(), openmm.NonbondedForce()
    bonds.addBond(0, 1, rest, stiffness)
    for _ in range(2):
        pairs.addParticle(0.0, 0.3, 0.1)
    pairs.addException(0, 1, 0.0, 0.3, 0.0)
    system.addForce(bonds)
    system.addForce(pairs)
    if held:
        system.addConstraint(0, 1, apart)
    (folder / "s.xml").write_text(openmm.XmlSerializer.serialize(system))
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), reference_platform())
    context.setPositions([[0.1, 0, 0], [0.1 + apart, 0, 0]] * unit.nanometer)
    state = context.getState(getPositions=True)
    (folder / "state.xml").write_text(openmm.XmlSerializer.serialize(state))
    edges = f'box = ["{box} nm", "{box} nm", "{box} nm"]\n' if box else ""
    found = check(write_input(folder, "s.xml", "state.xml", edges))
    return [note for note in found.notes if "are bonded and" in note]


def test_a_bond_across_a_gap_is_noted_with_its_atoms_and_lengths(tmp_path: Path) -> None:
    (note,) = notes(tmp_path, 1.091)
    assert "atom 1" in note
    assert "atom 2" in note
    assert "10.91 Å apart, 8.2 times the 1.335 Å" in note
    assert "residues missing" in note


@pytest.mark.parametrize("apart", [0.11, 0.1335, 0.17, 0.183])
def test_a_bond_as_experiments_have_it_is_not_noted(tmp_path: Path, apart: float) -> None:
    assert notes(tmp_path, apart) == []


def test_a_soft_spring_may_be_long(tmp_path: Path) -> None:
    assert notes(tmp_path, 1.091, stiffness=10_000.0) == []


def test_a_bond_that_is_held_is_not_noted(tmp_path: Path) -> None:
    assert notes(tmp_path, 0.5, held=True) == []


def test_a_bond_across_the_edge_of_the_box_is_as_short_as_its_nearest_image(tmp_path: Path) -> None:
    assert notes(tmp_path, 3.0 - 0.13, box=3.0) == []
    assert len(notes(tmp_path, 1.091, box=3.0)) == 1


def test_a_bond_whose_length_is_zero_is_not_noted(tmp_path: Path) -> None:
    assert notes(tmp_path, 0.2, rest=0.0) == []
