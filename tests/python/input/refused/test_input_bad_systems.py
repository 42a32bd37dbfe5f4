# SPDX-License-Identifier: BSD-3-Clause
"""Systems that cannot be run, each refused with what, where and a remedy."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from input_systems import Waters, reference_platform, water_input, write_waters

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import Problem

Problems = Callable[..., list[Problem]]


def test_masses_that_are_not_positive_are_named(problems: Problems, waters: Waters) -> None:
    waters.system.setParticleMass(4, 0.0)
    for _ in range(3):  # an atom without mass may not be constrained
        waters.system.removeConstraint(3)
    waters.system.setParticleMass(9, -1.0)
    (found,) = problems(waters=waters)
    assert found.what == "has no mass"
    assert found.value == "atom 5 (H1 of HOH 2): 0 Da, and 1 more"
    assert found.limit == "more than 0 Da"
    assert found.where == "water.toml:3"
    assert found.hint


def test_odd_positions_are_named(problems: Problems, waters: Waters, tmp_path: Path) -> None:
    waters.write(tmp_path)
    state = openmm.Context(waters.system, openmm.VerletIntegrator(0.001), reference_platform())
    waters.position[7, 1] = np.nan
    state.setPositions(waters.position)
    found_state = state.getState(getPositions=True)
    (tmp_path / "state.xml").write_text(openmm.XmlSerializer.serialize(found_state))
    (found,) = problems(water_input.replace("water.pdb", "state.xml"))
    assert found.what == "is not a plain number"
    assert found.value == "Position y = NaN"
    number = int(found.where.removeprefix("state.xml:"))
    written = (tmp_path / "state.xml").read_text().splitlines()
    assert "NaN" in written[number - 1]


def test_overlapping_atoms_are_named(problems: Problems, waters: Waters) -> None:
    waters.position[3:6] = waters.position[0:3] + np.array([0.001, 0, 0])
    (found,) = problems(waters=waters)
    assert "overlap, 0.01 Å apart" in found.what
    assert found.value == "atom 1 (O of HOH 1) and atom 4 (O of HOH 2)"
    assert found.limit == "1.305 Å; 2 more such pairs"
    assert "doubled" in found.hint
    assert "minimise" in found.hint


def test_atoms_that_overlap_across_the_box_are_found(problems: Problems, waters: Waters) -> None:
    last = len(waters.position) - 3
    waters.position[last:] = waters.position[0:3] + 1.864
    (found,) = problems(waters=waters)
    assert "overlap" in found.what
    assert found.value.startswith("atom 1 (O of HOH 1)")


def test_another_count_of_atoms_is_told(problems: Problems, waters: Waters, tmp_path: Path) -> None:
    small = Waters(side=3, edge=0.93)
    waters.write(tmp_path)
    (tmp_path / "water.pdb").rename(tmp_path / "other.pdb")
    (found,) = problems(water_input.replace("water.pdb", "other.pdb"), small)
    assert found.what == "648 atoms, but the topology has 81"
    assert found.value == "system.coordinates = other.pdb"
    assert found.where == "water.toml:4"


def test_a_cutoff_beyond_half_the_box_is_reported(problems: Problems) -> None:
    (found,) = problems(water_input.replace("8 Å", "12 Å"))
    assert (found.where, found.value) == ("water.toml:8", "forces.cutoff = 12 Å")
    assert "half the shortest box height (18.64 Å)" in found.limit
    assert "9 Å" in found.hint


def test_a_cutoff_is_held_against_a_tilted_cells_widths(problems: Problems, waters: Waters) -> None:
    """The edge along x is 18.64 Å, but faces are 18.64 cos(26.6 degrees) = 16.67 Å apart."""
    waters.set_box(1.864 * np.array([[1, 0, 0], [0.5, 1, 0], [0, 0, 1]]))
    (found,) = problems(water_input.replace("8 Å", "9 Å"), waters=waters)
    assert found.what == "too long for this box"
    assert "half the shortest box height (16.67 Å)" in found.limit


flat = '[["18 Å", "0 Å", "0 Å"], ["0 Å", "18 Å", "0 Å"], ["9 Å", "9 Å", "0 Å"]]'


@pytest.mark.parametrize(
    ("box", "what"),
    [
        ('["18 Å", "18 Å"]', "is not a box"),
        ('"18 Å"', "is not a box"),
        ('["18 Å", "18 Å", ["1 Å", "2 Å", "3 Å"]]', "is not a box"),
        ('["18 Å", "18 Å", "18 Å", "90", "90", "90"]', "has no unit"),
        ('["18 Å", "18 Å", "18 Å", "60°", "60°", "125°"]', "has angles that no cell has"),
        ('["18 Å", "18 Å", "18 Å", "60°", "60°", "0°"]', "must be positive"),
        ('["18 Å", "18 Å", "18 Å", "60 Å", "60°", "60°"]', "is not the unit of an angle"),
        ('[["18 Å", "0 Å", "0 Å"], ["0", "1 Å", "1 Å"], ["1 Å", "0 Å", "0 Å"]]', "has no unit"),
        (flat, "is not a box: its vectors span no volume"),
    ],
)
def test_a_box_that_is_none_is_reported(problems: Problems, box: str, what: str) -> None:
    found = problems(water_input.replace("\n[forces]", f"box = {box}\n[forces]"))
    assert what in found[0].what
    assert found[0].hint


def test_the_systems_cutoff_is_held_against_the_box_too(problems: Problems, waters: Waters) -> None:
    waters.nonbonded.setCutoffDistance(1.0)
    waters.set_box(2.1 * np.eye(3))  # OpenMM itself refuses boxes below twice the cutoff
    text = water_input.replace('cutoff = "8 Å"\n', "")
    text = text.replace("[forces]", 'box = ["18.64 Å", "18.64 Å", "18.64 Å"]\n[forces]')
    (found,) = problems(text, waters)
    assert found.value == "forces.cutoff = 10 Å (the System)"


def _custom_bond() -> Any:
    force = openmm.CustomBondForce("r")
    force.addBond(0, 3, [])
    return force


def _cosine_angle() -> Any:
    """GROMOS's angle, but with k in the place of k/2."""
    force = openmm.CustomAngleForce("k*(cos(theta)-cos(theta0))^2")
    for name in ("theta0", "k"):
        force.addPerAngleParameter(name)
    force.addAngle(1, 0, 2, [1.9, 100.0])
    return force


@pytest.mark.parametrize(
    ("force", "name"),
    [
        (_custom_bond(), "CustomBondForce with the energy r"),
        (_cosine_angle(), "CustomAngleForce with the energy k*(cos(theta)-cos(theta0))^2"),
        (openmm.CustomExternalForce("x"), "CustomExternalForce with the energy x"),
        (openmm.GBSAOBCForce(), "GBSAOBCForce"),
        (openmm.MonteCarloBarostat(1.0, 300.0), "MonteCarloBarostat"),
        (openmm.MonteCarloAnisotropicBarostat((1, 1, 1), 300.0), "MonteCarloAnisotropicBarostat"),
        (openmm.AndersenThermostat(300.0, 1.0), "AndersenThermostat"),
        (openmm.DrudeForce(), "DrudeForce"),
        (openmm.AmoebaMultipoleForce(), "AmoebaMultipoleForce"),
    ],
)
def test_a_force_that_the_engine_does_not_have_is_refused_by_name(
    problems: Problems, waters: Waters, force: Any, name: str
) -> None:
    waters.system.addForce(force)
    (found,) = problems(waters=waters)
    assert found.what == "is not supported"
    assert found.value == name
    assert found.where == "water.toml:3"
    assert "NonbondedForce" in found.limit
    assert found.hint


def _ljpme(waters: Waters) -> None:
    waters.nonbonded.setNonbondedMethod(openmm.NonbondedForce.LJPME)


def _offset(waters: Waters) -> None:
    waters.nonbonded.addGlobalParameter("lambda", 1.0)
    waters.nonbonded.addParticleParameterOffset("lambda", 0, 1.0, 0.0, 0.0)


def _virtual_site(waters: Waters) -> None:
    for _ in range(3):
        waters.system.removeConstraint(0)
    waters.system.setParticleMass(0, 0.0)
    rows = [openmm.Vec3(*row) for row in np.eye(3)]
    site = openmm.SymmetrySite(1, *rows, openmm.Vec3(0, 0, 0), True)
    waters.system.setVirtualSite(0, site)


def _second(waters: Waters) -> None:
    waters.system.addForce(openmm.XmlSerializer.clone(waters.nonbonded))


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (_ljpme, "NonbondedForce with LJPME"),
        (_offset, "NonbondedForce with ParticleOffsets"),
        (_virtual_site, "virtual sites (SymmetrySite"),
        (_second, "2 NonbondedForces in one System"),
    ],
)
def test_a_setting_that_the_engine_does_not_have_is_refused_once_by_name(
    problems: Problems, waters: Waters, change: Callable[[Waters], None], name: str
) -> None:
    change(waters)
    (found,) = problems(waters=waters)
    assert found.what == "is not supported"
    assert found.value.startswith(name)
    assert found.hint


def test_several_refusals_come_together(problems: Problems, waters: Waters) -> None:
    waters.system.addForce(openmm.GBSAOBCForce())
    waters.system.addForce(_custom_bond())
    waters.position[3:6] = waters.position[0:3]
    found = problems(water_input + "frction = 1\n", waters)
    assert len(found) == 4


def test_constraints_that_tie_up_a_chain_are_refused(problems: Problems, waters: Waters) -> None:
    for molecule in range(24):
        a, b = 3 * molecule, 3 * molecule + 3
        apart = float(np.linalg.norm(waters.position[a] - waters.position[b]))
        waters.system.addConstraint(a, b, apart)
    found = problems(waters=waters)[0]
    assert found.what == "constraints tie 75 atoms together"
    assert found.limit == "64 atoms"
    assert "h-bonds" in found.hint


def test_coordinates_in_another_order_are_reported(problems: Problems, waters: Waters) -> None:
    waters.position[:] = waters.position[np.arange(648).reshape(3, 216).T.ravel()]
    found = problems(waters=waters)[0]
    assert found.what.startswith("bound atoms are ")
    assert found.value.startswith("atom 1 (O of HOH 1) and atom 2 (H1 of HOH 1), and")
    assert "order" in found.hint


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('cutoff = "8 Å"', 'cutoff = "8 Å"\nmesh = [4, 4, 4]', "too coarse"),
        ('cutoff = "8 Å"', 'cutoff = "8 Å"\nmesh = [22, 22, 22]', "slow to transform"),
        ('cutoff = "8 Å"', 'cutoff = "8 Å"\nrebuild_interval = 10\nprune_interval = 4', "divide"),
        ("[dynamics]", "[patches]\ngrid = [9, 9, 9]\n[dynamics]", "smaller than pair lists reach"),
        ("[dynamics]", "[mesh]\npencils = [99, 1]\n[dynamics]", "more pencils than"),
        ('temperature = "300 K"', 'velocities = "from-file"', "the files hold no velocities"),
        ('temperature = "300 K"', "", "no temperature, and no velocities"),
        ('electrostatics = "pme"', 'electrostatics = "plain"', "have no limit"),
        ('cutoff = "8 Å"', 'cutoff = "8 Å"\newald_tolerance = 1e-18', "too small: asks for"),
        ('cutoff = "8 Å"', 'cutoff = "8 Å"\newald_tolerance = 0.1', "too large: asks for"),
    ],
)
def test_unfit_settings_are_reported(problems: Problems, old: str, new: str, what: str) -> None:
    (found,) = problems(water_input.replace(old, new))
    assert what in found.what
    assert found.hint
    assert found.where.startswith("water.toml:")


def test_rigid_waters_belong_to_rigid_water(tmp_path: Path) -> None:
    text = water_input.replace('cutoff = "8 Å"', 'cutoff = "8 Å"\nconstraints = "none"')
    assert prepare(write_waters(tmp_path, text)).system.atoms == 648


@pytest.mark.parametrize(
    ("coefficient", "what", "limit", "hint"),
    [
        ("0.76 1/Å", "too large for a cutoff of 8 Å", "at most 6, so 0.75 1/Å", '"0.412 1/Å"'),
        ("50 1/Å", "too large for a cutoff of 8 Å", "at most 6, so 0.75 1/Å", '"0.412 1/Å"'),
        ("0.22 1/Å", "too small: 1.3% of a charge's field", "0.2277 1/Å", '"0.329 1/Å"'),
        ("0.01 1/Å", "too small: 91% of a charge's field", "0.2277 1/Å", "tolerance 0.0005"),
    ],
)
def test_an_ewald_coefficient_that_does_not_go_with_the_cutoff_is_reported(
    problems: Problems, coefficient: str, what: str, limit: str, hint: str
) -> None:
    given = f'cutoff = "8 Å"\newald_coefficient = "{coefficient}"'
    (found,) = problems(water_input.replace('cutoff = "8 Å"', given))
    assert found.where == "water.toml:9"
    assert found.value == f"forces.ewald_coefficient = {coefficient}"
    assert what in found.what
    assert limit in found.limit
    assert hint in found.hint


@pytest.mark.parametrize(
    ("tolerance", "what", "limit"),
    [
        ("1e-30", "too small: asks for a coefficient of 1.034 1/Å", "at least 1.2e-16"),
        ("0.1", "too large: asks for a coefficient of 0.1586 1/Å", "at most 0.018"),
    ],
)
def test_an_ewald_tolerance_is_held_against_a_tolerance(
    problems: Problems, tmp_path: Path, tolerance: str, what: str, limit: str
) -> None:
    # The mesh is given, because the smallest tolerance would choose one beyond the engine's limit.
    given = 'cutoff = "8 Å"\nmesh = [24, 24, 24]\newald_tolerance = '
    text = water_input.replace('cutoff = "8 Å"', given + tolerance)
    (found,) = problems(text)
    assert found.where == "water.toml:10"
    assert found.value == f"forces.ewald_tolerance = {tolerance}"
    assert found.what.startswith(what)
    assert found.limit == limit
    assert "try ewald_tolerance" in found.hint
    (tmp_path / "water.toml").write_text(text.replace(given + tolerance, given + limit.split()[-1]))
    assert prepare(tmp_path / "water.toml").settings.ewald_coefficient > 0


def test_the_systems_coefficient_must_fit_the_cutoff_too(
    problems: Problems, waters: Waters
) -> None:
    waters.nonbonded.setPMEParameters(9.0, 24, 24, 24)
    (found,) = problems(waters=waters)
    assert found.value == "forces.ewald_coefficient = 0.9 1/Å (the System)"
    assert "too large" in found.what


def test_a_mesh_beyond_the_engines_is_reported(problems: Problems) -> None:
    text = water_input.replace('cutoff = "8 Å"', 'cutoff = "8 Å"\nmesh_spacing = "0.01 Å"')
    text = text.replace("\n[forces]", 'box = ["100 Å", "100 Å", "100 Å"]\n[forces]')
    (found,) = problems(text)
    assert (found.where, found.value) == ("water.toml:9", "forces.mesh_spacing = 0.01 Å")
    assert (found.what, found.limit) == ("too fine", "8192 points an axis")
    assert "coarser" in found.hint


def test_a_timestep_in_the_wrong_unit_is_not_blamed_on_the_cutoff(problems: Problems) -> None:
    (found,) = problems(water_input.replace('"2 fs"', '"2 ps"'))
    assert found.value == "dynamics.timestep = 2 ps"
    assert found.limit == "at most 20 fs"
    assert '"2 fs"' in found.hint


@pytest.mark.parametrize("tolerance", [0.5, 3.0])
def test_odd_tolerances_are_refused(problems: Problems, waters: Waters, tolerance: float) -> None:
    waters.nonbonded.setEwaldErrorTolerance(tolerance)
    (found,) = problems(waters=waters)
    assert found.value == f"forces.ewald_tolerance = {tolerance:g} (the System)"
    assert found.limit == "between 0 and 0.5"
