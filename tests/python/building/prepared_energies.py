# SPDX-License-Identifier: BSD-3-Clause
"""Energies of a prepared system, by finegrain and by OpenMM's Reference platform."""

import re
import tomllib
from pathlib import Path

import numpy as np
import openmm
from openmm import app, unit
from openmm_reference import PAIR_FORCES, Reference, reference, set_tail

import finegrain as fg

ALPHA = 3.2  # 1/nm
MESH = (40, 40, 40)


def energies_beside_openmm(source: Path, *, charmm: bool = False) -> tuple[fg.Energies, Reference]:
    """Return the energies of the system of a prepared input, in double precision.

    OpenMM has no switch of the force, as CHARMM has it: both go without it.
    """
    text = source.read_text()
    system = tomllib.loads(text)["system"]
    forces = re.sub(r"(switch|switching|mesh_spacing) = .*\n", "", text.partition("[dynamics]")[0])
    more = f'mesh = {list(MESH)}\nspline_order = 5\newald_coefficient = "{ALPHA} 1/nm"\n'
    own = source.with_name(f"{source.stem}-energies.toml")
    own.write_text(f'{forces}{more}precision = "double"\n')
    ours = fg.energy(own)
    # The places of the file, with sites where they belong.
    places = fg.load(own, own.with_suffix(".h5"), overwrite=True).positions
    file = app.PDBFile(str(source.with_name(system["topology"])))
    written = file.getPositions(asNumpy=True).value_in_unit(unit.nanometer)
    assert np.abs(places - written).max() < 3e-4  # 0.001 Å in it, for three parents of a site
    made = _system(source, file, charmm=charmm)
    theirs = reference(made, places, alpha=ALPHA, mesh=MESH)
    sites = [at for at in range(made.getNumParticles()) if made.isVirtualSite(at)]
    theirs.forces[sites] = 0  # the parents have them, too
    return ours, theirs


def _system(source: Path, file: app.PDBFile, *, charmm: bool) -> openmm.System:
    names = tomllib.loads(source.read_text())["system"]["forcefield"]
    beside = [source.parent / name for name in names]
    files = [str(one) if one.exists() else name for one, name in zip(beside, names, strict=True)]
    made = app.ForceField(*files).createSystem(
        file.topology,
        nonbondedMethod=app.PME,
        nonbondedCutoff=(1.2 if charmm else 0.9) * unit.nanometer,
        constraints=app.HBonds,
    )
    kinds = [type(force) for force in made.getForces()]
    made.removeForce(kinds.index(openmm.CMMotionRemover))
    for force in made.getForces():
        if charmm and isinstance(force, PAIR_FORCES):
            set_tail(force, False)  # as in the input
    return made
