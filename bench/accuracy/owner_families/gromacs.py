# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS topologies against gmx_d: energies by term, without a cell."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

import finegrain as fg
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError
from owner_families import gmx
from owner_families.chains import dna, peptide
from owner_families.family import Compared, Family, Limit, MissingOwnerError, terms_of

Compare = Callable[[Path], Compared]

# Both are double precision and the same sums. Sines and cosines of maps and of angles near 180
# degrees differ in the last digits that both keep.
EXACT = Limit(absolute=1e-5, relative=1e-9)
# GROMACS's constant of Coulomb's law differs from CODATA's in its eighth digit, and charges of
# either sign, of up to 1e5 kJ/mol, cancel in the sum.
CHARGED = Limit(absolute=1e-3, relative=1e-7)
LIMITS = {
    **dict.fromkeys(("bond", "angle", "torsion", "improper", "cmap"), EXACT),
    "bond and angle": EXACT,
    "Lennard-Jones": Limit(absolute=1e-5, relative=1e-9),
    **dict.fromkeys(("1-4 pairs", "charges", "total"), CHARGED),
}
OURS = """\
[system]
kind = "classical"
topology = "x.top"
coordinates = "vacuum.gro"
[forces]
electrostatics = "plain"
constraints = "none"
precision = "double"
"""
FORCE_FIELDS = (
    *("amber03", "amber94", "amber96", "amber99", "amber99sb", "amber99sb-ildn", "amberGS"),
    *("charmm27", "oplsaa", "gromos43a1", "gromos43a2", "gromos45a3", "gromos53a5", "gromos53a6"),
    "gromos54a7",
)
WITH_DNA = ("amber99sb-ildn", "amber03", "amber94")
# With other fields hydrogens follow atoms that are sites themselves, which are refused by name.
WITH_SITES = ("gromos54a7",)
KEPT = (
    *(f"apgr.{kind}.comb{rule}" for kind in ("nbfix.nopairs", "nonbfix.nopairs") for rule in "123"),
    *("apgr.nbfix.pairs.comb2", "apgr.nbfix.pairs.comb3"),
    *("apgr.nonbfix.pairs.comb1", "apgr.nonbfix.pairs.comb3"),
    *("1ppt", "gmxtops_rb_torsions", "saved_benzene_cyclohexane_10_500"),
)


def compared(folder: Path) -> Compared:
    """Evaluate x.top and x.gro of a folder with both programs; all atoms go into a large cell."""
    place = gmx.places_of(folder / "x.gro")
    place += 20.0 - place.mean(axis=0)
    gmx.write_places(folder / "x.gro", place, 40.0)
    shutil.copy(folder / "x.gro", folder / "vacuum.gro")
    gmx.write_places(folder / "vacuum.gro", place, 0.0)
    (folder / "x.toml").write_text(OURS)
    try:
        found = fg.energy(folder / "x.toml", pes=1)
    except InputError as error:
        return Compared(refused=" ".join(str(error).split()))
    theirs = gmx.energies(folder)
    # GROMACS shifts Coulomb's law to zero at the cutoff, for each atom with itself too: in a sum
    # over all pairs that is minus half the square of the net charge at that distance.
    charge = float(prepare(folder / "x.toml").system.charge.sum())
    shift = gmx.COULOMB * charge**2 / (2 * gmx.CUTOFF)
    for name in ("charges", "total"):
        theirs[name] = theirs.get(name, 0.0) + shift
    energies = dict(found.energies)
    ours = {
        "1-4 pairs": energies.pop("exception", 0.0),
        "Lennard-Jones": energies.pop("lennard-jones", 0.0) + energies.pop("dispersion", 0.0),
        "charges": energies.pop("coulomb", 0.0) + energies.pop("mesh", 0.0),
        **energies,
    }
    if "U-B" in (folder / "x.xvg").read_text():  # GROMACS has Urey-Bradley's bonds in its angles
        for terms in (ours, theirs):
            terms["bond and angle"] = terms.pop("bond", 0.0) + terms.pop("angle", 0.0)
    return Compared(len(place), terms_of(ours, theirs, LIMITS))


def made(force_field: str, structure: Callable[[Path], None], more: str = "") -> Compare:
    """Return a comparison of what pdb2gmx makes of x.pdb, minimised, with atoms moved at random."""

    def compare(folder: Path) -> Compared:
        structure(folder / "x.pdb")
        options = "-f x.pdb -o x.gro -p x.top -i x.itp -water none -ignh -his"
        histidines = "0\n1\n2\n"  # hydrogen on ND1, on NE2, on both
        gmx.run(folder, f"pdb2gmx {options} -ff {force_field} {more}", answers=histidines)
        place = gmx.places_of(folder / "x.gro")
        gmx.write_places(folder / "x.gro", place + 20.0 - place.mean(axis=0), 40.0)
        gmx.minimise(folder)
        place = gmx.places_of(folder / "x.gro")
        place += np.random.default_rng(7).normal(scale=0.004, size=place.shape)
        gmx.write_places(folder / "x.gro", place, 40.0)
        return compared(folder)

    return compare


def kept(name: str) -> Compare:
    """Return a comparison of files in FINEGRAIN_REFERENCE_DATA, folder peer_inputs."""

    def compare(folder: Path) -> Compared:
        data = os.environ.get("FINEGRAIN_REFERENCE_DATA", "")
        found = [Path(data) / "peer_inputs" / f"gmx_{name}{end}" for end in (".top", "")]
        source = next((path for path in found if data and path.is_dir()), None)
        if source is None:
            raise MissingOwnerError("the input is in FINEGRAIN_REFERENCE_DATA only")
        for path in source.iterdir():
            if path.suffix in (".top", ".gro"):
                shutil.copy(path, folder / f"x{path.suffix}")
            elif path.is_file():
                shutil.copy(path, folder)
        return compared(folder)

    return compare


FAMILY = Family(
    name="GROMACS",
    owner="gmx_d",
    unit="kJ/mol",
    version=gmx.version,
    inputs={
        **{f"peptide of all residues, {name}": made(name, peptide()) for name in FORCE_FIELDS},
        **{f"DNA, {name}": made(name, dna) for name in WITH_DNA},
        **{
            f"virtual sites of hydrogens, {name}": made(
                name, peptide("ALA ALA"), "-vsite hydrogens"
            )
            for name in WITH_SITES
        },
        **{name: kept(name) for name in KEPT},
    },
)
