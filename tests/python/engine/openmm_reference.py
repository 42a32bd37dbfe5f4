# SPDX-License-Identifier: BSD-3-Clause
"""Energies by term and forces from OpenMM's Reference platform, in double precision.

OpenMM reports one energy per force. The NonbondedForce is split by copies of the system in which
charges, well depths or exceptions are zero, and by its group for reciprocal space.

    ours                                            OpenMM
    bond, angle, torsion                            the force's own group
    exception (1-4 pairs)                           all particles without charge and well depth
    lennard-jones, dispersion                       no charges, no exceptions, without and with tail
    coulomb: pairs within the cutoff and what the   no well depths, no exceptions, direct part
      mesh has too much of excluded ones
    mesh: reciprocal sum and self energy            the same, reciprocal part
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import openmm
from numpy.typing import NDArray
from openmm import unit

KJ = unit.kilojoule_per_mole
# OpenMM's own constant, platforms/reference/include/SimTKOpenMMRealType.h: kJ/mol nm / e^2.
COULOMB = 138.93545764438198


@dataclass(frozen=True)
class Reference:
    """Energies in kJ/mol by our names; the part of "mesh" that is self energy; the energy of the
    whole system at once; forces in kJ/mol/nm."""

    energies: dict[str, float]
    self_energy: float
    whole: float
    forces: NDArray[np.float64]

    @property
    def total(self) -> float:
        return math.fsum(self.energies.values())


def reference(
    system: openmm.System,
    positions: Any,
    *,
    alpha: float | None = None,
    mesh: tuple[int, int, int] | None = None,
    cutoff: float | None = None,
    switch: float | None = None,
) -> Reference:
    """Evaluate a system at these positions.

    Parameters
    ----------
    alpha, mesh : 1/nm and points per axis of PME
    cutoff, switch : nm; a switch of 0 is none; None keeps the system's own
    """
    system = _copy(system)
    nonbonded = _nonbonded(system)
    if cutoff is not None:
        nonbonded.setCutoffDistance(cutoff)
    if switch is not None:
        nonbonded.setUseSwitchingFunction(switch > 0)
        nonbonded.setSwitchingDistance(switch if switch > 0 else nonbonded.getCutoffDistance() / 2)
    ewald = nonbonded.getNonbondedMethod() == openmm.NonbondedForce.PME
    if ewald:
        assert alpha is not None
        assert mesh is not None
        nonbonded.setPMEParameters(alpha, *mesh)

    energies: dict[str, float] = {}
    kinds = {
        "bond": openmm.HarmonicBondForce,
        "angle": openmm.HarmonicAngleForce,
        "torsion": openmm.PeriodicTorsionForce,
    }
    for name, kind in kinds.items():
        part = _copy(system)
        _keep(part, kind)
        energies[name] = _energy(part, positions) if part.getNumForces() else 0.0

    part = _only_nonbonded(system)
    _zero(part, charges=True, depths=True)
    energies["exception"] = _energy(part, positions)

    part = _only_nonbonded(system)
    _zero(part, charges=True, exceptions=True)
    with_tail = _energy(part, positions)
    _nonbonded(part).setUseDispersionCorrection(False)
    energies["lennard-jones"] = _energy(part, positions)
    energies["dispersion"] = with_tail - energies["lennard-jones"]

    part = _only_nonbonded(system)
    _zero(part, depths=True, exceptions=True)
    if ewald:
        # The group of the direct part is 0.
        _nonbonded(part).setReciprocalSpaceForceGroup(1)
        energies["coulomb"] = _energy(part, positions, group=0)
        energies["mesh"] = _energy(part, positions, group=1)
        self_energy = -COULOMB * float(alpha) / math.sqrt(math.pi) * _sum_of_squared_charges(part)
    else:
        energies["coulomb"] = _energy(part, positions)
        energies["mesh"] = self_energy = 0.0

    whole, forces = _state(system, positions, forces=True)
    return Reference(energies, self_energy, whole, forces)


def _copy(system: openmm.System) -> openmm.System:
    return openmm.XmlSerializer.deserialize(openmm.XmlSerializer.serialize(system))


def _nonbonded(system: openmm.System) -> openmm.NonbondedForce:
    return next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))


def _keep(system: openmm.System, kind: type) -> None:
    for index in reversed(range(system.getNumForces())):
        if not isinstance(system.getForce(index), kind):
            system.removeForce(index)


def _only_nonbonded(system: openmm.System) -> openmm.System:
    copied = _copy(system)
    _keep(copied, openmm.NonbondedForce)
    return copied


def _zero(
    system: openmm.System, *, charges: bool = False, depths: bool = False, exceptions: bool = False
) -> None:
    force = _nonbonded(system)
    for atom in range(force.getNumParticles()):
        charge, sigma, depth = force.getParticleParameters(atom)
        force.setParticleParameters(
            atom, 0 * charge if charges else charge, sigma, 0 * depth if depths else depth
        )
    if exceptions:
        for index in range(force.getNumExceptions()):
            first, second, product, sigma, depth = force.getExceptionParameters(index)
            force.setExceptionParameters(index, first, second, 0 * product, sigma, 0 * depth)


def _sum_of_squared_charges(system: openmm.System) -> float:
    force = _nonbonded(system)
    charges = (
        force.getParticleParameters(atom)[0].value_in_unit(unit.elementary_charge)
        for atom in range(force.getNumParticles())
    )
    return math.fsum(charge * charge for charge in charges)


def _energy(system: openmm.System, positions: Any, group: int | None = None) -> float:
    return _state(system, positions, group=group)[0]


def _state(
    system: openmm.System, positions: Any, *, forces: bool = False, group: int | None = None
) -> tuple[float, NDArray[np.float64]]:
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(positions)
    groups = -1 if group is None else {group}
    state = context.getState(getEnergy=True, getForces=forces, groups=groups)
    energy = state.getPotentialEnergy().value_in_unit(KJ)
    if not forces:
        return energy, np.zeros((0, 3))
    return energy, np.asarray(state.getForces(asNumpy=True).value_in_unit(KJ / unit.nanometer))
