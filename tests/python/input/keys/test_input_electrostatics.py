# SPDX-License-Identifier: BSD-3-Clause
"""Ewald parameters and the dispersion correction agree with OpenMM's."""

import math

import numpy as np
import openmm
import pytest
from input_systems import Waters
from scipy import integrate

from finegrain.classical.division import electrostatics
from finegrain.classical.system.mixing import LennardJones
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol


@pytest.mark.parametrize("tolerance", [5e-4, 1e-5])
@pytest.mark.parametrize("edge", [1.864, 2.5])
def test_alpha_and_mesh_are_openmms(tolerance: float, edge: float) -> None:
    waters = Waters(edge=edge)
    waters.nonbonded.setEwaldErrorTolerance(tolerance)
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(waters.system, openmm.VerletIntegrator(0.001), platform)
    alpha, *mesh = waters.nonbonded.getPMEParametersInContext(context)
    ours = electrostatics.ewald_coefficient(tolerance, 0.8)
    assert ours == pytest.approx(alpha._value if hasattr(alpha, "_value") else alpha, rel=1e-12)
    wanted = electrostatics.mesh_for_tolerance(tolerance, ours, np.full(3, edge))
    # OpenMM takes any number of points; ours are rounded up to the next even one that is fast.
    assert wanted == tuple(electrostatics.smooth_size(points) for points in mesh)


def test_sizes_of_meshes_are_even_and_smooth() -> None:
    assert [electrostatics.smooth_size(n) for n in (1, 7, 11, 22, 63, 65, 121, 127)] == [
        *(2, 8, 12, 24, 64, 70, 126, 128)
    ]
    assert electrostatics.mesh_for_spacing(1.0, np.array([24.0, 24.1, 18.64])) == (24, 28, 20)


def test_the_error_of_the_direct_sum_is_that_of_charges_in_disorder() -> None:
    """Forces of all images beyond the cutoff, among charges at random positions."""
    random = np.random.default_rng(11)
    count, edge, cutoff, alpha = 400, 20.0, 6.0, 0.35
    charge = random.choice([-1.0, 1.0], count)
    squared = []
    for _ in range(4):
        position = random.uniform(0, edge, (count, 3))
        force = np.zeros((count, 3))
        for image in np.indices((3, 3, 3)).reshape(3, -1).T - 1:
            d = position[:, None] - position[None, :] + edge * image
            r = np.linalg.norm(d, axis=2)
            far = (r > cutoff) & (r < 2 * cutoff)  # the rest is smaller by 2e-5
            r[~far] = 1.0
            gauss = 2 * alpha / np.sqrt(np.pi) * np.exp(-((alpha * r) ** 2))
            pull = (np.vectorize(math.erfc)(alpha * r) / r + gauss) / r**2
            pairs = np.where(far, charge[:, None] * charge[None, :] * pull, 0.0)
            force += np.einsum("ij,ijk->ik", pairs, d)
        squared.append((force**2).sum(axis=1).mean())
    found = math.sqrt(float(np.mean(squared)))
    # The formula leaves out terms of order 1 / (alpha cutoff)^2, 23 % here.
    wanted = electrostatics.direct_force_error(charge, alpha, cutoff, edge**3)
    assert wanted == pytest.approx(found, rel=0.25)


def test_a_mesh_too_fine_by_far_needs_no_search() -> None:
    assert electrostatics.mesh_for_spacing(1e-9, np.full(3, 20.0)) == (16384, 16384, 16384)


@pytest.mark.parametrize("switch", [0.0, 0.6])
def test_the_dispersion_correction_is_openmms(switch: float) -> None:
    """The energy that OpenMM adds with the correction, in a mixture."""
    random = np.random.default_rng(7)
    count, edge, cutoff = 60, 2.4, 0.9
    sigma, epsilon = random.uniform(0.2, 0.4, count), random.uniform(0.1, 1.0, count)
    sigma[:20], epsilon[:20] = 0.3, 0.5  # several of one kind
    energies = []
    for corrected in (True, False):
        system, force = openmm.System(), openmm.NonbondedForce()
        for s, e in zip(sigma, epsilon, strict=True):
            system.addParticle(1.0)
            force.addParticle(0.0, s, e)
        system.setDefaultPeriodicBoxVectors((edge, 0, 0), (0, edge, 0), (0, 0, edge))
        force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
        force.setCutoffDistance(cutoff)
        force.setUseSwitchingFunction(switch > 0)
        force.setSwitchingDistance(switch)
        force.setUseDispersionCorrection(corrected)
        system.addForce(force)
        platform = openmm.Platform.getPlatformByName("Reference")
        context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
        context.setPositions(np.indices((5, 4, 3)).reshape(3, -1).T * 0.45)
        energies.append(context.getState(getEnergy=True).getPotentialEnergy()._value)
    ours, _ = electrostatics.dispersion_coefficients(
        LennardJones(sigma / bohr_in_nm, epsilon / hartree_in_kj_per_mol),
        cutoff / bohr_in_nm,
        switch / bohr_in_nm,
    )
    found = ours / (edge / bohr_in_nm) ** 3 * hartree_in_kj_per_mol
    # The difference of two energies loses some digits.
    assert found == pytest.approx(energies[0] - energies[1], rel=1e-9)


@pytest.mark.parametrize("switch", [0.0, 0.75])
def test_the_virial_beyond_the_cutoff_is_that_of_the_missing_forces(switch: float) -> None:
    """-(2 pi / 3) N rho r^3 d(u - S u)/dr, integrated over r; without a switch the textbook's tail.

    That is 16/3 pi rho^2 eps sig^3 (2/3 (sig/rc)^9 - (sig/rc)^3) V: Allen and Tildesley, Computer
    Simulation of Liquids, chapter 2.8.
    """
    sigma, epsilon, cutoff, count = 0.3, 0.7, 1.0, 50

    def missing(r: float) -> float:
        x = (r - switch) / (cutoff - switch)
        kept = 1 - x**3 * (10 - 15 * x + 6 * x * x)
        slope = -30 * x**2 * (1 - x) ** 2 / (cutoff - switch)
        u = 4 * epsilon * ((sigma / r) ** 12 - (sigma / r) ** 6)
        force = 4 * epsilon * (-12 * (sigma / r) ** 12 + 6 * (sigma / r) ** 6) / r
        return r**3 * (force - kept * force - slope * u)

    ratio = sigma / cutoff
    tail = 16 / 3 * np.pi * epsilon * sigma**3 * (2 / 3 * ratio**9 - ratio**3)
    if switch > 0:
        tail -= 2 / 3 * np.pi * integrate.quad(missing, switch, cutoff)[0]
    one = LennardJones(np.full(count, sigma), np.full(count, epsilon))
    energy, virial = electrostatics.dispersion_coefficients(one, cutoff, switch)
    assert virial == pytest.approx(count**2 * tail, rel=1e-9)
    if switch > 0:
        assert virial == energy  # the energy is smooth, and the virial its derivative
