# SPDX-License-Identifier: BSD-3-Clause
"""Runs under baths: two boxes of water and a Lennard-Jones fluid, from equilibrated states."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import openmm
from engine_jobs import WATER_BOX, job_from_state, make_job, state_of
from lennard_jones_fluid import CUTOFF, TEMPERATURE, fluid_files
from numpy.typing import NDArray
from openmm import app, unit

from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.runs.energies import read_energies

Array = NDArray[np.float64]
State = dict[str, Array]

RESCALING = {"ensemble": "npt", "barostat": "stochastic-rescaling", "barostat_time": "1 ps"}
PISTON = {
    "ensemble": "npt",
    "barostat": "langevin-piston",
    "thermostat": "velocity-rescaling",
    "piston_period": "0.5 ps",
}
MONTE_CARLO = {"ensemble": "npt", "barostat": "monte-carlo"}

# All pair forces end smoothly, so that pressure and energy agree.
NPT_FORCES: dict[str, Any] = {
    "cutoff": "8 Å",
    "switch": "7 Å",
    "electrostatics": "pme",
    "mesh": [28, 28, 28],
    "spline_order": 5,
    "ewald_coefficient": "0.38 1/Å",
}
# For a box of 19 Å.
SMALL_BOX = 1.87  # nm
SMALL_FORCES = NPT_FORCES | {
    "cutoff": "6 Å",
    "switch": "5 Å",
    "mesh": [24, 24, 24],
    "spline_order": 4,
    "ewald_coefficient": "0.5 1/Å",
}


def small_water_files(folder: Path) -> dict[str, str]:
    """Write the waters in a part of the stored box, with contacts at its faces; return [system]."""
    folder.mkdir(parents=True, exist_ok=True)
    box = app.PDBFile(str(WATER_BOX))
    modeller = app.Modeller(box.topology, box.positions)
    places = np.array(box.positions.value_in_unit(unit.nanometer))
    residues = list(box.topology.residues())
    oxygens = np.array([places[next(residue.atoms()).index] for residue in residues])
    inside = ((oxygens >= 0) & (oxygens < SMALL_BOX)).all(axis=1)
    modeller.delete([r for r, keep in zip(residues, inside, strict=True) if not keep])
    modeller.topology.setPeriodicBoxVectors(np.diag([SMALL_BOX] * 3) * unit.nanometer)
    system = app.ForceField("tip3p.xml").createSystem(
        modeller.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.6 * unit.nanometer
    )
    (folder / "water.xml").write_text(openmm.XmlSerializer.serialize(system))
    with (folder / "water.pdb").open("w") as file:
        app.PDBFile.writeFile(modeller.topology, modeller.positions, file)
    return {"topology": str(folder / "water.xml"), "coordinates": str(folder / "water.pdb")}


@dataclass
class Liquid:
    """What is run: a system, its forces, and its usual dynamics."""

    forces: dict[str, Any]
    timestep: float  # fs
    every: int  # steps between two rows of energies
    files: Callable[[Path], dict[str, str]] | None = None
    dynamics: dict[str, Any] = field(default_factory=dict)

    def job(self, folder: Path, dynamics: dict[str, Any], **others: Any) -> Job:
        """Make a job of this liquid with some steps."""
        own = {"timestep": f"{self.timestep} fs"} | self.dynamics
        forces = self.forces | others.pop("forces", {})
        if self.files is None:
            return make_job(folder, "water", forces, own | dynamics, **others)
        system = {"kind": "classical"} | self.files(folder)
        return make_job(folder, system["topology"], forces, own | dynamics, system=system, **others)

    def equilibrated(self, folder: Path, dynamics: dict[str, Any], picoseconds: float) -> State:
        """Return positions, velocities and box after a minimisation and a run from the files."""
        steps = round(picoseconds * 1000 / self.timestep)
        job = self.job(folder / "job", dynamics | {"steps": steps}, minimise={})
        _engine.run(str(job.path), str(folder / "out"), pes=1)
        checkpoint = folder / "out" / "checkpoint.h5"
        with h5py.File(checkpoint) as file:
            return state_of(checkpoint) | {"box": file["box"][...]}

    def rows(
        self,
        folder: Path,
        state: State,
        dynamics: dict[str, Any],
        picoseconds: float,
        forces: dict[str, Any] | None = None,
    ) -> dict[str, Array]:
        """Run from a state; return the rows of energies."""
        steps = round(picoseconds * 1000 / self.timestep)
        job = self.job(
            folder / "job",
            dynamics | {"steps": steps},
            forces=forces or {},
            output={"energy_interval": self.every, "trajectory_interval": 0},
            minimise={},  # without it the contacts in the files would be refused
        )
        start = job_from_state(job, folder / "start.h5", state, minimise="no")
        _engine.run(str(start.path), str(folder / "out"), pes=1)
        return dict(read_energies(folder / "out"))


WATER = Liquid(NPT_FORCES, timestep=2, every=24)
SMALL_WATER = Liquid(SMALL_FORCES, timestep=2, every=24, files=small_water_files)
ARGON = Liquid(
    {"cutoff": f"{CUTOFF!r} nm", "switch": "off", "electrostatics": "plain"},
    timestep=10,
    every=20,
    files=fluid_files,
    dynamics={"temperature": f"{TEMPERATURE!r} K"},
)
