# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of a dynamics: what reaches the job, and what is refused with a remedy."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT, WATER, values_of, with_lines
from ase import units as ase_units
from ase.io import read, write

from finegrain import units
from finegrain.ab_initio.input.model import DynamicsSection
from finegrain.ab_initio.ions.velocities import maxwell_velocities
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation.dynamics import longest_timestep
from finegrain.ab_initio.preparation.fictitious_energy import usual_fictitious_energy
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem
from finegrain.kinds.new_job import write_job

Problems = Callable[..., list[Problem]]
Preparing = Callable[..., Prepared]

ROOT = Path(__file__).resolve().parents[4]
STEPS = ('timestep = "0.1 fs"', "steps = 100")
CP = with_lines(INPUT, "dynamics", 'kind = "car-parrinello"', *STEPS)
BO = with_lines(INPUT, "dynamics", 'kind = "born-oppenheimer"', *STEPS)
WARM = with_lines(CP, "dynamics", 'temperature = "300 K"')
NOSE = 'thermostat = "nose-hoover"'


def test_a_dynamics_reaches_the_job_with_its_defaults(folder: Path) -> None:
    (folder / "water.toml").write_text(WARM)
    write_job(folder / "water.toml", folder / "job.h5")
    job = AbInitioJob(folder / "job.h5")
    assert job.steps == 100
    assert job.timestep_fs == pytest.approx(0.1, rel=1e-12)
    timestep = job.dynamics.pop("timestep")
    assert timestep == pytest.approx(0.1 / units.time_in_fs, rel=1e-12)
    assert job.dynamics == {
        "kind": "car-parrinello",
        "steps": 100,
        "ions_rest": 0,
        "seed": 1,
        "orthonormality": "constrained",
        "fictitious_mass": 400.0,
        "mass_cutoff": 1.5,
        "constraint_tolerance": 1e-9,
        "reset_above": 2e-4,
        "ion_bath": "none",
        "electron_bath": "none",
        "energy_steps": 1,
        "trajectory_steps": 10,
    }
    assert job.velocities.shape == (3, 3)
    assert job.masses @ job.velocities == pytest.approx(0, abs=1e-12)
    twice_kinetic = (job.masses[:, None] * job.velocities**2).sum()
    temperature = twice_kinetic / 6 * units.hartree_in_kelvin  # three atoms, their centre at rest
    assert temperature == pytest.approx(300, rel=1e-12)


def test_every_key_reaches_the_job(prepared: Preparing) -> None:
    lines = [
        NOSE,
        'thermostat_time = "0.05 ps"',
        "chain_length = 3",
        "fictitious_mass = 500",
        'fictitious_mass_cutoff = "2.5 Ry"',
        'orthonormality = "free"',
        "reset_above = 0.01",
        'electron_thermostat = "nose-hoover"',
        'electron_kinetic_energy = "0.02 hartree"',
        'electron_thermostat_time = "2 fs"',
    ]
    text = with_lines(with_lines(WARM, "dynamics", *lines), "output", "energy_interval = 5")
    values = values_of(prepared(with_lines(text, "output", "trajectory_interval = 0")))
    fs = 1 / units.time_in_fs
    assert values["ion_bath"] == "nose-hoover"
    assert values["ion_temperature"] == pytest.approx(300 / units.hartree_in_kelvin)
    assert values["ion_time_constant"] == pytest.approx(50 * fs)
    assert values["ion_chain_length"] == values["electron_chain_length"] == 3
    assert values["fictitious_mass"] == 500
    assert values["mass_cutoff"] == pytest.approx(1.25)
    assert values["orthonormality"] == "free"
    assert values["reset_above"] == 0.01
    assert values["electron_bath"] == "nose-hoover"
    assert values["electron_kinetic"] == pytest.approx(0.02)
    assert values["electron_time_constant"] == pytest.approx(2 * fs)
    assert (values["energy_steps"], values["trajectory_steps"]) == (5, 0)


def test_baths_have_the_engines_names_and_times(prepared: Preparing) -> None:
    warm = with_lines(BO, "dynamics", 'temperature = "300 K"')
    values = values_of(prepared(with_lines(warm, "dynamics", 'thermostat = "velocity-rescaling"')))
    assert values["ion_bath"] == "rescaling"
    assert values["predictor_order"] == 2
    assert "fictitious_mass" not in values
    langevin = ('thermostat = "langevin"', 'friction = "4 1/ps"')
    values = values_of(prepared(with_lines(warm, "dynamics", *langevin)))
    assert values["ion_bath"] == "langevin"
    # One over the friction: 0.25 ps.
    assert values["ion_time_constant"] == pytest.approx(0.25 / units.time_in_ps)


def test_a_usual_fictitious_energy_is_what_runs_without_a_bath_have() -> None:
    measured = json.loads((ROOT / "bench/results/ab_initio_drift.json").read_text())["entries"]
    orbitals = {"8 waters": 32, "32 waters": 128, "silicon": 128}
    lightest = {"8 waters": 1.008, "32 waters": 1.008, "silicon": 28.085}
    for one in measured:
        system = one["system"].split(" of ")[0]
        usual = usual_fictitious_energy(
            orbitals[system],
            one["fictitious_mass"],
            one["temperature"] / units.hartree_in_kelvin,
            lightest[system] / units.electron_mass_in_dalton,
        )
        assert usual / one["atoms"] == pytest.approx(one["fictitious_kinetic"], rel=1 / 3)


ELECTRON_BATH = 'electron_thermostat = "nose-hoover"\nelectron_kinetic_energy = '


def test_a_useless_fictitious_energy_is_refused_with_the_usual_one(problems: Problems) -> None:
    (found,) = problems(with_lines(WARM, "dynamics", f'{ELECTRON_BATH}"100 hartree"'))
    assert found.value == "dynamics.electron_kinetic_energy = 100 hartree"
    assert found.limit.startswith("at most 0.15 hartree, 0.05 for each ion")
    # 2 * 0.6 hartree * 4 * 400 * 300 K / 1.008 Da = 0.00099 hartree.
    assert "about 0.00099 hartree is usual for 4 orbitals" in found.limit
    assert "ions at 300 K" in found.limit
    assert "without this bath" in found.hint
    resting = with_lines(CP, "dynamics", 'ions = "rest"', f'{ELECTRON_BATH}"1 hartree"')
    (found,) = problems(resting)
    assert found.limit == "at most 0.15 hartree, 0.05 for each ion"


@pytest.mark.parametrize(("energy", "noted"), [("0.1", True), ("0.006", True), ("0.004", False)])
def test_a_large_fictitious_energy_is_noted(prepared: Preparing, energy: str, noted: bool) -> None:
    ready = prepared(with_lines(WARM, "dynamics", f'{ELECTRON_BATH}"{energy} hartree"'))
    told = [note for note in ready.given.notes if "electron_kinetic_energy" in note]
    assert len(told) == noted
    assert all("about 0.00099 hartree is usual" in note for note in told)


@pytest.mark.parametrize(
    ("text", "line", "what", "hint"),
    [
        (CP, "", "has no velocities, and there is no temperature", 'velocities = "zero"'),
        (CP, 'velocities = "from-file"', "has no velocities", '"from-temperature"'),
        (CP, 'velocities = "from-temperature"', "needs a temperature", "300 K"),
        (WARM, 'velocities = "zero"', "has no use with velocities", "take it out"),
        (CP, f'velocities = "zero"\n{NOSE}', "needs a temperature", "300 K"),
        (CP, f'temperature = "0 K"\n{NOSE}', "needs a temperature", "300 K"),
        (WARM, 'friction = "1 1/ps"', 'has no use with thermostat = "none"', "take it out"),
        (WARM, 'thermostat_time = "1 ps"', 'has no use with thermostat = "none"', "take it out"),
        (WARM, "chain_length = 3", 'has no use with thermostat = "none"', "take it out"),
        (WARM, f'{NOSE}\nfriction = "1 1/ps"', 'no use with thermostat = "nose-h', "take it out"),
        (
            WARM,
            'thermostat = "langevin"\nthermostat_time = "1 ps"',
            'has no use with thermostat = "langevin"',
            "take it out",
        ),
        (WARM, "reset_above = 0.1", 'has no use with orthonormality = "constr', "take it out"),
        (
            WARM,
            'orthonormality = "free"\nconstraint_tolerance = 1e-8',
            'has no use with orthonormality = "free"',
            "take it out",
        ),
        (WARM, 'electron_kinetic_energy = "1 hartree"', "has no use with electron_th", "take it"),
        (
            WARM,
            'electron_thermostat = "nose-hoover"',
            "needs electron_kinetic_energy",
            "mean fictitious kinetic energy",
        ),
        (WARM, "predictor_order = 1", 'has no use with kind = "car-parrinello"', "take it out"),
        (CP, 'ions = "rest"\ntemperature = "9 K"', 'no use with ions = "rest"', "take it out"),
        (CP, 'ions = "rest"\nseed = 3', 'no use with ions = "rest"', "take it out"),
        (CP, 'velocities = "zero"\nseed = 3', "no use with neither", "take it out"),
        (WARM, 'thermostat = "berendsen"', "not a known value", "nose-hoover"),
        (WARM, 'fictitious_mass = "heavy"', "unable to parse", "fictitious_mass = 400"),
        (WARM, 'fictitious_mass_cutoff = "3 fs"', "fs is not the unit of an energy", "70 Ry"),
        (WARM, "fictitious_mass = 0.5", "out of range", ""),
        (WARM, "constraint_tolerance = 0", "out of range", ""),
        (WARM, "seed = -1", "out of range", ""),
        (WARM, "chain_length = 40", "out of range", ""),
        (WARM, 'electron_thermostat = "langevin"', "not a known value", ""),
    ],
)
def test_clashes_are_refused(
    problems: Problems, text: str, line: str, what: str, hint: str
) -> None:
    found = problems(with_lines(text, "dynamics", line) if line else text)
    assert any(what in problem.what and hint in problem.hint for problem in found), found
    assert all(problem.where.startswith("water.toml") for problem in found)


OF_ALL = {"kind", "timestep", "steps", "ions", "cell"}
OF_CAR_PARRINELLO = {
    *("fictitious_mass", "fictitious_mass_cutoff", "orthonormality", "constraint_tolerance"),
    "electron_thermostat",
}


@pytest.mark.parametrize("key", sorted(set(DynamicsSection.model_fields) - OF_ALL))
def test_a_key_without_effect_is_refused(problems: Problems, key: str) -> None:
    """So a new key says in its field with which it works, or is here among those of all."""
    field = DynamicsSection.model_fields[key]
    value = field.examples[0] if field.examples else field.default or "zero"
    if not isinstance(value, int | float) and key != "constraints":
        value = f'"{value}"'
    base = BO if key in OF_CAR_PARRINELLO else with_lines(CP, "dynamics", 'ions = "rest"')
    found = problems(with_lines(base, "dynamics", f"{key} = {value}"))
    assert any(
        "has no use with" in problem.what and problem.value.split(" = ")[0] == f"dynamics.{key}"
        for problem in found
    ), found


@pytest.mark.parametrize(
    "line",
    [
        "fictitious_mass = 300",
        'fictitious_mass_cutoff = "3 Ry"',
        'orthonormality = "free"',
        "constraint_tolerance = 1e-8",
        'electron_thermostat = "nose-hoover"',
    ],
)
def test_a_fictitious_mass_is_refused_with_ground_states(problems: Problems, line: str) -> None:
    text = with_lines(BO, "dynamics", 'temperature = "300 K"', line)
    (problem,) = problems(text)
    assert 'has no use with kind = "born-oppenheimer"' in problem.what


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("dynamics", 'timestep = "0.1 fs"'),
        ("dynamics", "steps = 10"),
        ("dynamics", "fictitious_mass = 400"),
        ("dynamics", 'temperature = "300 K"'),
        ("dynamics", 'ions = "move"'),
        ("dynamics", "seed = 1"),
        ("system", 'masses = { H = "2.014 Da" }'),
        ("output", "energy_interval = 1"),
        ("output", "trajectory_interval = 1"),
    ],
)
def test_ground_states_refuse_keys_of_dynamics(problems: Problems, section: str, line: str) -> None:
    (problem,) = problems(with_lines(INPUT, section, line))
    assert problem.what == 'has no use with kind = "ground-state"'
    assert problem.hint == "take it out"


def test_step_and_number_of_steps_are_needed(problems: Problems) -> None:
    text = with_lines(INPUT, "dynamics", 'kind = "car-parrinello"', 'temperature = "300 K"')
    found = problems(text)
    assert [(one.what, one.value) for one in found] == [
        ("missing key", "dynamics.timestep"),
        ("missing key", "dynamics.steps"),
    ]
    assert '"0.1 fs"' in found[0].hint


def test_ions_at_rest_have_no_frames(prepared: Preparing) -> None:
    values = values_of(prepared(with_lines(CP, "dynamics", 'ions = "rest"')))
    assert (values["ions_rest"], values["trajectory_steps"]) == (1, 0)


def test_a_wrong_step_is_told_once(problems: Problems) -> None:
    (problem,) = problems(WARM.replace('"0.1 fs"', '"0.1 Å"'))
    assert "Å is not the unit of a time" in problem.what


def test_ions_at_rest_need_orbitals_that_move(problems: Problems) -> None:
    (problem,) = problems(with_lines(BO, "dynamics", 'ions = "rest"'))
    assert "leaves nothing to move" in problem.what
    heavy = with_lines(CP, "system", 'masses = { H = "2.014 Da" }')
    (problem,) = problems(with_lines(heavy, "dynamics", 'ions = "rest"'))
    assert problem.value.startswith("system.masses")
    frames = with_lines(CP, "output", "trajectory_interval = 5")
    (problem,) = problems(with_lines(frames, "dynamics", 'ions = "rest"'))
    assert problem.value.startswith("output.trajectory_interval")


def test_dispersion_goes_with_ions_that_move(prepared: Preparing) -> None:
    made = prepared(with_lines(WARM, "electrons", 'dispersion = "d3bj"'))
    assert made.dispersion is not None
    assert made.dispersion.elements.tolist() == [8, 1, 1]


def test_a_step_at_which_orbitals_run_away_is_refused(problems: Problems) -> None:
    # 2 (400 / (2 x 1.5))^(1/2) = 23.09 au = 0.5586 fs.
    assert longest_timestep(10, 400, 1.5) == pytest.approx(23.094, abs=1e-3)
    # With uniform masses: the published limit at 70 Ry, 4.8 au, omega 0.418.
    assert longest_timestep(35, 400, 35) == pytest.approx(2 / 0.41833, rel=1e-5)
    assert longest_timestep(10, 400, 1.5, occupation=1) == pytest.approx(32.66, abs=1e-2)
    (problem,) = problems(WARM.replace('"0.1 fs"', '"0.56 fs"'))
    assert "is too long for the orbitals" in problem.what
    assert "below 0.559 fs" in problem.limit
    assert "larger fictitious_mass" in problem.hint


def test_masses_of_isotopes_replace_the_structures(prepared: Preparing, problems: Problems) -> None:
    heavy = prepared(with_lines(WARM, "system", 'masses = { H = "2.014 Da" }'))
    in_dalton = heavy.structure.mass * units.electron_mass_in_dalton
    assert in_dalton == pytest.approx([15.999, 2.014, 2.014])
    for masses, what in (
        ('{ He = "4 Da" }', "the structure has no such element"),
        ("{ H = 2.014 }", "has no unit"),
        ('{ H = "0 Da" }', "must be positive"),
        ('{ H = "1000 Da" }', "out of range"),
        ('"heavy"', "is not a table of masses"),
        ("{}", "is not a table of masses"),
    ):
        found = problems(with_lines(WARM, "system", f"masses = {masses}"))
        assert any(what in one.what for one in found), (masses, found)


def test_velocities_of_the_file_are_taken_in_ases_units(folder: Path, prepared: Preparing) -> None:
    atoms = read(folder / "water.xyz")
    nm_per_ps = np.array([[0.1, 0, -0.2], [1.0, 2.0, 0.5], [-1.5, 0.3, 0.0]])
    atoms.set_velocities(nm_per_ps * ase_units.nm / (1000 * ase_units.fs))
    write(folder / "water.xyz", atoms, format="extxyz")
    found = prepared(CP).velocity * units.speed_in_nm_per_ps
    assert found == pytest.approx(nm_per_ps, rel=1e-6)  # the file has eight decimals
    # A mass in the input changes masses, not velocities.
    heavy = prepared(with_lines(CP, "system", 'masses = { H = "2.014 Da" }'))
    assert heavy.velocity * units.speed_in_nm_per_ps == pytest.approx(nm_per_ps, rel=1e-6)
    assert (prepared(with_lines(CP, "dynamics", 'velocities = "zero"')).velocity == 0).all()


def test_velocities_beyond_all_bounds_are_refused(folder: Path, problems: Problems) -> None:
    atoms = read(folder / "water.xyz")
    atoms.set_velocities(np.full((3, 3), 1e5 * ase_units.nm / (1000 * ase_units.fs)))
    write(folder / "water.xyz", atoms, format="extxyz")
    (problem,) = problems(CP)
    assert "atom 1 has no velocity, or one beyond all bounds" in problem.what


def test_one_atom_has_no_velocity_of_a_temperature(folder: Path, problems: Problems) -> None:
    one = WATER.replace("3\n", "1\n", 1).splitlines()[:3]
    (folder / "water.xyz").write_text("\n".join(one) + "\n")
    text = WARM.replace(', H = "GTH_POTENTIALS"', "")
    (problem,) = problems(text)
    assert "one atom has no motion" in problem.what
    assert problem.hint == 'velocities = "zero"'


def test_drawn_velocities_are_normal_and_depend_on_the_seed_alone() -> None:
    mass = np.full(20_000, 1836.0)
    velocity = maxwell_velocities(mass, 0.001, 7)
    assert (velocity == maxwell_velocities(mass, 0.001, 7)).all()
    assert (velocity != maxwell_velocities(mass, 0.001, 8)).any()
    scaled = velocity / np.sqrt(0.001 / 1836)
    # These are 60 000 normal numbers; five standard errors each, false alarms below 1e-5.
    assert abs((scaled**4).mean() - 3) < 5 * np.sqrt(96 / 60_000)
    assert abs((scaled**3).mean()) < 5 * np.sqrt(15 / 60_000)
    assert abs((scaled[:, 0] * scaled[:, 1]).mean()) < 5 / np.sqrt(20_000)


def test_random_words_are_those_of_the_published_generator() -> None:
    # The known answer of Philox4x64-10 for counter and key 0, in the Random123 distribution of
    # Salmon et al., SC11 (2011); NumPy counts up before it draws.
    words = np.random.Philox(key=0, counter=2**256 - 1).random_raw(4)
    known = (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)
    assert tuple(int(word) for word in words) == known


def test_an_unknown_kind_of_dynamics_is_the_only_problem(problems: Problems) -> None:
    found = problems(WARM.replace('"car-parrinello"', '"cp"'))
    assert [problem.what for problem in found] == ["not a known value"]


def test_a_time_step_is_refused_with_the_usual_ones(problems: Problems) -> None:
    for step in ("1e-30 fs", "1 ns", "-0.1 fs"):
        (problem,) = problems(WARM.replace('"0.1 fs"', f'"{step}"'))
        assert problem.value == f"dynamics.timestep = {step}"
        assert "0.1 fs is usual for car-parrinello" in problem.hint
