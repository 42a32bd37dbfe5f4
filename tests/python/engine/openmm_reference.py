# SPDX-License-Identifier: BSD-3-Clause
"""Energies by term and forces from OpenMM's Reference platform, in double precision.

OpenMM reports one energy per force. The NonbondedForce is split by copies of the system in which
charges, well depths or exceptions are zero, and by its group for reciprocal space. Lennard-Jones
may also be in a CustomNonbondedForce, and that of single pairs in a CustomBondForce.

    ours                                            OpenMM
    bond, angle, torsion, improper, cmap            the forces of these kinds
    exception (1-4 pairs)                           all particles without charge and well depth
    lennard-jones, dispersion                       no charges, no exceptions, without and with tail
    coulomb: pairs within the cutoff and what the   no well depths, no exceptions, direct part
      mesh has too much of excluded ones
    mesh: reciprocal sum and self energy            the same, reciprocal part
"""

import copy
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import openmm
import pytest
from numpy.typing import NDArray
from openmm import unit

import finegrain as fg

KJ = unit.kilojoule_per_mole
# OpenMM's own constant, platforms/reference/include/SimTKOpenMMRealType.h: kJ/mol nm / e^2.
COULOMB = 138.93545764438198
PAIR_FORCES = (openmm.NonbondedForce, openmm.CustomNonbondedForce)


BONDED = {
    "bond": (openmm.HarmonicBondForce, openmm.CustomBondForce),
    "angle": (openmm.HarmonicAngleForce, openmm.CustomAngleForce),
    "torsion": (openmm.PeriodicTorsionForce, openmm.RBTorsionForce),
    "improper": (openmm.CustomTorsionForce,),
    "cmap": (openmm.CMAPTorsionForce,),
}


@dataclass(frozen=True)
class Reference:
    """Energies in kJ/mol by our names; the part of "mesh" that is self energy; the energy of the
    whole system at once; forces in kJ/mol/nm."""

    energies: dict[str, float]
    self_energy: float
    whole: float
    forces: NDArray[np.float64]
    mesh_forces: NDArray[np.float64]  # those of the reciprocal sum

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
    if _misses_pairs(system):
        return _in_a_rectangle(
            system, positions, alpha=alpha, mesh=mesh, cutoff=cutoff, switch=switch
        )
    return _evaluated(system, positions, alpha=alpha, mesh=mesh, cutoff=cutoff, switch=switch)


def _evaluated(
    system: openmm.System,
    positions: Any,
    *,
    alpha: float | None,
    mesh: tuple[int, int, int] | None,
    cutoff: float | None,
    switch: float | None,
) -> Reference:
    system = _copy(system)
    nonbonded = _nonbonded(system)
    for force in _pair_forces(system):
        if cutoff is not None:
            force.setCutoffDistance(cutoff)
        if switch is not None:
            force.setUseSwitchingFunction(switch > 0)
            force.setSwitchingDistance(switch if switch > 0 else force.getCutoffDistance() / 2)
    ewald = nonbonded.getNonbondedMethod() == openmm.NonbondedForce.PME
    if ewald:
        assert alpha is not None
        assert mesh is not None
        nonbonded.setPMEParameters(alpha, *mesh)

    energies: dict[str, float] = {}
    for name, kinds in BONDED.items():
        part = _keep(
            system, lambda force, kinds=kinds: isinstance(force, kinds) and not _pairs(force)
        )
        energies[name] = _energy(part, positions) if part.getNumForces() else 0.0

    part = _keep(system, lambda force: isinstance(force, openmm.NonbondedForce) or _pairs(force))
    _zero(part, charges=True, depths=True)
    energies["exception"] = _energy(part, positions)

    part = _keep(system, lambda force: isinstance(force, PAIR_FORCES))
    _zero(part, charges=True, exceptions=True)
    with_tail = _energy(part, positions)
    for force in _pair_forces(part):
        set_tail(force, False)
    energies["lennard-jones"] = _energy(part, positions)
    energies["dispersion"] = with_tail - energies["lennard-jones"]

    part = _keep(system, lambda force: isinstance(force, openmm.NonbondedForce))
    _zero(part, depths=True, exceptions=True)
    if ewald:
        _nonbonded(part).setForceGroup(0)  # of the direct part
        _nonbonded(part).setReciprocalSpaceForceGroup(1)
        energies["coulomb"] = _energy(part, positions, group=0)
        energies["mesh"], of_mesh = _state(part, positions, forces=True, group=1)
        self_energy = -COULOMB * float(alpha) / math.sqrt(math.pi) * _sum_of_squared_charges(part)
    else:
        energies["coulomb"] = _energy(part, positions)
        energies["mesh"] = self_energy = 0.0
        of_mesh = np.zeros((0, 3))

    whole, forces = _state(system, positions, forces=True)
    return Reference(energies, self_energy, whole, forces, of_mesh)


def relative_rms(forces: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    """Return the root mean square deviation over the root mean square of `exact`."""
    return float(np.sqrt(((forces - exact) ** 2).sum() / (exact**2).sum()))


def assert_agreement(ours: fg.Energies, theirs: Reference) -> None:
    """Compare every energy, the reciprocal sum without its constant, and the forces: 1e-6."""
    for term, wanted in theirs.energies.items():
        # The engine rounds the sums of each object to 4e-8 kJ/mol.
        assert ours.energies.get(term, 0.0) == pytest.approx(wanted, rel=1e-6, abs=1e-6), term
    assert ours.energies.keys() <= theirs.energies.keys() | {"total", "restraint"}
    waves = theirs.energies["mesh"] - theirs.self_energy
    assert ours.energies.get("mesh", 0.0) - theirs.self_energy == pytest.approx(waves, rel=1e-6)
    assert ours.total == pytest.approx(theirs.whole, rel=1e-6)
    assert relative_rms(ours.forces, theirs.forces) <= 1e-6


def _misses_pairs(system: openmm.System) -> bool:
    """Return whether OpenMM 8.6's Reference platform misses pairs in the system's cell.

    It does in a rhombic dodecahedron, a = (x, 0, 0), b = (0, y, 0), c = (±x, ±y, 2 z) / 2; its CPU
    platform and a sum over images find them.
    """
    a, b, c = (np.array(row._value) for row in system.getDefaultPeriodicBoxVectors())
    halves = np.abs(c[:2]) / [a[0], b[1]]
    return np.allclose(halves, 0.5, atol=1e-3) and abs(b[0]) < 1e-3 * a[0]


def _in_a_rectangle(system: openmm.System, positions: Any, **settings: Any) -> Reference:
    """Evaluate a system twice in the rectangular cell of twice the height: its pairs are the same.

    The reciprocal sum, which has another mesh there, and the dispersion beyond the cutoff, where
    OpenMM counts atoms as pairs, too, are taken from the system's own cell.
    """
    own = _evaluated(system, positions, **settings)
    places = np.asarray(positions)
    a, b, c = (np.array(row._value) for row in system.getDefaultPeriodicBoxVectors())
    twice = doubled(system)
    twice.setDefaultPeriodicBoxVectors(a, b, 2 * c - np.sign(c[0]) * a - np.sign(c[1]) * b)
    both = _evaluated(twice, np.concatenate([places, places + c]), **settings)
    elsewhere = ("mesh", "dispersion")
    energies = {name: energy / 2 for name, energy in both.energies.items()}
    energies |= {name: own.energies[name] for name in elsewhere}
    forces = both.forces[: len(places)]
    if len(own.mesh_forces):
        forces = forces - both.mesh_forces[: len(places)] + own.mesh_forces
    whole = (both.whole - sum(both.energies[name] for name in elsewhere)) / 2
    whole += sum(own.energies[name] for name in elsewhere)
    return Reference(energies, own.self_energy, whole, forces, own.mesh_forces)


def doubled(system: openmm.System) -> openmm.System:
    """Return a system of twice the atoms, where the second half is like the first."""
    root = ET.fromstring(openmm.XmlSerializer.serialize(system))
    atoms = system.getNumParticles()
    lists = ("Particles", "Constraints", "Bonds", "Angles", "Torsions", "Exceptions", "Exclusions")
    for parent in [found for name in lists for found in root.iter(name)]:
        for item in [copy.deepcopy(item) for item in parent]:
            for element in item.iter():  # a particle may hold a virtual site
                for name, value in element.attrib.items():
                    if re.fullmatch(r"[pab]\d", name):
                        element.set(name, str(int(value) + atoms))
            parent.append(item)
    return openmm.XmlSerializer.deserialize(ET.tostring(root, encoding="unicode"))


def _copy(system: openmm.System) -> openmm.System:
    return openmm.XmlSerializer.deserialize(openmm.XmlSerializer.serialize(system))


def _nonbonded(system: openmm.System) -> openmm.NonbondedForce:
    return next(f for f in system.getForces() if isinstance(f, openmm.NonbondedForce))


def _pair_forces(system: openmm.System) -> list[Any]:
    return [force for force in system.getForces() if isinstance(force, PAIR_FORCES)]


def set_tail(force: Any, on: bool) -> None:
    if isinstance(force, openmm.NonbondedForce):
        force.setUseDispersionCorrection(on)
    else:
        force.setUseLongRangeCorrection(on)


def _pairs(force: openmm.Force) -> bool:
    """Return whether a force is Lennard-Jones of single pairs."""
    return isinstance(force, openmm.CustomBondForce) and "^12" in force.getEnergyFunction()


def _keep(system: openmm.System, wanted: Callable[[openmm.Force], bool]) -> openmm.System:
    """Return a copy of the system with some of its forces."""
    part = _copy(system)
    for index in reversed(range(part.getNumForces())):
        if not wanted(part.getForce(index)):
            part.removeForce(index)
    return part


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
