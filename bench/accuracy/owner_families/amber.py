# SPDX-License-Identifier: BSD-3-Clause
"""AMBER topologies against sander: energies by term, forces, and places of extra points."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import finegrain as fg
from finegrain.base import cells
from finegrain.classical.job import Job
from finegrain.classical.preparation.job import checked_image
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError
from finegrain.formats.amber_restart import write_rst7
from finegrain.formats.structure import Structure
from finegrain.units import angstrom_per_nm
from owner_families import sander
from owner_families.family import Compared, Family, Limit, MissingOwnerError, Term, terms_of
from owner_families.sander import Settings

Compare = Callable[[Path], Compared]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Mask = NDArray[np.bool_]

# Both are double precision and the same sums. Parameters of a topology have nine digits, and the
# two programs take Lennard-Jones from them in other ways (A and B, or sigma and epsilon).
EXACT = Limit(absolute=1e-5, relative=1e-7)
# A phase of π has six decimals in many topologies; sander takes the number π, 1.35e-6 rad less. For
# a hundred torsions of 10 kJ/mol this makes 2e-4 kJ/mol with slopes of random signs.
# sander prints these terms with four decimals in kcal/mol: half a unit of the last, in kJ/mol.
PRINTED = Limit(absolute=0.5e-4 * sander.KCAL * 1.01)
LIMITS = {
    "bond": PRINTED,  # with Urey-Bradley terms
    "angle": EXACT,
    "torsion": Limit(absolute=2e-4, relative=1e-6),
    "improper": PRINTED,
    "cmap": PRINTED,
    "1-4 pairs": EXACT,
    "Lennard-Jones": EXACT,
    "charges": EXACT,
    "total": Limit(absolute=3e-4, relative=1e-7),
}
# In an input with extra points O-H of the file are equal to 1e-7 Å, and so are places of points.
# A force of 1e3 kJ/mol/nm on each of 1000 points adds up to 1e-2 kJ/mol at worst, or 1e-6.
WITH_POINTS = {"charges": Limit(1e-3, 1e-6), "total": Limit(1e-3, 1e-6)}
# Lennard-Jones beyond the cutoff: OpenMM and finegrain count an atom as its own neighbour in the
# mean over all pairs, sander does not; of N atoms that is 1/N, here 1/2000 of 172 kJ/mol.
WITH_TAIL = {"Lennard-Jones": Limit(0.09), "total": Limit(0.09)}
# Root mean square, of their size. Phases of π are wrong by 1.35e-6 rad in a file, and so are forces
# of torsions that stand in a minimum; places of the points of a five-site water are 3e-9 of 0.07 nm
# apart.
FORCES = 5e-6
SITES = 1e-8  # nm; a coordinate of the file is rounded to 1e-8 nm

OURS = """\
[system]
kind = "classical"
topology = "x.parm7"
coordinates = "x.rst7"
[forces]
precision = "double"
constraints = "none"
rigid_water = false
"""
PERIODIC = """\
electrostatics = "pme"
cutoff = "{cutoff} Å"
switch = "off"
ewald_coefficient = "{ewald_coefficient} 1/Å"
mesh = [{mesh[0]}, {mesh[1]}, {mesh[2]}]
spline_order = {order}
dispersion_correction = {tail}
"""


def compared(folder: Path, settings: Settings | None) -> Compared:
    """Evaluate x.parm7 and x.rst7 of a folder with both programs."""
    text = OURS
    if settings is not None:
        text += PERIODIC.format(**{**vars(settings), "tail": str(settings.tail).lower()})
    (folder / "x.toml").write_text(text)
    try:
        prepared = prepare(folder / "x.toml")
        image = checked_image(prepared)
    except InputError as error:
        return Compared(refused=" ".join(str(error).split()))
    theirs = sander.evaluate(folder / "sander", folder / "x.parm7", folder / "x.rst7", settings)
    (folder / "x.job.h5").write_bytes(image)
    job = Job(folder / "x.job.h5")
    found = fg.energy(job, pes=1)
    energies = dict(found.energies)
    ours = {
        "1-4 pairs": energies.pop("exception", 0.0),
        "Lennard-Jones": energies.pop("lennard-jones", 0.0) + energies.pop("dispersion", 0.0),
        "charges": energies.pop("coulomb", 0.0) + energies.pop("mesh", 0.0),
        **energies,
        "total": found.total,
    }
    site = prepared.system.sites.mask(job.atoms)
    limits = LIMITS | (WITH_POINTS if site.any() else {})
    if settings is not None and settings.tail:
        limits = limits | WITH_TAIL
    terms = terms_of(ours, theirs.energies, limits)
    pairs = [
        as_bodies(forces, job.positions, prepared.system.names.residue, site)
        for forces in (found.forces, theirs.forces)
    ]
    size = max(float(np.sqrt((pairs[1] ** 2).mean())), 100.0)  # of a minimised structure
    apart = np.sqrt(((pairs[0] - pairs[1]) ** 2).mean()) / size
    terms["forces"] = Term(float(apart), 0.0, FORCES, "of their size")
    if site.any():
        moved = job.positions - theirs.positions
        if settings is not None:
            moved -= cells.nearest_shift(moved, job.box)
        worst = float(np.linalg.norm(moved[site], axis=1).max())
        terms["places of extra points"] = Term(worst, 0.0, SITES, "nm")
    return Compared(job.atoms, terms)


def as_bodies(forces: Floats, place: Floats, residue: Ints, site: Mask) -> Floats:
    """Return forces, but force and torque of whole molecules for waters with extra points.

    The programs spread the force of a point in other ways over its water, which differ by what
    constraints take up: motion of the rigid molecule is the same.
    """
    with_site = np.isin(residue, np.unique(residue[site]))
    first = np.zeros(residue.max() + 1, int)
    first[residue[::-1]] = np.arange(len(residue))[::-1]
    forces = np.where(site[:, None], 0.0, forces)
    torque = np.cross(place - place[first[residue]], forces) / 0.1  # of a bond of 1 Å
    bodies = np.zeros((residue.max() + 1, 6))
    np.add.at(bodies, residue[with_site], np.hstack([forces, torque])[with_site])
    return np.concatenate([forces[~with_site].ravel(), bodies.ravel()])


def make_waters_rigid(folder: Path) -> None:
    """Give the waters of x.rst7 the lengths of x.parm7, in the plane where they lie.

    LEaP's boxes have three decimals. Extra points have the same place in both programs if the two
    O-H are equally long: sander takes the bisector of their directions, finegrain the middle of the
    hydrogens.
    """
    from openmm import app

    topology = app.AmberPrmtopFile(str(folder / "x.parm7"))
    lengths = {}
    for one, other, _, distance in topology._prmtop.getBondsWithH():
        lengths[one, other] = lengths[other, one] = float(distance) * angstrom_per_nm
    lines = (folder / "x.rst7").read_text().splitlines()
    rows = (topology.topology.getNumAtoms() + 1) // 2
    numbers = [
        float(row[at : at + 12]) for row in lines[2 : 2 + rows] for at in range(0, len(row), 12)
    ]
    place = np.array(numbers).reshape(-1, 3)
    for residue in topology.topology.residues():
        o, *others = (atom.index for atom in residue.atoms())
        if len(others) < 2:
            continue
        one, other = others[:2]
        if not {(o, one), (o, other), (one, other)} <= lengths.keys():
            continue  # no water
        oh, half = lengths[o, one], lengths[one, other] / 2
        middle = (place[one] + place[other]) / 2 - place[o]
        along = middle / np.linalg.norm(middle)
        side = place[one] - place[other]
        side -= (side @ along) * along
        side /= np.linalg.norm(side)
        height = np.sqrt(oh**2 - half**2)
        place[one] = place[o] + height * along + half * side
        place[other] = place[o] + height * along - half * side
    flat = place.ravel()
    body = [
        "".join(f"{value:12.7f}" for value in flat[at : at + 6]) for at in range(0, len(flat), 6)
    ]
    text = "\n".join([*lines[:2], *body, *lines[2 + rows :]]) + "\n"
    (folder / "x.rst7").write_text(text)


def made(script: str, settings: Settings | None = None, *, minimised: bool = False) -> Compare:
    """Return a comparison of what tleap makes of a script, as unit x.

    A minimised structure is the start where LEaP's has angles near 180 degrees, which sander cuts.
    """

    def compare(folder: Path) -> Compared:
        sander.leap(folder, script)
        make_waters_rigid(folder)
        if minimised:
            sander.minimise(folder)
        return compared(folder, settings)

    return compare


def shipped(
    topology: str, coordinates: str, settings: Settings | None = None
) -> Callable[[Path], Compared]:
    """Return a comparison of files that openmmtools ships."""

    def compare(folder: Path) -> Compared:
        import openmmtools

        data = Path(openmmtools.__file__).parent / "data"
        shutil.copy(data / topology, folder / "x.parm7")
        shutil.copy(data / coordinates, folder / "x.rst7")
        return compared(folder, settings)

    return compare


def kept(
    name: str, topology: str, coordinates: str, settings: Settings | None = None
) -> Callable[[Path], Compared]:
    """Return a comparison of files in FINEGRAIN_REFERENCE_DATA, folder peer_inputs."""

    def compare(folder: Path) -> Compared:
        data = os.environ.get("FINEGRAIN_REFERENCE_DATA", "")
        if not data or not (Path(data) / "peer_inputs" / name).is_dir():
            raise MissingOwnerError("the input is in FINEGRAIN_REFERENCE_DATA only")
        shutil.copy(Path(data) / "peer_inputs" / name / topology, folder / "x.parm7")
        source = Path(data) / "peer_inputs" / name / coordinates
        if source.read_bytes()[:1] == b"*":
            from_charmm(source, folder / "x.rst7")
        else:
            shutil.copy(source, folder / "x.rst7")
        return compared(folder, settings)

    return compare


def from_charmm(source: Path, target: Path, edge: float = 33.0) -> None:
    """Write CHARMM's coordinates as AMBER's, in a cubic cell of so many Å."""
    from openmm import app, unit

    place = np.array(app.CharmmCrdFile(str(source)).positions.value_in_unit(unit.nanometer))
    box = np.full(3, edge / angstrom_per_nm)
    with target.open("w", encoding="utf-8") as file:
        write_rst7(file, Structure(0, 0.0, place, None, box), "from CHARMM")


def water(box: str, leaprc: str) -> str:
    """Return a script for a box of water, in a cubic cell of 22 Å."""
    return f"{leaprc}\nx = copy {box}\nset x box {{22.0 22.0 22.0}}"


FF14 = "source leaprc.protein.ff14SB\n"
TIP5P = FF14 + "source leaprc.water.tip3p\nloadamberparams frcmod.tip5p"
TIP4PEW = FF14 + "source leaprc.water.tip4pew"
SMALL = Settings()
LARGE = Settings(mesh=(64, 64, 64))
PEPTIDE = "sequence { ACE ALA GLY SER HIE LYS TRP GLU NME }"
IN_OPC = f"""source leaprc.protein.ff19SB
source leaprc.water.opc
x = {PEPTIDE}
solvatebox x OPCBOX 6.0
addions x Cl- 0"""
IN_VACUUM = FF14 + f"x = {PEPTIDE}"
DNA = """source leaprc.DNA.OL15
source leaprc.water.tip3p
x = sequence { DC5 DG DC DG DA DA DT DT DC3 }
addions x Na+ 0"""
OCTAHEDRON = (
    FF14
    + """source leaprc.water.tip3p
x = sequence { ACE ALA NME }
solvateoct x TIP3PBOX 9.0"""
)
EXTRA_POINTS_OF_SUGARS = """source leaprc.GLYCAM_06EPb
x = sequence { ROH 0GB }"""
HBONDS = """source oldff/leaprc.ff86
x = sequence { ALA SER ALA }"""
FAMILY = Family(
    name="AMBER",
    owner="sander",
    unit="kJ/mol",
    version=sander.version,
    inputs={
        "five-site water, TIP5P": made(water("TIP5PBOX", TIP5P), SMALL),
        "four-site water, TIP4P-Ew": made(water("TIP4PEWBOX", TIP4PEW), SMALL),
        "ff19SB peptide in OPC water": made(IN_OPC, LARGE),
        "ff14SB peptide in vacuum": made(IN_VACUUM),
        "DNA, OL15, in vacuum": made(DNA, minimised=True),
        "truncated octahedron": made(OCTAHEDRON, LARGE),
        "extra points of sugars, GLYCAM": made(EXTRA_POINTS_OF_SUGARS),
        "hydrogen bonds by 10-12 terms": made(HBONDS),
        "alanine dipeptide in water": shipped(
            "alanine-dipeptide-explicit/alanine-dipeptide.prmtop",
            "alanine-dipeptide-explicit/alanine-dipeptide.crd",
            SMALL,
        ),
        "Lennard-Jones beyond the cutoff": shipped(
            "alanine-dipeptide-explicit/alanine-dipeptide.prmtop",
            "alanine-dipeptide-explicit/alanine-dipeptide.crd",
            Settings(tail=True),
        ),
        "host and guest in vacuum": shipped(
            "cb7-viologen/leap/complex-vacuum.prmtop", "cb7-viologen/leap/complex-vacuum.inpcrd"
        ),
        "12-6-4 terms of magnesium": kept(
            "amber_Mg_water_12-6-4", "Mg_water.prmtop", "Mg_water.inpcrd", SMALL
        ),
        "CHAMBER, CHARMM22 with CMAP": kept(
            "amber_chamber_ala3_solv.parm7", "ala3_solv.parm7", "ala3_solv.crd", SMALL
        ),
        "protein in a truncated octahedron": kept(
            "amber_tz2.truncoct", "tz2.truncoct.parm7", "tz2.truncoct.rst7", LARGE
        ),
    },
)
