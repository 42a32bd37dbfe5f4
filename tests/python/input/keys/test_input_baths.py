# SPDX-License-Identifier: BSD-3-Clause
"""Heat baths and pressure baths of an input: what they default to, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import pytest
from input_systems import Waters, water_input, write_waters

from finegrain.classical.preparation.check import check
from finegrain.classical.preparation.job import make_job
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol, time_in_fs

Problems = Callable[..., list[Problem]]

FS = 1 / time_in_fs
# 1 bar is 0.06022140857 kJ/mol/nm^3 (Avogadro's number of CODATA 2018 times 1e-22).
BAR = 0.0602214076 * bohr_in_nm**3 / hartree_in_kj_per_mol


def attributes(folder: Path, more: str, base: str = water_input) -> dict[str, Any]:
    """Return /dynamics of the job of waters with these keys in [dynamics]."""
    make_job(write_waters(folder, base + more), folder / "job.h5")
    with h5py.File(folder / "job.h5") as file:
        return dict(file["dynamics"].attrs)


def test_constant_pressure_needs_no_more_than_its_name(tmp_path: Path) -> None:
    """Stochastic rescaling at 1 bar beside a Langevin thermostat, with water's compressibility."""
    found = attributes(tmp_path, 'ensemble = "npt"\n')
    words = [found[name] for name in ("integrator", "barostat", "coupling")]
    assert words == ["langevin", "stochastic-rescaling", "isotropic"]
    expected = {
        "friction": 1e-3 / FS,
        "thermostat_time": 0,
        "pressure": BAR,
        "compressibility": 4.6e-5 / BAR,
        "barostat_time": 2000 * FS,
        "piston_period": 0,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-8)


def test_a_piston_and_velocity_rescaling_have_their_own_defaults(tmp_path: Path) -> None:
    more = 'ensemble = "npt"\nbarostat = "langevin-piston"\nthermostat = "velocity-rescaling"\n'
    found = attributes(tmp_path, more)
    assert (found["integrator"], found["barostat"]) == ("verlet", "langevin-piston")
    expected = {
        "friction": 0,
        "thermostat_time": 500 * FS,
        "barostat_time": 500 * FS,
        "piston_period": 1000 * FS,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-8)


def test_a_piston_moves_the_box_25_times_in_its_period_by_default(tmp_path: Path) -> None:
    """With 12 moves of 80 fs the pressure has 1.3 times its scatter at constant volume."""
    often = attributes(tmp_path, PISTON)
    assert often["piston_period"] == pytest.approx(1000 * FS, rel=1e-8)
    rare = water_input.replace("cutoff =", "rebuild_interval = 40\ncutoff =")
    found = attributes(tmp_path, PISTON, rare)
    assert found["piston_period"] == pytest.approx(2000 * FS, rel=1e-8)
    assert found["barostat_time"] == pytest.approx(1000 * FS, rel=1e-8)
    decay = attributes(tmp_path, PISTON + 'barostat_time = "0.7 ps"\n', rare)["barostat_time"]
    assert decay == pytest.approx(700 * FS, rel=1e-8)


def test_few_moves_of_a_piston_are_noted(tmp_path: Path) -> None:
    rare = water_input.replace("cutoff =", "rebuild_interval = 40\ncutoff =")

    def notes(more: str) -> list[str]:
        notes = check(write_waters(tmp_path, rare + PISTON + more)).notes
        return [note for note in notes if "piston" in note]

    assert notes("") == []
    (note,) = notes('piston_period = "1 ps"\n')
    assert "12 times in its period of 1 ps" in note
    assert 'piston_period = "2 ps"' in note


def test_what_is_given_goes_into_the_job(tmp_path: Path) -> None:
    more = (
        'ensemble = "npt"\npressure = "-2 bar"\ncompressibility = "1e-4 1/bar"\n'
        'barostat_time = "3 ps"\npressure_coupling = "anisotropic"\nfriction = "2 1/ps"\n'
    )
    found = attributes(tmp_path, more)
    assert found["coupling"] == "anisotropic"
    expected = {
        "pressure": -2 * BAR,
        "compressibility": 1e-4 / BAR,
        "barostat_time": 3000 * FS,
        "friction": 2e-3 / FS,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("ensemble", ["nve", "nvt"])
def test_other_ensembles_have_no_barostat(tmp_path: Path, ensemble: str) -> None:
    found = attributes(tmp_path, f'ensemble = "{ensemble}"\n')
    assert found.get("barostat", "none") == "none"


NVT, NPT = 'ensemble = "nvt"\n', 'ensemble = "npt"\n'
PISTON = NPT + 'barostat = "langevin-piston"\n'
RESCALED = NPT + 'thermostat = "velocity-rescaling"\n'
OF_LANGEVIN = 'no use with thermostat = "langevin"'
OF_VELOCITIES = 'no use with thermostat = "velocity-rescaling"'
OF_STOCHASTIC = 'no use with barostat = "stochastic-rescaling"'
OF_PISTON = 'no use with barostat = "langevin-piston"'
COMPRESSIBILITY = 'compressibility = "1e-5 1/bar"'
TOO_FAST = "too fast for the steps between two lists"


@pytest.mark.parametrize(
    ("before", "wrong", "what", "limit", "hint"),
    [
        ("", 'pressure = "1 bar"', "has no use in nve", "", '"npt"'),
        (NVT, 'pressure = "1 bar"', "has no use in nvt", "", '"npt"'),
        (NVT, 'barostat = "langevin-piston"', "has no use in nvt", "", '"npt"'),
        (NVT, COMPRESSIBILITY, "has no use in nvt", "", "take compressibility out"),
        ("", 'thermostat = "langevin"', "has no use in nve", "", '"nvt"'),
        ("", 'thermostat_time = "1 ps"', "has no use in nve", "", '"nvt"'),
        (NPT, 'thermostat_time = "1 ps"', OF_LANGEVIN, "", '"velocity-rescaling"'),
        (RESCALED, 'friction = "1 1/ps"', OF_VELOCITIES, "", '"langevin"'),
        (NPT, 'piston_period = "1 ps"', OF_STOCHASTIC, "", '"langevin-piston"'),
        (PISTON, 'pressure_coupling = "anisotropic"', OF_PISTON, "", '"stochastic-rescaling"'),
        (PISTON, 'piston_period = "100 fs"', TOO_FAST, "at least", "rebuild_interval"),
        (NPT, 'barostat = "mc"', "", "", "langevin-piston"),
        (NPT, 'pressure = "1"', "has no unit", "", "1 bar"),
        (NPT, 'pressure = "1e7 bar"', "out of range", "1e6 bar", ""),
        (NPT, 'pressure = "-1e6 bar"', "out of range", "-1e5 bar", ""),
        (NPT, 'compressibility = "0 1/bar"', "must be positive", "", "4.6e-5 1/bar"),
        (NPT, 'barostat_time = "0.5 fs"', "range", "1 fs", "2 ps"),
        (NPT, 'barostat_time = "-1 ps"', "positive", "", "2 ps"),
    ],
)
def test_what_makes_no_sense_is_refused(
    problems: Problems, before: str, wrong: str, what: str, limit: str, hint: str
) -> None:
    """Each with its line, the key with its value, the limit and a remedy."""
    text, key = f"{water_input}{before}{wrong}\n", wrong.split(" = ")[0]
    (found,) = problems(text)
    line = next(n for n, row in enumerate(text.splitlines(), 1) if row.startswith(f"{key} ="))
    assert found.where == f"water.toml:{line}"
    assert found.value.startswith(f"dynamics.{key} = ")
    assert what in found.what
    assert limit in found.limit
    assert hint in found.hint


def test_all_problems_of_baths_are_reported_at_once(problems: Problems) -> None:
    more = 'pressure = "1 bar"\nthermostat_time = "1 ps"\nfriction = "1 1/ps"\n'
    keys = [problem.value.split(" = ")[0] for problem in problems(water_input + more)]
    assert keys == ["dynamics.pressure", "dynamics.thermostat_time", "dynamics.friction"]


@pytest.mark.parametrize("ensemble", ["nvt", "npt"])
def test_a_bath_needs_a_temperature(problems: Problems, ensemble: str) -> None:
    text = water_input.replace('temperature = "300 K"', f'ensemble = "{ensemble}"')
    (found,) = problems(text)
    assert found.what == "needs a temperature"
    assert found.value == f"dynamics.ensemble = {ensemble}"
    assert "300 K" in found.hint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[dynamics]", '[dynamics]\nensemble = "NPT"\npressure = "1 bar"\nfriction = "1 1/ps"'),
        ("[dynamics]", '[dynamics]\nensemble = "canonical"\nthermostat = "langevin"'),
        ("[dynamics]", '[dynamics]\nensemble = "nvt"\nthermostat = "nose"\nfriction = "1 1/ps"'),
        ('temperature = "300 K"', 'temperature = "27 °C"\nensemble = "nvt"'),
        ('temperature = "300 K"', 'temperature = 300\nvelocities = "from-temperature"'),
        ('electrostatics = "pme"', 'electrostatics = "PME"\nspline_order = 5'),
    ],
)
def test_a_wrong_word_is_one_problem(problems: Problems, old: str, new: str) -> None:
    """What would follow from the default in its place is no problem of the user's."""
    assert old in water_input
    (found,) = problems(water_input.replace(old, new))
    assert found.what in ("not a known value", "cannot read the unit °C", "has no unit")


def test_a_ramp_needs_langevin_dynamics(problems: Problems) -> None:
    text = water_input.replace('"300 K"', '["100 K", "300 K"]')
    (found,) = problems(text + 'ensemble = "npt"\nthermostat = "velocity-rescaling"\n')
    assert "ramp" in found.what
    assert found.value.startswith("dynamics.temperature")
    assert '"langevin"' in found.hint


def test_a_barostat_needs_a_box(problems: Problems) -> None:
    waters = Waters()
    for force in waters.system.getForces():
        if hasattr(force, "setNonbondedMethod"):
            force.setNonbondedMethod(force.NoCutoff)
    text = water_input.replace('electrostatics = "pme"\ncutoff = "8 Å"\n', "")
    (found,) = problems(text + 'ensemble = "npt"\n', waters)
    assert found.what == "a barostat needs a periodic box"
    assert found.value == "dynamics.ensemble = npt"
    assert '"nvt"' in found.hint


def test_a_piston_that_is_just_slow_enough_is_accepted(problems: Problems, tmp_path: Path) -> None:
    """The limit that the refusal names is the limit."""
    (found,) = problems(water_input + PISTON + 'piston_period = "100 fs"\n')
    limit = found.limit.split(",")[0].removeprefix("at least ")
    assert attributes(tmp_path, f'{PISTON}piston_period = "{limit}"\n')["piston_period"] > 0
