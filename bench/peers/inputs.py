# SPDX-License-Identifier: BSD-3-Clause
"""Energies and forces of real inputs by finegrain, and by OpenMM that reads the same files.

Each folder in the given one has an in.toml. It is prepared and evaluated in double precision with
splines of order 5, and by OpenMM's Reference platform (double, order 5) with the same cutoff,
switch, mesh and screening. An input `agrees` if each energy and the forces (root mean square)
differ by less than 1e-6. Where OpenMM's readers give another system than finegrain's, the system
of finegrain's is evaluated by OpenMM, too: then it `agrees, read otherwise`. A cutoff that is too
long for the box becomes 8 Å. GROMACS's own force fields are looked for where GROMACS is installed
(GMXDATA).

Usage: inputs.py FOLDER [--out FILE] [--only NAME ...] [--most-atoms N]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import openmm
from numpy.typing import NDArray
from openmm import app

import finegrain as fg
from finegrain import units
from finegrain.base import cells
from finegrain.classical.input.load import load_input
from finegrain.classical.input.readers.forcefield import resolve
from finegrain.classical.input.readers.gromacs.reader import folders_of_gromacs
from finegrain.classical.job import Job
from finegrain.classical.preparation.job import checked_image
from finegrain.classical.preparation.prepare import Prepared, prepare_input
from finegrain.errors import InputError, NumericsError
from finegrain.units import bohr_in_nm

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests/python/engine"), str(ROOT / "bench")]

import stored  # noqa: E402
from openmm_reference import PAIR_FORCES, Reference, reference, set_tail  # noqa: E402

LIMIT = 1e-6
# Sums of each object are rounded to 2^-36 hartree, 4e-8 kJ/mol.
ROUNDING = 1e-6  # kJ/mol
SHORT = {  # where the input's cutoff is too long for its box
    "cutoff": units.parse_quantity("8 Å", units.length),
    "switch": units.parse_quantity("0 Å", units.length),
    "ewald_coefficient": units.parse_quantity("0.39 1/Å", units.inverse_length),
}
Forces = NDArray[np.float64]


def main() -> int:
    """Try all inputs, store what is found after each."""
    parser = argparse.ArgumentParser(description="Real inputs, by finegrain and by OpenMM.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "bench/results/inputs.json")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--most-atoms", type=int, default=30_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    before = stored.read(options.out) if options.out.exists() else {}
    entries = {entry["input"]: entry for entry in before.get("inputs", [])}
    for toml in sorted(options.folder.glob("*/in.toml")):
        name = toml.parent.name
        if options.only and name not in options.only:
            continue
        entries[name] = {"input": name, **tried(toml, options.most_atoms)}
        print(json.dumps(entries[name], ensure_ascii=False), flush=True)
        report = {
            "openmm": openmm.version.short_version,
            "inputs": [entries[n] for n in sorted(entries)],
        }
        stored.write(report, options.out)
    return int(any(entry["result"] == "differs" for entry in entries.values()))


def tried(toml: Path, most_atoms: int) -> dict[str, Any]:
    """Return what comes of an input: refused and why, or how far apart the two programs are."""
    found: dict[str, Any] = {}
    try:
        try:
            prepared = prepared_with(toml, {})
        except InputError as error:
            if error.problems[0].what != "too long for this box":
                raise
            prepared = prepared_with(toml, SHORT)
            found["cutoff"] = SHORT["cutoff"].text
        image = checked_image(prepared)
    except InputError as error:
        problem = error.problems[0]
        said = ": ".join(part for part in (problem.value, problem.what) if part)
        return {"result": "refused", "why": said, "limit": problem.limit, "hint": problem.hint}
    found["atoms"] = prepared.system.atoms
    if prepared.system.atoms > most_atoms:
        return {"result": "not compared", "why": f"more than {most_atoms:,} atoms", **found}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "job.h5"
        path.write_bytes(image)
        job = Job(path)
        try:
            ours = fg.energy(job, pes=1)
        except NumericsError as error:
            return {"result": "refused", "why": str(error).partition(" (limit")[0], **found}

        def apart(system: openmm.System) -> dict[str, Any]:
            return differences(ours, theirs(system, prepared, job), prepared)

        try:
            other = apart(read_by_openmm(prepared))
            if not other["beyond"]:
                return {"result": "agrees", **found, **other}
        except Exception as error:  # OpenMM raises what it likes
            other = {"raises": " ".join(str(error).split())[:200]}
        try:
            own = apart(openmm.XmlSerializer.deserialize(prepared.source.system_xml))
        except openmm.OpenMMException as error:
            return {"result": "not compared", "why": f"OpenMM: {error}", **found}
    result = "differs" if own["beyond"] else "agrees, read otherwise"
    return {"result": result, **found, **own, "as_openmm_reads": other}


def prepared_with(toml: Path, forces: dict[str, Any]) -> Prepared:
    """Prepare an input in double precision, with some other settings of the forces."""
    given = load_input(toml, strict=False)
    changed = {"spline_order": 5, "precision": "double"} | forces
    section = given.model.forces.model_copy(update=changed)
    given.model = given.model.model_copy(update={"forces": section})
    return prepare_input(given)


def differences(ours: fg.Energies, other: Reference, prepared: Prepared) -> dict[str, Any]:
    """Return the largest relative differences of energies and forces, and which are too large."""
    moved = ~prepared.system.sites.mask(prepared.system.atoms)  # OpenMM leaves forces on sites
    square = ((ours.forces - other.forces)[moved] ** 2).sum() / (other.forces[moved] ** 2).sum()
    terms = {name: energy for name, energy in ours.energies.items() if name != "total"}
    for name in other.energies:
        terms.setdefault(name, 0.0)
    both = {name: (energy, other.energies.get(name, 0.0)) for name, energy in terms.items()}
    both["total"] = ours.total, other.whole
    forces = float(np.sqrt(square))
    beyond: dict[str, Any] = {
        name: [mine, wanted]
        for name, (mine, wanted) in both.items()
        if abs(mine - wanted) > max(LIMIT * abs(wanted), ROUNDING)
    }
    if forces > LIMIT:
        beyond["forces"] = [forces, LIMIT]
    relative = [abs(mine / wanted - 1) for mine, wanted in both.values() if abs(wanted) > 1]
    return {
        "energy": max(relative, default=0.0),
        "forces": forces,
        "terms": sorted(name for name, energy in terms.items() if energy != 0),
        "beyond": beyond,
    }


def theirs(system: openmm.System, prepared: Prepared, job: Job) -> Reference:
    """Return OpenMM's answer at the settings and the positions of the job."""
    settings = prepared.settings
    periodic = settings.periodic
    if periodic:
        vectors = cells.vectors_of(job.box)
        system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in vectors))
    _rewrite_constants(system)
    kind = "PME" if settings.electrostatics == "pme" else "CutoffPeriodic"
    for force in system.getForces():
        if not isinstance(force, PAIR_FORCES):
            continue
        set_tail(force, settings.dispersion_coefficient != 0)
        if isinstance(force, openmm.NonbondedForce):
            force.setNonbondedMethod(getattr(force, kind if periodic else "NoCutoff"))
            force.setReactionFieldDielectric(settings.dielectric)
        else:
            force.setNonbondedMethod(force.CutoffPeriodic if periodic else force.NoCutoff)
    if not periodic:
        return reference(system, job.positions)
    return reference(
        system,
        job.positions,
        alpha=settings.ewald_coefficient / bohr_in_nm,
        mesh=settings.mesh,
        cutoff=settings.cutoff * bohr_in_nm,
        switch=settings.switch_distance * bohr_in_nm,
    )


def _rewrite_constants(system: openmm.System) -> None:
    """Write torsions of periodicity 0, which OpenMM refuses, as the constants that they are."""
    constants = openmm.RBTorsionForce()
    for force in system.getForces():
        if isinstance(force, openmm.PeriodicTorsionForce):
            for index in range(force.getNumTorsions()):
                *atoms, periodicity, phase, height = force.getTorsionParameters(index)
                if periodicity == 0:
                    force.setTorsionParameters(index, *atoms, 1, phase, 0.0)
                    energy = height._value * (1 + math.cos(phase._value))
                    constants.addTorsion(*atoms, energy, 0, 0, 0, 0, 0)
    if constants.getNumTorsions():
        system.addForce(constants)


def read_by_openmm(prepared: Prepared) -> openmm.System:
    """Return the System that OpenMM's own readers make of the files."""
    given = prepared.given
    section = given.model.system
    path = str(given.path_of(section.topology))
    rest = {"constraints": None, "rigidWater": False, "nonbondedMethod": app.NoCutoff}
    if prepared.source.family == "amber":
        return app.AmberPrmtopFile(path).createSystem(**rest)
    if prepared.source.family == "charmm":
        files = [str(given.path_of(name)) for name in section.parameters]
        return app.CharmmPsfFile(path).createSystem(app.CharmmParameterSet(*files), **rest)
    if prepared.source.family == "gromacs":
        folder = next(iter(folders_of_gromacs()), Path(path).parent)
        top = app.GromacsTopFile(path, includeDir=str(folder), defines={"FLEXIBLE": ""})
        return top.createSystem(**rest)
    read = app.PDBxFile if Path(path).suffix in (".cif", ".pdbx") else app.PDBFile
    return app.ForceField(*resolve(given)).createSystem(read(path).topology, **rest)


if __name__ == "__main__":
    sys.exit(main())
