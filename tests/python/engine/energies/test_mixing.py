# SPDX-License-Identifier: BSD-3-Clause
"""Lennard-Jones with mixing rules and tables of pairs, from a System to energies and forces."""

from pathlib import Path

import h5py
import numpy as np
import openmm
import pytest
from systems import openmms, ours, write_system

from finegrain.classical.preparation.prepare import prepare

SIGMA = np.array([0.3, 0.24, 0.36])
EPSILON = np.array([0.6, 0.3, 0.9])
EDGE = 2.4
PLACES = np.indices((4, 4, 4)).reshape(3, -1).T * 0.6 + 0.05
POSITION = np.round(PLACES + np.random.default_rng(3).uniform(-0.12, 0.12, PLACES.shape), 4)
KIND = np.arange(len(POSITION)) % 3
EXCEPTIONS = [(0, 1), (1, 5), (8, 9)]
FORCES = """[forces]
precision = "double"
cutoff = "1 nm"
ewald_coefficient = "3.4 1/nm"
mesh = [32, 32, 32]
spline_order = 5
"""


def geometric() -> tuple[np.ndarray, np.ndarray]:
    return np.sqrt(SIGMA[:, None] * SIGMA), np.sqrt(EPSILON[:, None] * EPSILON)


def special() -> tuple[np.ndarray, np.ndarray]:
    """Lorentz-Berthelot, with one pair of types of its own (NBFIX)."""
    sigma, epsilon = 0.5 * (SIGMA[:, None] + SIGMA), np.sqrt(EPSILON[:, None] * EPSILON)
    sigma[0, 2] = sigma[2, 0] = 0.37
    epsilon[0, 2] = epsilon[2, 0] = 0.2
    return sigma, epsilon


def tabulated(formula: str, sigma: np.ndarray, epsilon: np.ndarray) -> openmm.CustomNonbondedForce:
    six, twelve = 4 * epsilon * sigma**6, 4 * epsilon * sigma**12
    force = openmm.CustomNonbondedForce(formula)
    a = np.sqrt(twelve) if "^2" in formula else twelve
    for name, table in (("acoef", a), ("bcoef", six)):
        force.addTabulatedFunction(name, openmm.Discrete2DFunction(3, 3, table.ravel()))
    force.addPerParticleParameter("type")
    for kind in KIND:
        force.addParticle([kind])
    return force


def of_readers_with_tables(formula: str) -> openmm.CustomNonbondedForce:
    return tabulated(formula, *special())


def of_atoms(formula: str) -> openmm.CustomNonbondedForce:
    force = openmm.CustomNonbondedForce(formula)
    names = ("C", "A") if "A1" in formula else ("epsilon", "sigma")
    for name in names:
        force.addPerParticleParameter(name)
    for kind in KIND:
        depth, size = EPSILON[kind], SIGMA[kind]
        powers = [np.sqrt(4 * depth * size**6), np.sqrt(4 * depth * size**12)]
        force.addParticle(powers if names[0] == "C" else [depth, size])
    return force


CASES = {
    "CHARMM's PSF": (
        of_readers_with_tables,
        "(a/r6)^2-b/r6; r6=r^6;a=acoef(type1, type2);b=bcoef(type1, type2)",
    ),
    "force field": (of_readers_with_tables, "acoef(type1, type2)/r^12 - bcoef(type1, type2)/r^6;"),
    "GROMACS": (of_atoms, "A1*A2/r^12-C1*C2/r^6"),
    "OPLS": (
        of_atoms,
        "4*epsilon*((sigma/r)^12-(sigma/r)^6); sigma=sqrt(sigma1*sigma2);"
        " epsilon=sqrt(epsilon1*epsilon2)",
    ),
    "Desmond": (
        of_atoms,
        "4.0*epsilon12*((sigma12/r)^12-(sigma12/r)^6); sigma12=sqrt(sigma1*sigma2);"
        " epsilon12=sqrt(epsilon1*epsilon2)",
    ),
}


def system_with(force: openmm.CustomNonbondedForce, pairs: openmm.CustomBondForce | None = None):
    """64 charged atoms in a box with Lennard-Jones by `force`, and some exceptions."""
    system, nonbonded = openmm.System(), openmm.NonbondedForce()
    vectors = EDGE * np.eye(3)
    system.setDefaultPeriodicBoxVectors(*vectors)
    for place in range(len(POSITION)):
        system.addParticle(12.0)
        nonbonded.addParticle(0.2 * (-1) ** place, 0.1, 0.0)
    for one, other in EXCEPTIONS:
        nonbonded.addException(one, other, 0.01, 1.0, 0.0)
        force.addExclusion(one, other)
    nonbonded.setNonbondedMethod(openmm.NonbondedForce.PME)
    nonbonded.setPMEParameters(3.4, 32, 32, 32)
    force.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffPeriodic)
    for each in (nonbonded, force):
        each.setCutoffDistance(1.0)
    system.addForce(nonbonded)
    system.addForce(force)
    if pairs is not None:
        system.addForce(pairs)
    return system


def agree(path: Path, system: openmm.System) -> None:
    energy, forces = ours(path)
    wanted, theirs = openmms(system, POSITION)
    assert energy == pytest.approx(wanted, rel=1e-8)
    assert np.abs(forces - theirs).max() < 1e-7 * np.abs(theirs).max()


@pytest.mark.parametrize("switched", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_mixing_rules_are_those_of_openmm(tmp_path: Path, case: str, switched: bool) -> None:
    make, formula = CASES[case]
    force = make(formula)
    force.setUseSwitchingFunction(switched)
    force.setSwitchingDistance(0.8)
    force.setUseLongRangeCorrection(not switched)
    system = system_with(force)
    path = write_system(tmp_path, system, POSITION, FORCES)
    agree(path, system)
    with h5py.File(tmp_path / "job.h5") as job:
        assert job["lennard_jones_types/sigma"].shape == (9,)


def test_a_table_of_the_usual_rule_takes_the_usual_way(tmp_path: Path) -> None:
    sigma, epsilon = 0.5 * (SIGMA[:, None] + SIGMA), np.sqrt(EPSILON[:, None] * EPSILON)
    force = tabulated("acoef(type1, type2)/r^12 - bcoef(type1, type2)/r^6", sigma, epsilon)
    system = system_with(force)
    path = write_system(tmp_path, system, POSITION, FORCES)
    assert prepare(path).system.lennard_jones.types is None
    agree(path, system)


@pytest.mark.parametrize(
    ("formula", "names", "values"),
    [
        ("-C/r^6+A/r^12", ("C", "A"), (4 * 0.5 * 0.3**6, 4 * 0.5 * 0.3**12)),
        ("2*epsilon*((sigma/r)^12-(sigma/r)^6)", ("sigma", "epsilon"), (0.3, 1.0)),
    ],
)
def test_pairs_beside_the_general_rule_have_openmms_energy(
    tmp_path: Path, formula: str, names: tuple[str, str], values: tuple[float, float]
) -> None:
    pairs = openmm.CustomBondForce(formula)
    for name in names:
        pairs.addPerBondParameter(name)
    pairs.addBond(5, 1, values)  # either order
    pairs.addBond(0, 1, values)
    pairs.setUsesPeriodicBoundaryConditions(True)
    system = system_with(of_atoms(CASES["GROMACS"][1]), pairs)
    path = write_system(tmp_path, system, POSITION, FORCES)
    agree(path, system)
    exceptions = prepare(path).system.terms["exceptions"]
    assert np.count_nonzero(exceptions["epsilon"]) == 2


@pytest.mark.parametrize("typed", [False, True])
def test_a_switched_force_is_charmms(tmp_path: Path, typed: bool) -> None:
    """CHARMM's VFSWITCH as a formula, from doi:10.1002/jcc.540150702."""
    on, off = 0.7, 1.0
    near = f"A*(r^-12-1/{on**6 * off**6})-B*(r^-6-1/{on**3 * off**3})"
    beyond = f"A*{off**6 / (off**6 - on**6)}*(r^-6-{off**-6})^2"
    beyond += f"-B*{off**3 / (off**3 - on**3)}*(r^-3-{off**-3})^2"
    formula = f"select(step({on}-r),{near},{beyond});"
    make = special if typed else geometric
    sigma, epsilon = make()
    if not typed:
        sigma = 0.5 * (SIGMA[:, None] + SIGMA)
    theirs = openmm.CustomNonbondedForce(formula + "A=acoef(type1,type2);B=bcoef(type1,type2)")
    for name, power in (("acoef", 12), ("bcoef", 6)):
        table = (4 * epsilon * sigma**power).ravel()
        theirs.addTabulatedFunction(name, openmm.Discrete2DFunction(3, 3, table))
    theirs.addPerParticleParameter("type")
    for kind in KIND:
        theirs.addParticle([kind])
    path = write_system(
        tmp_path,
        system_with(
            tabulated("acoef(type1, type2)/r^12 - bcoef(type1, type2)/r^6", sigma, epsilon)
        ),
        POSITION,
        FORCES + 'switch = "0.7 nm"\nswitching = "force"\n',
    )
    assert (prepare(path).system.lennard_jones.types is not None) == typed
    energy, forces = ours(path)
    wanted, others = openmms(system_with(theirs), POSITION)
    assert energy == pytest.approx(wanted, rel=1e-8)
    assert np.abs(forces - others).max() < 1e-7 * np.abs(others).max()
