# SPDX-License-Identifier: BSD-3-Clause
"""Files as users have them, with CHARMM36 and AMBER: energies by term and forces against OpenMM.

All files come with OpenMM and openmmtools, or are made here from those.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from engine_jobs import make_job
from openmm import app, unit
from openmm_reference import PAIR_FORCES, assert_agreement, reference, set_tail

import finegrain as fg
from finegrain.base import cells

ALPHA, CUTOFF, SWITCH = 3.2, 0.9, 0.75
OPENMM_FILES = Path(app.__file__).parent / "data"


def a_piece_of_a_membrane(folder: Path) -> list[str]:
    """Write five lipids (POPC) and their water, from the membrane that comes with OpenMM."""
    residues: dict[str, list[str]] = {}
    links = []  # lines of the file's list of bonds
    for line in (OPENMM_FILES / "POPC.pdb").read_text().splitlines():
        if line.startswith("CONECT"):
            links.append(line)
        elif line.startswith(("ATOM", "HETATM")):
            residues.setdefault(line[17:26], []).append(line)
    kept, places = [], []
    for atoms in residues.values():
        place = np.array([[float(atom[i : i + 8]) for i in (30, 38, 46)] for atom in atoms])
        if (place[:, :2].mean(axis=0) < 14).all():
            kept += atoms
            places.append(place)
    spans = np.concatenate(places)
    edges = np.ptp(spans, axis=0) + 3  # room between images
    serials = {line[6:11] for line in kept}
    lines = ["CRYST1" + "".join(f"{edge:9.3f}" for edge in edges) + "  90.00  90.00  90.00 P 1"]
    lines += [*kept, *(link for link in links if link[6:11] in serials), "END"]
    (folder / "x.pdb").write_text("\n".join(lines) + "\n")
    return ["charmm36.xml", "charmm36/water.xml"]


def a_sugar(folder: Path) -> list[str]:
    """Write glucose in vacuum: places from the distances along its bonds, then relaxed."""
    names = ["charmm36.xml"]
    field = app.ForceField(*names)
    template = field._templates["AGLC"]
    topology = app.Topology()
    residue = topology.addResidue("AGLC", topology.addChain())
    atoms = [topology.addAtom(atom.name, atom.element, residue) for atom in template.atoms]
    apart = np.full((len(atoms), len(atoms)), 99.0)
    np.fill_diagonal(apart, 0)
    for one, other in template.bonds:
        topology.addBond(atoms[one], atoms[other])
        apart[one, other] = apart[other, one] = 1
    for middle in range(len(atoms)):
        apart = np.minimum(apart, apart[:, middle, None] + apart[middle])
    squares = (0.14 * apart**0.8) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    sizes, vectors = np.linalg.eigh(-centred / 2)
    places = vectors[:, -3:] * np.sqrt(sizes[-3:])
    platform = openmm.Platform.getPlatformByName("Reference")
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(field.createSystem(topology), integrator, platform)
    context.setPositions(places)
    openmm.LocalEnergyMinimizer.minimize(context, maxIterations=200)
    relaxed = context.getState(getPositions=True).getPositions()
    _write(folder, app.Modeller(topology, relaxed))
    return names


def a_peptide_in_a_dodecahedron(folder: Path) -> list[str]:
    """Write alanine dipeptide with water in a rhombic dodecahedron."""
    from openmmtools import testsystems

    peptide = testsystems.AlanineDipeptideVacuum()
    model = app.Modeller(peptide.topology, peptide.positions)
    names = ["amber14-all.xml", "amber14/tip3pfb.xml"]
    padding = 1.7 * unit.nanometer
    model.addSolvent(app.ForceField(*names), boxShape="dodecahedron", padding=padding)
    _write(folder, model)
    return names


def _write(folder: Path, model: app.Modeller) -> None:
    with (folder / "x.pdb").open("w") as file:
        app.PDBFile.writeFile(model.topology, model.positions, file)


@pytest.mark.parametrize(
    ("make", "mesh", "terms"),
    [
        (a_piece_of_a_membrane, (20, 20, 56), ("improper",)),
        (a_sugar, None, ()),
        (a_peptide_in_a_dodecahedron, (28, 28, 20), ()),
    ],
)
def test_energies_and_forces_are_those_of_openmm(
    tmp_path: Path,
    make: Callable[[Path], list[str]],
    mesh: tuple[int, int, int] | None,
    terms: tuple[str, ...],
) -> None:
    """The rhombic dodecahedron is compared with `openmm_reference`: OpenMM's forces miss pairs
    there."""
    names = make(tmp_path)
    pdb = app.PDBFile(str(tmp_path / "x.pdb"))
    system = app.ForceField(*names).createSystem(
        pdb.topology,
        nonbondedMethod=app.PME if mesh else app.NoCutoff,
        nonbondedCutoff=CUTOFF,
        switchDistance=SWITCH,
        constraints=None,
        rigidWater=False,
    )
    given: dict[str, Any] = {"precision": "double", "constraints": "none", "rigid_water": False}
    if mesh:
        given |= {"cutoff": f"{CUTOFF} nm", "switch": f"{SWITCH} nm", "mesh": list(mesh)}
        given |= {"spline_order": 5, "ewald_coefficient": f"{ALPHA} 1/nm"}
        given |= {"dispersion_correction": True}
    section = {"kind": "classical", "topology": str(tmp_path / "x.pdb"), "forcefield": names}
    job = make_job(tmp_path, "x.pdb", given, {"timestep": "0.5 fs"}, system=section)
    if mesh:
        for force in system.getForces():
            if isinstance(force, PAIR_FORCES):
                set_tail(force, True)
        rows = cells.vectors_of(job.box)
        system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in rows))
        theirs = reference(
            system, job.positions, alpha=ALPHA, mesh=mesh, cutoff=CUTOFF, switch=SWITCH
        )
    else:
        theirs = reference(system, job.positions)
    for term in ("bond", "angle", "torsion", "exception", "lennard-jones", "coulomb", *terms):
        assert abs(theirs.energies[term]) > 1, term
    assert_agreement(fg.energy(job, pes=2), theirs)
