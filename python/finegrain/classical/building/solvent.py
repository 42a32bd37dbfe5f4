# SPDX-License-Identifier: BSD-3-Clause
"""The box, water and ions around a solute, by OpenMM's Modeller. Units: nm, e.

The solute is in a sphere about the middle of its extent. Its images are the diameter of the sphere
and twice the padding apart, in every direction. So it may turn, and never comes nearer to an image
than twice the padding.
"""

from __future__ import annotations

import contextlib
import io
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.classical.building.choices import SITES, Choices
from finegrain.classical.building.contents import DNA, RNA, named
from finegrain.classical.building.molecules import (
    Molecules,
    places_of,
    rebuilt,
    single_thread,
)
from finegrain.errors import Problem
from finegrain.words.library_errors import said

Floats = NDArray[np.float64]

_margin = 0.1  # nm; of pair lists beyond the cutoff
_near = 0.6  # nm from the solute; waters of the crystal that are farther fill its own cell
_shrinks = 0.97  # of an edge, while the water finds its density
# OpenMM's shapes, for a distance of 1 between images (`Modeller._computeBoxVectors`).
_shapes = {
    "cube": np.eye(3),
    "dodecahedron": np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0.5 * 2**0.5]]),
    "octahedron": np.array([[1, 0, 0], [1 / 3, 8**0.5 / 3, 0], [-1 / 3, 2**0.5 / 3, 6**0.5 / 3]]),
}


@dataclass
class Solvated:
    """The whole system, and in numbers what was added."""

    topology: Any
    positions: Any
    width: float  # between images of the solute's middle
    diameter: float
    waters: int
    ions: dict[str, int]
    charge: int  # of the solute and the ions of its file
    edges: tuple[float, ...] = ()  # of a rectangular box
    lipids: tuple[int, int] = (0, 0)  # above and below the middle of a membrane


def open_force_field(choices: Choices) -> Any:
    """Return OpenMM's force field."""
    from openmm.app import ForceField

    with contextlib.redirect_stdout(io.StringIO()):
        return ForceField(*choices.force_field.files, choices.water.file)


def knows_ion(force_field: Any, residue: Any) -> bool:
    """Return whether one template fits an ion; two, such as of Fe2+ and Fe3+, are no answer."""
    from openmm.app import Topology

    topology = Topology()
    (atom,) = residue.atoms()
    topology.addAtom(
        atom.name, atom.element, topology.addResidue(residue.name, topology.addChain())
    )
    try:
        force_field.createSystem(topology)
    except Exception:
        return False
    return True


def charge_of_solute(
    file: str, molecules: Molecules, force_field: Any, choices: Choices, problems: list[Problem]
) -> int:
    """Return the charge of the solute; a residue without a template is a problem.

    Waters of the crystal get the sites of their model.
    """
    import openmm
    from openmm import unit
    from openmm.app import Modeller

    try:
        if molecules.crystal_waters and choices.water.shape in SITES:
            modeller = Modeller(molecules.topology, molecules.positions)
            modeller.addExtraParticles(force_field)
            molecules.topology, molecules.positions = modeller.topology, modeller.positions
        system = force_field.createSystem(molecules.topology)
    except Exception as error:
        text = said(error)
        match = re.search(r"[Rr]esidue (\d+) ", text)
        residues = list(molecules.topology.residues())
        value = named(residues[int(match[1]) % len(residues)]) if match else ""
        hint = "another --state or --ph for this residue, or another --forcefield"
        if value and value.split()[0] in DNA | RNA and choices.forcefield == "charmm36":
            hint = "take --forcefield amber14 for nucleic acids"
        what = "the force field has no parameters for a residue as it was made"
        problems.append(Problem(what, file, value, text, hint))
        return 0
    force = next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))
    charge = sum(
        force.getParticleParameters(atom)[0].value_in_unit(unit.elementary_charge)
        for atom in range(force.getNumParticles())
    )
    return round(float(charge))


_atoms_in_water = 100  # in a nm³, as in water
_most_atoms = 5_000_000


def box_of_solute(
    molecules: Molecules, choices: Choices, problems: list[Problem]
) -> tuple[Floats, float]:
    """Return the box vectors and the solute's diameter; complain about a box below the cutoff.

    A padding that nobody asked for grows until the box is large enough.
    """
    places = _solute_places(molecules)
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    diameter = 2 * float(np.linalg.norm(places - middle, axis=1).max())
    shape = _shapes[choices.box]
    padding = choices.padding
    thin = float(cells.widths(cells.box_of(shape)).min())
    needed = 2 * (choices.force_field.cutoff + _margin) / _shrinks / thin
    enough = math.ceil(50 * (needed - diameter)) / 10  # Å
    if choices.padding_is_usual:
        padding = max(padding, enough / 10)
    width = diameter + 2 * padding
    if width < needed:
        problems.append(
            Problem(
                "makes a box that is too small for the cutoff",
                "--padding",
                f"{10 * choices.padding:g} Å",
                f"opposite faces {20 * (choices.force_field.cutoff + _margin):g} Å apart, twice "
                "the cutoff and the reach of pair lists, also when the box has shrunk by 3 %",
                f'take --padding "{enough:g} Å" or more',
            )
        )
    atoms = _atoms_in_water * abs(float(np.linalg.det(width * shape)))
    if atoms > _most_atoms:
        problems.append(
            Problem(
                f"makes a box of about {atoms:,.0f} atoms",
                "--padding",
                f"{10 * padding:g} Å",
                f"at most {_most_atoms:,}",
                "is its unit right? 10 Å is usual",
            )
        )
    return width * shape, diameter


def _solute_places(molecules: Molecules) -> Floats:

    places = places_of(molecules.positions)
    solute = [
        atom.index
        for atom in molecules.topology.atoms()
        if atom.residue.name != "HOH" and len(atom.residue) > 1
    ]
    return np.asarray(places[solute], np.float64)


def solvated(
    molecules: Molecules,
    vectors: Floats,
    diameter: float,
    charge: int,
    choices: Choices,
    force_field: Any,
) -> Solvated:
    """Return the system with water and ions."""
    import openmm
    from openmm import unit
    from openmm.app import Modeller

    modeller = Modeller(*_without_far_waters(molecules, choices.padding))
    before = ions_of(modeller.topology)
    with single_thread(choices.seed) as platform, contextlib.redirect_stdout(io.StringIO()):
        modeller.addSolvent(
            force_field,
            model=choices.water.shape,
            boxVectors=[openmm.Vec3(*row) for row in vectors.tolist()] * unit.nanometer,
            ionicStrength=choices.salt * unit.molar,
            neutralize=choices.neutral,
        )
        if choices.water.shape in SITES:
            _place_sites(modeller, force_field, platform)
    return Solvated(
        modeller.topology,
        modeller.positions,
        float(vectors[0, 0]),
        diameter,
        sum(residue.name == "HOH" for residue in modeller.topology.residues()),
        added_ions(modeller.topology, before),
        charge,
    )


def _place_sites(modeller: Any, force_field: Any, platform: Any) -> None:
    """Put sites where their model has them: boxes of water are those of a similar model."""
    import openmm

    system = force_field.createSystem(modeller.topology)
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(modeller.positions)
    context.computeVirtualSites()
    modeller.positions = context.getState(getPositions=True).getPositions()


def added_ions(topology: Any, before: Counter[str]) -> dict[str, int]:
    """Return by element how many ions there are more than before."""
    added = ions_of(topology)
    added.subtract(before)
    return {name: count for name, count in added.items() if count}


def ions_of(topology: Any) -> Counter[str]:
    """Return the number of ions of one atom by their elements."""
    return Counter(
        atom.element.symbol
        for residue in topology.residues()
        if len(residue) == 1
        for atom in residue.atoms()
    )


def _without_far_waters(molecules: Molecules, padding: float) -> tuple[Any, Any]:
    """Drop waters of the crystal that could meet an image of the solute or of its waters."""
    solute = _solute_places(molecules)
    most = min(_near, padding - 0.1)
    places = places_of(molecules.positions)
    far = {
        residue
        for residue in molecules.topology.residues()
        if residue.name == "HOH"
        and np.linalg.norm(solute - places[next(residue.atoms()).index], axis=1).min() > most
    }
    if not far:
        return molecules.topology, molecules.positions
    molecules.crystal_waters -= len(far)
    words = f"{len(far):,} of the crystal left out, more than {10 * most:.1f} Å from the solute"
    molecules.done.append(("far waters", words))
    groups = [
        [residue for residue in chain.residues() if residue not in far]
        for chain in molecules.topology.chains()
    ]
    return rebuilt(molecules.topology, places, [group for group in groups if group], set())
