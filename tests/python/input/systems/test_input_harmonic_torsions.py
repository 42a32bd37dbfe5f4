# SPDX-License-Identifier: BSD-3-Clause
"""A CustomTorsionForce is read if it is a harmonic torsion, and refused with its energy if not."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openmm
import pytest
from input_systems import Waters, prepared_with, problems_of, replace_in, write_waters

from finegrain.classical.preparation.notes import notes_of
from finegrain.errors import Problem
from finegrain.units import hartree_in_kj_per_mol

Problems = Callable[..., list[Problem]]

folded = "min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); pi = 3.141593"
of_parmed = (
    "dtheta_torus^2;dtheta_torus = dtheta - floor(dtheta/(2*pi)+0.5)*(2*pi);"
    "dtheta = theta - theta0;pi = 3.141593"
)
of_gromacs = (
    "(thetap-theta0)^2; thetap = step(-(theta-theta0+pi))*2*pi+theta+step(theta-theta0-pi)*(-2*pi);"
    " pi = 3.14159265358979"
)
of_amber = f"min(dtheta, 2*{math.pi}-dtheta)^2; dtheta = abs(theta-theta0)"


def custom(energy: str, names: tuple[str, ...] = ("k", "theta0"), **values: float) -> Any:
    force = openmm.CustomTorsionForce(energy)
    for name in names:
        force.addPerTorsionParameter(name)
    given = {"k": 40.0, "theta0": 0.5} | values
    force.addTorsion(0, 3, 6, 9, [given[name] for name in names])
    return force


@pytest.mark.parametrize("shape", [folded, of_parmed, of_gromacs, of_amber])
@pytest.mark.parametrize(("start", "factor"), [("k*", 2), ("0.5*k*", 1), (" 0.50 * k * ", 1)])
def test_forms_of_programs_are_harmonic(
    tmp_path: Path, shape: str, start: str, factor: int
) -> None:
    table = prepared_with(tmp_path, custom(start + shape)).system.terms["harmonic_torsions"]
    assert table.atoms.tolist() == [[0, 3, 6, 9]]
    assert table["angle"].tolist() == [0.5]
    assert table["stiffness"] * hartree_in_kj_per_mol == pytest.approx([40 * factor])


def test_parameters_go_by_their_names_and_forces_add_up(tmp_path: Path) -> None:
    one, other = custom("k*" + folded, ("theta0", "k")), custom("0.5*k*" + of_gromacs, k=3.0)
    table = prepared_with(tmp_path, one, other).system.terms["harmonic_torsions"]
    assert len(table) == 2
    assert table["angle"].tolist() == [0.5, 0.5]
    assert table["stiffness"] * hartree_in_kj_per_mol == pytest.approx([80, 3])


def test_pi_may_be_a_global_parameter(tmp_path: Path) -> None:
    force = custom("k*min(dtheta,2*pi-dtheta)^2;dtheta=abs(theta-theta0)")
    force.addGlobalParameter("pi", math.pi)
    assert len(prepared_with(tmp_path, force).system.terms["harmonic_torsions"]) == 1


@pytest.mark.parametrize(("angle", "notes"), [(0.0, 0), (0.5, 1)])
def test_forms_that_jump_are_noted_unless_periodic(
    tmp_path: Path, angle: float, notes: int
) -> None:
    found = prepared_with(tmp_path, custom("k*(theta-theta0)^2", theta0=angle))
    assert len(found.system.terms["harmonic_torsions"]) == 1
    said = [note for note in notes_of(found) if "k*(theta-theta0)^2" in note]
    assert len(said) == notes
    assert all("periodic here" in note for note in said)


@pytest.mark.parametrize(
    ("energy", "names"),
    [
        ("k*(1+cos(theta-theta0))", ("k", "theta0")),
        ("k*(theta-theta0)^3", ("k", "theta0")),
        ("2*k*(theta-theta0)^2", ("k", "theta0")),
        ("k*(theta-theta0)^2", ("k", "theta0", "n")),
        ("k*(theta-theta0)^2; k = 3", ("k", "theta0")),
        ("c*(theta-theta0)^2", ("c", "theta0")),
        ("k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0); pi = 3", ("k", "theta0")),
        ("k*min(dtheta, 2*pi-dtheta)^2; dtheta = abs(theta-theta0)", ("k", "theta0")),
        ("k*min(dtheta, 2*pi-dtheta)^2; dtheta = theta-theta0; pi = 3.141593", ("k", "theta0")),
    ],
)
def test_another_energy_is_refused_and_shown(
    problems: Problems, waters: Waters, energy: str, names: tuple[str, ...]
) -> None:
    waters.system.addForce(custom(energy, names, n=1.0, c=1.0))
    (found,) = problems(waters=waters)
    assert found.what == "is not supported"
    assert found.value == f"CustomTorsionForce with the energy {energy}"
    assert "harmonic torsions" in found.limit
    assert found.hint


def test_global_parameters_are_refused(problems: Problems, waters: Waters) -> None:
    force = custom("0.5*k*(theta-theta0)^2", ("theta0",))
    force.setName("restraint")
    force.addGlobalParameter("k", 50.0)
    waters.system.addForce(force)
    (found,) = problems(waters=waters)
    energy = "0.5*k*(theta-theta0)^2"
    assert found.value == (
        f"CustomTorsionForce (restraint) with the energy {energy}; global parameters k = 50"
    )


def test_degrees_in_the_place_of_radians_are_found(problems: Problems, waters: Waters) -> None:
    waters.system.addForce(custom("k*" + folded, theta0=180.0))
    (found,) = problems(waters=waters)
    assert found.what == "has an angle out of range"
    assert found.value.endswith("angle 180 rad")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('param2=".5"', 'param2=".nan"', "is not a plain number"),
        ('param2=".5"', "", "lacks an attribute"),
        ('param2=".5"', 'param2=".5" param3="1"', "is no attribute of Torsion"),
        ('p4="9"', 'p4="9.5"', "is not a whole number"),
        ('p4="9"', 'p4="648"', "names an atom that does not exist"),
        ("<Torsions>", "<Tortions>", "is no part of CustomTorsionForce"),
        ('<Parameter name="k"/>', '<Parameters name="k"/>', "is no part of PerTorsionParameters"),
        ('default="3.14"', 'default="3_1"', "is not a plain number"),
        ('default="3.14"', 'defaults="3.14"', "lacks an attribute"),
    ],
)
def test_damaged_xml_is_told(tmp_path: Path, waters: Waters, old: str, new: str, said: str) -> None:
    force = custom("k*" + folded)
    force.addGlobalParameter("pi", 3.14)
    waters.system.addForce(force)
    toml = write_waters(tmp_path, waters=waters)
    replace_in(tmp_path / "water.xml", old, new)
    if new == "<Tortions>":
        replace_in(tmp_path / "water.xml", "</Torsions>", "</Tortions>")
    found = problems_of(toml)[0]
    assert found.what == said
    assert found.where.startswith("water.toml:" if "atom" in said else "water.xml:")
