# SPDX-License-Identifier: BSD-3-Clause
"""Terms of a cell that is repeated though they do not fit into half of it."""

from pathlib import Path

import numpy as np
import openmm
import pytest
from input_systems import problems_of, write_input
from openmm import app, unit

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import Problem

# Four atoms in a zigzag, 0.30 nm apart; the first and the last are 0.65 nm apart.
ZIGZAG = [[0.1, 0.1, 0.1], [0.3, 0.1, 0.3236], [0.5, 0.1, 0.1], [0.7, 0.1, 0.3236]]
BOND = 0.3


def chain(
    folder: Path,
    box: tuple[float, float, float],
    repeat: str,
    places: list[list[float]] = ZIGZAG,
    bond: float = BOND,
) -> Path:
    """Write a chain of bonded atoms in a cell with angles, a torsion and exceptions."""
    system, topology = openmm.System(), app.Topology()
    residue = topology.addResidue("CHN", topology.addChain("A"))
    bonds, angles = openmm.HarmonicBondForce(), openmm.HarmonicAngleForce()
    torsions, pairs = openmm.PeriodicTorsionForce(), openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.PME)
    count = len(places)
    for number in range(count):
        topology.addAtom(f"C{number + 1}", app.element.carbon, residue)
        system.addParticle(12.0)
        pairs.addParticle(0.1 - 0.2 * (number % 2), 0.2, 0.1)
    for first in range(count - 1):
        bonds.addBond(first, first + 1, bond, 1e5)
        pairs.addException(first, first + 1, 0, 0.1, 0)
    for first in range(count - 2):
        angles.addAngle(first, first + 1, first + 2, 1.5, 100)
        pairs.addException(first, first + 2, 0, 0.1, 0)
    for first in range(count - 3):
        torsions.addTorsion(first, first + 1, first + 2, first + 3, 1, 0.5, 1.0)
        pairs.addException(first, first + 3, -0.01, 0.2, 0.05)
    for force in (bonds, angles, torsions, pairs):
        system.addForce(force)
    vectors = np.diag(box)
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in vectors))
    topology.setPeriodicBoxVectors(vectors * unit.nanometer)
    (folder / "chain.xml").write_text(openmm.XmlSerializer.serialize(system))
    with (folder / "chain.pdb").open("w") as file:
        app.PDBFile.writeFile(topology, np.array(places) * unit.nanometer, file)
    forces = '[forces]\ncutoff = "8 Å"\nelectrostatics = "pme"\nspline_order = 6\n'
    forces += 'ewald_coefficient = "0.4 1/Å"\nmesh = {mesh}\nprecision = "double"\n'
    counts = [int(n) for n in repeat.strip("[]").split(",")]
    points = [24 * n for n in counts]
    forces = forces.format(mesh=points)
    return write_input(folder, "chain.xml", "chain.pdb", f"repeat = {repeat}\n{forces}")


def refused(*given: object, **more: object) -> dict[str, Problem]:
    """Return the problems of a chain that have to do with its cell, by what is wrong."""
    found = {one.what: one for one in problems_of(chain(*given, **more))}  # type: ignore[arg-type]
    for one in found.values():
        assert one.where == "in.toml:5"
        assert "larger cell" in one.hint
        assert "wide" in one.limit
    return found


SMALL = "a repeated cell is too small for this "
PAIRS = SMALL + "exclusion or exception"


def test_all_kinds_of_terms_are_named_at_once(tmp_path: Path) -> None:
    found = refused(tmp_path, (0.55, 1.0, 1.0), "[4, 2, 2]")
    assert set(found) == {SMALL + "bond", SMALL + "angle", SMALL + "torsion", PAIRS}
    bond = found[SMALL + "bond"]
    assert bond.value.startswith("atom 1 (C1")
    assert bond.value.endswith("): 3 Å; 2 more")
    assert bond.limit == (
        "neighbours nearer than half its width, 2.75 Å; the cell is 5.5 Å x 10 Å x 10 Å wide"
    )


def test_a_pair_across_bonds_needs_its_own_image(tmp_path: Path) -> None:
    """Bonds fit into half of 0.8 nm; the ends of the chain, 0.64 nm apart, are nearer round it."""
    (problem,) = refused(tmp_path, (0.8, 1.7, 1.7), "[3, 1, 1]").values()
    assert problem.what == PAIRS
    assert "C1" in problem.value
    assert "C4" in problem.value
    assert "more" not in problem.value


def test_a_bond_may_be_longer_at_rest_than_it_is(tmp_path: Path) -> None:
    """Two atoms 0.4 nm apart through a face are no bond of 0.6 nm."""
    places = [[0.1, 0.1, 0.1], [0.7, 0.1, 0.1]]
    (problem,) = refused(tmp_path, (1.0, 1.7, 1.7), "[2, 1, 1]", places=places, bond=0.6).values()
    assert problem.value.endswith("): 6 Å")


@pytest.mark.parametrize("repeat", ["[1, 1, 1]", "[1, 2, 2]"])
def test_only_vectors_that_are_repeated_count(tmp_path: Path, repeat: str) -> None:
    assert prepare(chain(tmp_path, (1.7, 1.7, 1.7), repeat))
