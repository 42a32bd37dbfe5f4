# SPDX-License-Identifier: BSD-3-Clause
"""Boxes of water models with virtual sites, made by OpenMM."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import openmm
from engine_jobs import make_job
from numpy.typing import NDArray
from openmm import app, unit

from finegrain.classical.job import Job

EDGE = 2.1  # nm, for two patches along each axis
# Force field, shape of the molecule as OpenMM's Modeller names it.
MODELS = {
    "TIP4P-Ew": ("tip4pew.xml", "tip4pew"),
    "OPC": ("amber14/opc.xml", "tip4pew"),
    "TIP5P": ("tip5p.xml", "tip5p"),
    "every kind": ("tip5p.xml", "tip5p"),
}
FORCES = {
    "cutoff": "6 Å",
    "switch": "off",
    "electrostatics": "pme",
    "mesh": [36, 36, 36],
    "spline_order": 5,
    "ewald_coefficient": "0.5 1/Å",
}


@dataclass
class SiteSystem:
    """A System and whole molecules: positions in nm, float64, shape (particles, 3)."""

    system: openmm.System
    position: NDArray[np.float64]

    @property
    def sites(self) -> NDArray[np.int64]:
        """The indices of the virtual sites."""
        there = range(self.system.getNumParticles())
        return np.array([i for i in there if self.system.isVirtualSite(i)])

    def placed(self, position: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return positions (nm) with the sites where OpenMM puts them."""
        context = self.context(position)
        state = context.getState(getPositions=True)
        return np.asarray(state.getPositions(asNumpy=True).value_in_unit(unit.nanometer))

    def context(
        self, position: NDArray[np.float64], *, place: bool = True, platform: str = "Reference"
    ) -> openmm.Context:
        """Return a context with these positions."""
        context = openmm.Context(
            self.system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName(platform)
        )
        context.setPositions(position)
        if place:
            context.computeVirtualSites()
        return context

    def job(
        self,
        folder: Path,
        dynamics: dict[str, Any] | None = None,
        minimise: dict[str, Any] | None = None,
        **forces: Any,
    ) -> Job:
        """Write System and positions, and make their job."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "box.xml").write_text(openmm.XmlSerializer.serialize(self.system))
        state = self.context(self.position, place=False).getState(getPositions=True)
        (folder / "state.xml").write_text(openmm.XmlSerializer.serialize(state))
        files = {"kind": "classical", "topology": "box.xml", "coordinates": "state.xml"}
        others = {"minimise": minimise} if minimise else {}
        output = {"energy_interval": 10}
        return make_job(
            folder, "box.xml", FORCES | forces, dynamics, system=files, output=output, **others
        )


def site_system(model: str, edge: float = EDGE) -> SiteSystem:
    """Return a box of waters without overlaps, about 300 in the usual one."""
    name, shape = MODELS[model]
    field = app.ForceField(name)
    made = app.Modeller(app.Topology(), [])
    made.addSolvent(field, boxSize=openmm.Vec3(edge, edge, edge) * unit.nanometer, model=shape)
    system = field.createSystem(
        made.topology,
        nonbondedMethod=app.PME,
        nonbondedCutoff=0.6 * unit.nanometer,
        rigidWater=True,
    )
    if model == "every kind":
        _mix(system)
    result = SiteSystem(system, np.array(made.positions.value_in_unit(unit.nanometer)))
    context = result.context(result.position)
    openmm.LocalEnergyMinimizer.minimize(context, maxIterations=20)
    state = context.getState(getPositions=True)
    result.position = state.getPositions(asNumpy=True).value_in_unit(unit.nanometer)
    return result


def _mix(system: openmm.System) -> None:
    """Give the waters of TIP5P sites of every kind; every fourth water is flexible."""
    bonds = openmm.HarmonicBondForce()
    for index in reversed(range(system.getNumConstraints())):
        one, other, distance = system.getConstraintParameters(index)
        if (one // 5) % 4 == 0:
            system.removeConstraint(index)
            bonds.addBond(one, other, distance, 4e5)
    system.addForce(bonds)
    for first in range(0, system.getNumParticles(), 5):
        o, h1, h2, one, other = range(first, first + 5)
        if (first // 5) % 3 == 0:
            frame = ([1, 0, 0], [-1, 0.5, 0.5], [0, -1, 1])
            at = openmm.Vec3(-0.04, 0.01, 0.057)
            system.setVirtualSite(one, openmm.LocalCoordinatesSite([o, h1, h2], *frame, at))
            system.setVirtualSite(other, openmm.TwoParticleAverageSite(h1, o, -0.4, 1.4))
        elif (first // 5) % 3 == 1:
            system.setVirtualSite(
                other, openmm.ThreeParticleAverageSite(o, h2, h1, 1.4, -0.2, -0.2)
            )
