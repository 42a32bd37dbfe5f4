# SPDX-License-Identifier: BSD-3-Clause
"""A molecule that comes nearer to its own image than the cutoff is noted."""

from pathlib import Path

import numpy as np
import openmm
import pytest
from numpy.typing import NDArray

import finegrain as fg

BEADS, APART = 20, 0.15  # nm; a straight chain is 2.85 nm long
CUTOFF = 0.9
INPUT = """\
[system]
kind = "classical"
topology = "chain.xml"
coordinates = "state.xml"
[forces]
cutoff = "9 Å"
switch = "off"
electrostatics = "reaction-field"
dispersion_correction = false
"""
CUBE = 3.5 * np.eye(3)
# A rhombic dodecahedron; images are 3.5 nm apart in every direction.
DODECAHEDRON = 3.5 * np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, np.sqrt(0.5)]])


def notes(
    folder: Path, position: NDArray[np.float64], vectors: NDArray[np.float64], ring: bool
) -> str:
    """Return what `check` says of a chain of beads in a box."""
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors(*vectors)
    bonds, pairs = openmm.HarmonicBondForce(), openmm.NonbondedForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(CUTOFF)
    for bead in range(BEADS):
        system.addParticle(12)
        pairs.addParticle(0, 0.3, 0.1)
        if bead > 0:
            bonds.addBond(bead - 1, bead, APART, 1000)
            pairs.addException(bead - 1, bead, 0, 0.3, 0)
    if ring:
        bonds.addBond(BEADS - 1, 0, APART, 1000)
        pairs.addException(BEADS - 1, 0, 0, 0.3, 0)
    system.addForce(bonds)
    system.addForce(pairs)
    context = openmm.Context(
        system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference")
    )
    context.setPositions(position)
    state = context.getState(getPositions=True)
    (folder / "chain.xml").write_text(openmm.XmlSerializer.serialize(system))
    (folder / "state.xml").write_text(openmm.XmlSerializer.serialize(state))
    (folder / "in.toml").write_text(INPUT)
    return fg.check(folder / "in.toml").text()


def chain(direction: tuple[float, ...], length: float = APART * (BEADS - 1)) -> NDArray[np.float64]:
    along = np.array(direction) / np.linalg.norm(direction)
    return 0.2 + np.linspace(0, length, BEADS)[:, None] * along


@pytest.mark.parametrize(
    ("position", "vectors", "distance"),
    [
        (chain((1, 0, 0)), CUBE, "6.5 Å"),  # 35 - 28.5
        (chain((0, 0, 1)) % 3.5, CUBE, "6.5 Å"),  # its pieces are on both sides of the box
        (chain(tuple(DODECAHEDRON[2])), DODECAHEDRON, "6.5 Å"),
        (chain((1, 1, 0)), CUBE, ""),  # along a diagonal of 49.5 Å
        (chain((1, 0, 0), 2.5), CUBE, ""),  # 10 Å apart
    ],
)
def test_the_nearest_image_is_noted(
    tmp_path: Path, position: NDArray[np.float64], vectors: NDArray[np.float64], distance: str
) -> None:
    said = notes(tmp_path, position, vectors, ring=False)
    assert ("of its own image" in said) == bool(distance)
    assert f"within {distance} of its own image" in said or not distance


def test_a_molecule_without_an_end_is_not_noted(tmp_path: Path) -> None:
    """Each bead is bonded to the next, and the last to the image of the first."""
    box = np.diag([APART * BEADS, 3.5, 3.5])
    assert "own image" not in notes(tmp_path, chain((1, 0, 0)), box, ring=True)
