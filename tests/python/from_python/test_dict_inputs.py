# SPDX-License-Identifier: BSD-3-Clause
"""Dicts in place of TOML files: the same keys, units of any library, and what is refused."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pint
import pytest
from input_systems import Waters, tip3p_force_field, water_input, write_waters
from openmm import unit

import finegrain as fg
from finegrain.ab_initio.input import load as ab_initio_load
from finegrain.classical.input import load as classical_load
from finegrain.errors import InputError, Problem
from finegrain.toml_input.from_python import FILES
from finegrain.toml_input.python_values import plain_table
from finegrain.toml_input.source import lines_of_keys
from finegrain.toml_input.toml_text import toml_text

pint_units = pint.UnitRegistry()


@pytest.fixture
def water(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The input of a box of water, as a dict; its files are in the current folder."""
    file = write_waters(tmp_path, water_input)
    monkeypatch.chdir(tmp_path)
    given = tomllib.loads(file.read_text())
    given["dynamics"]["steps"] = 20
    return given


def problems_of(given: Any) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        fg.check(given)
    assert caught.value.source == "the input"
    return caught.value.problems


def in_toml(given: dict[str, Any], name: str = "again.toml") -> Path:
    Path(name).write_text(toml_text(plain_table(given, []), {}))
    return Path(name)


def test_it_reads_as_the_file_does(water: dict[str, Any]) -> None:
    described = fg.check(water).as_dict()
    of_file = fg.check(in_toml(water)).as_dict()
    for one in (described, of_file):
        for name in ("source", "estimate"):
            one.pop(name)
    assert described == of_file


def test_a_run_has_the_same_bits_and_keeps_its_input(water: dict[str, Any]) -> None:
    run = fg.run(water, "runs/of dict", pes=1)
    assert run.state_digest == fg.run(in_toml(water), "runs/of file", pes=2).state_digest
    kept = Path("runs/of dict/input/input.toml")
    assert kept.read_text().startswith("# An input that was given in Python")
    # Names of files are whole: the copy can be run from any folder.
    assert tomllib.loads(kept.read_text())["system"]["topology"] == str(
        Path(water["system"]["topology"]).absolute()
    )
    assert fg.run(kept, "runs/of copy").state_digest == run.state_digest
    assert run.job.input_text in kept.read_text()
    assert run.job.title == water["system"].get("title", "of dict")
    part = fg.run(water, "runs/in parts", stop_after=1)
    if not part.finished:
        part = fg.resume("runs/in parts")
    assert part.state_digest == run.state_digest
    water["dynamics"]["steps"] = 40
    # The next run there has another input, or none of this kind.
    fg.run(water, "runs/of dict", overwrite=True)
    assert "steps = 40" in kept.read_text()
    fg.run(kept, "runs/of dict", overwrite=True)
    assert "steps = 40" in kept.read_text()
    fg.run("again.toml", "runs/of dict", overwrite=True)
    assert not kept.parent.exists()


def test_a_file_of_the_users_in_the_folder_stays(water: dict[str, Any]) -> None:
    own = Path("runs/own/input")
    own.mkdir(parents=True)
    (own / "input.toml").write_text("# mine\n")
    (own / "notes.txt").write_text("mine\n")
    fg.run(in_toml(water), "runs/own")
    assert (own / "input.toml").read_text() == "# mine\n"


def test_no_file_of_the_users_is_replaced(water: dict[str, Any]) -> None:
    own = Path("runs/own/input")
    own.mkdir(parents=True)
    (own / "input.toml").write_text("# mine\n")
    with pytest.raises(InputError, match="is in the way") as caught:
        fg.run(water, "runs/own")
    assert caught.value.problems[0].where == str(own / "input.toml")
    assert "move it, or choose another out" in caught.value.problems[0].hint
    assert [file.name for file in Path("runs/own").iterdir()] == ["input"]
    Path("of-input").mkdir()
    Path("of-input/input.toml").write_text("# mine\n")
    with pytest.raises(InputError, match="is in the way"):
        fg.slurm_script(water, "of.sbatch", pes=1, overwrite=True)
    assert not Path("of.sbatch").exists()
    for file in (own / "input.toml", Path("of-input/input.toml")):
        assert file.read_text() == "# mine\n"
    Path("runs/flat").mkdir()
    Path("runs/flat/input").write_text("mine\n")
    with pytest.raises(InputError, match="is in the way of the input's folder"):
        fg.run(water, "runs/flat")


def test_the_title_is_the_name_of_the_current_folder(
    water: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    water["system"].pop("title", None)
    for key in ("topology", "coordinates"):
        water["system"][key] = str(Path(water["system"][key]).absolute())
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert fg.run(water, ".").job.title == "here"


def test_stages_energies_and_jobs(water: dict[str, Any]) -> None:
    forces = fg.energy(water).forces
    job = fg.load(water, "water.job.h5")
    assert np.array_equal(fg.energy(job).forces, forces)
    with pytest.raises(InputError, match=r"has no name .* the job follows; give out="):
        fg.load(water)
    with pytest.raises(InputError, match=r"has no name .* its folder follows; give out="):
        fg.run(water)
    water["output"] = {"directory": "runs/named"}
    assert fg.run(water).path == Path("runs/named")
    del water["output"]
    del water["dynamics"]["steps"]
    water["stages"] = [
        {"name": "one", "dynamics": {"steps": 20}},
        {"name": "two", "dynamics": {"steps": 20, "timestep": "1 fs"}},
    ]
    assert [*fg.check(water).as_dict()["stages"][1]]
    staged = fg.run(water, "runs/staged")
    assert staged.state_digest == fg.run(in_toml(water), "runs/from file").state_digest
    kept = fg.run("runs/staged/input/input.toml", "runs/from copy")
    assert kept.state_digest == staged.state_digest


def test_a_batch_script_gets_the_input_beside_it(water: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"has no name .* the script follows; give out="):
        fg.slurm_script(water, pes=1)
    script = fg.slurm_script(water, "of.sbatch", pes=1)
    assert "of-input/input.toml" in script.read_text()
    assert "runs/of" in script.read_text()
    assert fg.check("of-input/input.toml").as_dict()["steps"] == 20
    with pytest.raises(InputError, match="is there already"):
        fg.slurm_script(water, "of.sbatch", pes=1)


def test_temperatures_that_do_not_begin_at_zero() -> None:
    problems: list[Problem] = []
    given = {"dynamics": {"temperature": pint_units.Quantity(27, "degC")}}
    plain_table(given, problems)
    (found,) = problems
    assert found.what == "has a unit with an offset"
    assert found.value == "dynamics.temperature = 27 degree_Celsius"
    assert 'value.to("kelvin")' in found.hint
    kelvin = {"a": pint_units.Quantity(27, "degC").to("kelvin")}
    assert plain_table(kelvin, problems) == {"a": "300.15 K"}


def test_quantities_of_libraries_are_text_with_a_unit() -> None:
    """The texts are those that a user would write; sums of exponents are those of the units."""
    problems: list[Problem] = []
    given = {
        "a": 2 * unit.femtosecond,
        "b": 2.5 * pint_units.femtosecond,
        "c": 1000 * unit.kilojoule_per_mole / unit.nanometer**2,
        "d": 10.0 * pint_units.Unit("kJ/mol/nm^2"),
        "e": 1 / unit.picosecond,
        "f": [30, 30.5, 31] * unit.angstrom,
        "g": np.array([3.0, 3.5]) * pint_units.nanometer,
        "h": np.float64(1e-5),
        "i": np.int64(7),
        "j": np.bool_(True),
        "k": (1, 2),
        "l": Path("some/file"),
        "m": None,
        "n": np.array([1, 2]),
        "o": {"H": 2.014 * unit.dalton},
        "p": 0.5 * pint_units.dimensionless,
        "q": 1.0 * pint_units.angstrom,
    }
    assert plain_table(given, problems) == {
        "a": "2 fs",
        "b": "2.5 fs",
        "c": "1000 kJ/nm^2/mol",
        "d": "10.0 kJ/mol/nm^2",
        "e": "1 1/ps",
        "f": ["30 Å", "30.5 Å", "31 Å"],
        "g": ["3.0 nm", "3.5 nm"],
        "h": 1e-5,
        "i": 7,
        "j": True,
        "k": [1, 2],
        "l": "some/file",
        "n": [1, 2],
        "o": {"H": "2.014 Da"},
        "p": 0.5,
        "q": "1.0 Å",
    }
    assert not problems


def test_text_reads_back_as_the_same_tables() -> None:
    given: dict[str, Any] = {
        "top": 'a "quote", a \\ and \x7f, ünïcode\n',
        "system": {"kind": "classical", "masses": {"H": "2 Da"}, "box": ["1 Å", 2, True]},
        "empty": {},
        "of odd names": {"a b": 1e300, "inf": float("inf"), "deep": [[1, 2], [{"x": 1}]]},
        "stages": [{"name": "one", "dynamics": {"steps": 1}}, {"name": "two"}],
    }
    text = toml_text(given, {"system.kind": "a word", "stages.1.name": "the last"})
    assert tomllib.loads(text) == given
    assert 'kind = "classical"  # a word' in text
    assert 'name = "two"  # the last' in text
    lines = text.splitlines()
    numbers = lines_of_keys(text)
    assert lines[numbers["stages.0.dynamics.steps"] - 1] == "steps = 1"
    assert lines[numbers["system.masses"] - 1] == "[system.masses]"


def test_all_keys_of_files_are_known() -> None:
    """Except for the folder of results, which is relative to the current folder in any case."""
    paths = {*classical_load._keys.paths, *ab_initio_load._keys.paths}
    assert paths - {"directory"} == FILES


def test_errors_name_the_key(water: dict[str, Any]) -> None:
    water["dynamics"]["timestep"] = 2 * unit.nanometer
    water["dynamics"]["stps"] = 5
    water["forces"]["cutoff"] = "9"
    water["minimise"] = 3
    water["output"] = {"velocities": "yes"}
    found = problems_of(water)
    assert {(one.where, one.value, one.what) for one in found} == {
        ("", "minimise = 3", "not a section"),
        ("", "dynamics.timestep = 2 nm", "nm is not the unit of a time"),
        ("", "dynamics.stps", "unknown key"),
        ("", "forces.cutoff = 9", "has no unit"),
        ("", "output.velocities = yes", "not true or false"),
    }
    hints = {one.value.split()[0]: one.hint for one in found}
    assert hints["minimise"] == "a section is a dict: {'minimise': {...}}"
    assert hints["output.velocities"] == "give True or False"
    assert hints["dynamics.stps"] == "did you mean dynamics.steps?"


@pytest.mark.parametrize(
    ("section", "key", "value", "what"),
    [
        ("dynamics", "steps", object(), "is no value of an input"),
        ("dynamics", "steps", {1, 2}, "is no value of an input"),
        ("dynamics", "timestep", (1 * unit.nanometer) ** 0.5, "has a root of a unit"),
        ("dynamics", "timestep", 2.0, "has no unit"),
        ("dynamics", "timestep", "two fs", "not a time"),
        ("system", "coordinates", "absent.pdb", "no such file"),
        ("system", "topology", "absent.prmtop", "no such file"),
        ("system", 5, "x", "is no key of an input"),
        ("system", "topology", 5, "is no topology"),
        ("system", "coordinates", 5, "is no coordinates"),
        ("system", "coordinates", [[0.0, 0.0, 0.0]], "has no unit"),
        ("system", "coordinates", np.zeros((3, 3)), "has no unit"),
        ("system", "coordinates", np.zeros((3, 3)) * unit.kelvin, "has a unit that is no length"),
        ("system", "kind", "clasical", "not a known value"),
    ],
)
def test_bad_values_are_refused(
    water: dict[str, Any], section: str, key: Any, value: Any, what: str
) -> None:
    water[section][key] = value
    found = problems_of(water)
    assert [one.what for one in found] == [what], found
    assert str(key) in found[0].value
    assert found[0].hint or found[0].limit


def test_bad_inputs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert problems_of({})[0].value == "[system]"
    assert problems_of({"system": []})[0].what == "not a section"
    assert problems_of({"system": {}})[0].value == "system.kind"
    assert problems_of({3: {}})[0].what == "is no key of an input"
    with pytest.raises(InputError, match="is not a path"):
        fg.check([("system", {})])  # type: ignore[arg-type]
    assert not [*tmp_path.iterdir()]


def test_force_fields_of_openmm_are_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the same name in the current folder does not count, as for a file."""
    monkeypatch.chdir(tmp_path)
    for name in ("tip3p.xml", "mine.xml"):
        (tmp_path / name).write_text(tip3p_force_field)
    Waters().write(tmp_path)
    for name, full in (("tip3p.xml", "tip3p.xml"), ("./mine.xml", str(tmp_path / "mine.xml"))):
        system = {"kind": "classical", "topology": Path("water.pdb"), "forcefield": [name]}
        job = fg.load({"system": system, "forces": {"cutoff": "8 Å"}}, f"of {Path(name).stem}.h5")
        assert tomllib.loads(job.input_text)["system"]["forcefield"] == [full]
