# SPDX-License-Identifier: BSD-3-Clause
"""Lennard-Jones forces written as formulas: what is understood, and what is refused by name."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import openmm
import pytest
from input_systems import (
    Waters,
    problems_of,
    replace_in,
    tip3p_epsilon,
    tip3p_sigma,
    water_input,
    write_waters,
)

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

Problems = Callable[..., list[Problem]]
Change = Callable[[openmm.CustomNonbondedForce, Waters], None]

TABLES = "(a/r6)^2-b/r6; r6=r^6; a=acoef(type1, type2); b=bcoef(type1, type2)"
OXYGEN, HYDROGEN = 0, 1  # and a type that no atom has
NOTHING = np.zeros((3, 3))


def tables(depth: float = tip3p_epsilon) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients of three types, of which only oxygen has a Lennard-Jones energy."""
    six, twelve = np.zeros((3, 3)), np.zeros((3, 3))
    six[OXYGEN, OXYGEN] = 4 * depth * tip3p_sigma**6
    twelve[OXYGEN, OXYGEN] = 4 * depth * tip3p_sigma**12
    return six, twelve


def with_table(waters: Waters, formula: str = TABLES) -> openmm.CustomNonbondedForce:
    """Give waters their Lennard-Jones energy by a table, in place of the NonbondedForce's."""
    force, (six, twelve) = openmm.CustomNonbondedForce(formula), tables()
    for name, table in (("acoef", np.sqrt(twelve)), ("bcoef", six)):
        force.addTabulatedFunction(name, openmm.Discrete2DFunction(3, 3, table.ravel()))
    force.addPerParticleParameter("type")
    for particle in range(waters.system.getNumParticles()):
        charge, *_ = waters.nonbonded.getParticleParameters(particle)
        waters.nonbonded.setParticleParameters(particle, charge, 1.0, 0.0)
        force.addParticle([HYDROGEN if particle % 3 else OXYGEN])
    for number in range(waters.nonbonded.getNumExceptions()):
        one, other, *_ = waters.nonbonded.getExceptionParameters(number)
        force.addExclusion(one, other)
    force.setNonbondedMethod(openmm.CustomNonbondedForce.CutoffPeriodic)
    force.setCutoffDistance(0.8)
    return force


def test_a_table_of_the_usual_rule_gives_parameters(tmp_path: Path, waters: Waters) -> None:
    force = with_table(waters)
    force.setUseSwitchingFunction(True)
    force.setSwitchingDistance(0.7)
    waters.system.addForce(force)
    prepared = prepare(write_waters(tmp_path, waters=waters))
    found = prepared.system.lennard_jones
    assert found.types is None
    assert found.sigma[0] * bohr_in_nm == pytest.approx(tip3p_sigma, rel=1e-12)
    assert found.epsilon[3] * hartree_in_kj_per_mol == pytest.approx(tip3p_epsilon, rel=1e-12)
    assert not found.epsilon[1::3].any()
    # Switch and tail are those of the force that has the energies.
    assert prepared.settings.switch_distance * bohr_in_nm == pytest.approx(0.7)
    assert prepared.settings.dispersion_coefficient == 0


def set_table(force: openmm.CustomNonbondedForce, name: str, table: np.ndarray) -> None:
    for number in range(force.getNumTabulatedFunctions()):
        if force.getTabulatedFunctionName(number) == name:
            force.getTabulatedFunction(number).setFunctionParameters(*table.shape, table.ravel())


def asymmetric(force: openmm.CustomNonbondedForce, _: Waters) -> None:
    six, twelve = tables()
    six[OXYGEN, HYDROGEN] = twelve[OXYGEN, HYDROGEN] = 1e-3
    set_table(force, "bcoef", six)
    set_table(force, "acoef", np.sqrt(twelve))


def no_cutoff(force: openmm.CustomNonbondedForce, _: Waters) -> None:
    force.setNonbondedMethod(openmm.CustomNonbondedForce.NoCutoff)


def depths_of_both(_: openmm.CustomNonbondedForce, waters: Waters) -> None:
    waters.nonbonded.setParticleParameters(0, -0.8, 0.3, 0.5)


def another_name(force: openmm.CustomNonbondedForce, _: Waters) -> None:
    force.setPerParticleParameterName(0, "kind")


def twice(force: openmm.CustomNonbondedForce, waters: Waters) -> None:
    waters.system.addForce(openmm.CustomNonbondedForce(force))


ANOTHER_CUTOFF = "a cutoff of Lennard-Jones other than that of the charges"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (asymmetric, "tables that do not fit"),
        (lambda force, _: force.setParticleParameters(7, [5]), "tables that do not fit"),
        (lambda force, _: force.setParticleParameters(7, [0.5]), "tables that do not fit"),
        (another_name, "CustomNonbondedForce without type"),
        (lambda force, _: set_table(force, "bcoef", NOTHING), "repulsion or attraction alone"),
        (lambda force, _: force.addExclusion(0, 3), "exclusions of its own"),
        (lambda force, _: force.setCutoffDistance(0.7), ANOTHER_CUTOFF),
        (no_cutoff, ANOTHER_CUTOFF),
        (lambda force, _: force.addInteractionGroup([0], [3, 6]), "InteractionGroups"),
        (depths_of_both, "Lennard-Jones energies from two forces"),
        (twice, "Lennard-Jones energies from two forces"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_by_name(
    problems: Problems, waters: Waters, change: Change, named: str
) -> None:
    force = with_table(waters)
    change(force, waters)
    waters.system.addForce(force)
    (found,) = problems(waters=waters)
    assert found.what == "is not supported"
    assert named in found.value
    assert found.hint


@pytest.mark.parametrize(
    "formula",
    [
        "-c/r^4; c=bcoef(type1, type2)+0*acoef(type1, type2)",
        TABLES.replace("r^6", "r^5"),
        TABLES.replace("-b", "+b"),
    ],
)
def test_other_formulas_are_refused(problems: Problems, waters: Waters, formula: str) -> None:
    waters.system.addForce(with_table(waters, formula))
    (found,) = problems(waters=waters)
    assert found.value == f"CustomNonbondedForce with the energy {formula}"


@pytest.mark.parametrize(("pair", "named"), [((0, 3), "atoms 1, 4"), ((0, 1), "atoms 1, 2")])
def test_a_pair_that_is_no_free_exception_is_refused(
    problems: Problems, waters: Waters, pair: tuple[int, int], named: str
) -> None:
    force = openmm.CustomBondForce("-C/r^6+A/r^12")
    for name in ("C", "A"):
        force.addPerBondParameter(name)
    for _ in range(2):  # the second time the exception has an energy already
        force.addBond(*pair, [1e-3, 1e-6])
    waters.system.addForce(force)
    (found,) = problems(waters=waters)
    assert named in found.value


def write_damaged(folder: Path, waters: Waters, old: str, new: str) -> Path:
    """Write waters with a table, a text of whose System is changed; return the input."""
    waters.system.addForce(with_table(waters))
    toml = write_waters(folder, waters=waters)
    replace_in(folder / "water.xml", old, new, 1)
    return toml


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('param1="1"', 'param1="1_0"', "is not a plain number"),
        ('<Value v="0"/>', '<Value v=".nan"/>', "is not a plain number"),
        ('xsize="3"', 'xsize="3.5"', "is not a whole number"),
        ("<Functions>", "<Tables/><Functions>", "is no part of CustomNonbondedForce"),
        ('useLongRangeCorrection="0"', 'useLongRangeCorection="0"', "is no attribute"),
    ],
)
def test_what_is_not_plain_in_the_file_is_named_with_its_line(
    tmp_path: Path, waters: Waters, old: str, new: str, what: str
) -> None:
    (found,) = problems_of(write_damaged(tmp_path, waters, old, new))
    assert what in found.what
    assert found.where.startswith("water.xml:")


@pytest.mark.parametrize("other", ["9999", "-1"])
def test_an_exclusion_of_no_particle_is_refused(tmp_path: Path, waters: Waters, other: str) -> None:
    old, new = '<Exclusion p1="0" p2="1"/>', f'<Exclusion p1="0" p2="{other}"/>'
    (found,) = problems_of(write_damaged(tmp_path, waters, old, new))
    assert found.value == "CustomNonbondedForce with exclusions of its own"


def test_a_switched_force_needs_a_switch_and_has_no_tail(problems: Problems) -> None:
    text = water_input.replace("[dynamics]", 'switching = "force"\n[dynamics]')
    (found,) = problems(text)
    assert (found.value, found.what) == ("forces.switching = force", "has no switch to apply to")
    (found,) = problems(text.replace("[dynamics]", 'switch = "7 Å"\n[dynamics]'))
    assert "dispersion_correction = false" in found.hint


def test_a_depth_out_of_range_names_two_atoms(problems: Problems, waters: Waters) -> None:
    force = with_table(waters)
    six, twelve = tables(1e9)
    six[OXYGEN, HYDROGEN] = six[HYDROGEN, OXYGEN] = 1e-3  # not the usual rule
    twelve[OXYGEN, HYDROGEN] = twelve[HYDROGEN, OXYGEN] = 1e-6
    set_table(force, "acoef", np.sqrt(twelve))
    set_table(force, "bcoef", six)
    waters.system.addForce(force)
    found = problems(waters=waters)
    assert any("pair of atom 1 (O of HOH 1)" in problem.value for problem in found)
