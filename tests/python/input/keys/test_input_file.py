# SPDX-License-Identifier: BSD-3-Clause
"""The input file itself: keys, values, lines and contradictions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from finegrain.classical.input.load import load_input
from finegrain.classical.input.model import sections
from finegrain.errors import InputError, Problem
from finegrain.kinds.registry import template
from finegrain.toml_input.source import read_toml
from finegrain.words.report import error_text

golden = Path(__file__).parents[3] / "golden"

good = """\
[system]
kind = "classical"
topology = "a.prmtop"
[forces]
cutoff = "9 Å"
[dynamics]
timestep = "2 fs"
steps = 10
temperature = "300 K"
"""


def problems_of(tmp_path: Path, text: str) -> list[Problem]:
    path = tmp_path / "in.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_input(path)
    assert caught.value.exit_status == 1
    return caught.value.problems


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "what", "hint"),
    [
        ('cutoff = "9 Å"', 'cutof = "9 Å"', 5, "forces.cutof", "unknown key", "forces.cutoff?"),
        ('cutoff = "9 Å"', "seed = 3", 5, "forces.seed", "unknown key", "belongs in [dynamics]"),
        ('cutoff = "9 Å"', "x_y_z = 3", 5, "forces.x_y_z", "unknown key", "keys of [forces]"),
        ("[forces]", "[force]", 4, "force", "unknown section", "did you mean [forces]?"),
        ('"9 Å"', "9.0", 5, "forces.cutoff = 9.0", "has no unit", '"9.0 Å"'),
        ('"9 Å"', '"9 K"', 5, "forces.cutoff = 9 K", "K is not the unit", '"9 Å"'),
        ('"9 Å"', '"-9 Å"', 5, "forces.cutoff = -9 Å", "must be positive", '"9 Å"'),
        ('"2 fs"', "2", 7, "dynamics.timestep = 2", "has no unit", '"2 fs"'),
        ("steps = 10", "steps = 1.5", 8, "dynamics.steps = 1.5", "not a whole number", "1000"),
        ("steps = 10", "steps = -1", 8, "dynamics.steps = -1", "out of range", ""),
        ("steps = 10", "", 6, "dynamics.steps", "missing key", "steps = 1000"),
        ('"classical"', '"clasical"', 2, "system.kind = clasical", "not a known", '"classical"'),
        ('"classical"', '"ab-initio"', 2, "system.kind = ab-initio", "not a known", '"classical"'),
        ('topology = "a.prmtop"', "", 1, "system.topology", "missing key", "JAC.prmtop"),
        ('"a.prmtop"', "3", 3, "system.topology = 3", "not text", "JAC.prmtop"),
        ('"9 Å"', '"9,5 Å"', 5, "forces.cutoff = 9,5 Å", "comma", "decimals take a point"),
        ('"9 Å"', '"1e400 nm"', 5, "forces.cutoff = 1e400 nm", "not a finite", '"9 Å"'),
        ('"9 Å"', "inf", 5, "forces.cutoff = inf", "is not a finite number", '"9 Å"'),
        ('"2 fs"', '"2 ps"', 7, "dynamics.timestep = 2 ps", "out of range", "hydrogen"),
        ('"300 K"', '"3e5 K"', 9, "dynamics.temperature = 3e5 K", "out of range", '"300 K"'),
    ],
)
def test_a_wrong_key_or_value_is_reported_with_line_and_remedy(
    tmp_path: Path, old: str, new: str, line: int, key: str, what: str, hint: str
) -> None:
    assert old in good
    (found,) = problems_of(tmp_path, good.replace(old, new))
    assert found.where == f"in.toml:{line}"
    assert found.value == key
    assert what in found.what
    assert hint in found.hint
    assert found.hint or found.limit


tolerance_and_coefficient = 'ewald_tolerance = 1e-5\newald_coefficient = "0.3 1/Å"'


@pytest.mark.parametrize(
    ("extra", "key", "what"),
    [
        ('switch = "10 Å"', "forces.switch", "starts beyond the cutoff"),
        ('mesh = [8, 8, 8]\nmesh_spacing = "1 Å"', "forces.mesh_spacing", "given beside"),
        (tolerance_and_coefficient, "forces.ewald_tolerance", "given beside"),
        ("mesh = [8, 8]", "forces.mesh", "needs 3 values"),
        ('switching = "energy"', "forces.switching", "not a known value"),
        ('bits = "exact"', "forces.bits", "not a known value"),
        ("mesh = [8, 8, 0]", "forces.mesh", "out of range"),
        ("spline_order = 7", "forces.spline_order", "not a known value"),
        ('electrostatics = "plain"\nmesh = [8, 8, 8]', "forces.mesh", "has no use"),
        ('influence_function = "best"', "forces.influence_function", "not a known value"),
        (
            'electrostatics = "reaction-field"\ninfluence_function = "optimal"',
            "forces.influence_function",
            "has no use",
        ),
        ("rigid_water = 1", "forces.rigid_water", "not true or false"),
        ("ewald_tolerance = 0.7", "forces.ewald_tolerance", "out of range"),
    ],
)
def test_contradictions_in_forces_are_told(tmp_path: Path, extra: str, key: str, what: str) -> None:
    (found,) = problems_of(tmp_path, good.replace('cutoff = "9 Å"', f'cutoff = "9 Å"\n{extra}'))
    assert found.value.startswith(key)
    assert what in found.what


@pytest.mark.parametrize(
    ("section", "key", "value", "limit"),
    [
        ("dynamics", "steps", 2**62, "at most 1,000,000,000,000,000"),
        ("dynamics", "steps", 10**400, "at most 1,000,000,000,000,000"),
        ("dynamics", "remove_com_motion", 2**63, "at most 1,000,000,000"),
        ("dynamics", "seed", 2**63, "less than 9,223,372,036,854,775,808"),
        ("minimise", "steps", 10**10, "at most 1,000,000,000"),
        ("output", "trajectory_interval", 2**64, "at most 1,000,000,000"),
        ("output", "energy_interval", 2**64, "at most 1,000,000,000"),
        ("forces", "rebuild_interval", 10**7, "at most 1,000,000"),
        ("forces", "prune_interval", 10**7, "at most 1,000,000"),
        ("forces", "mesh", [8, 8, 8194], "at most 8,192"),
        ("patches", "grid", [2**62] * 3, "at most 1,024"),
        ("patches", "pes", 10**7, "at most 1,000,000"),
        ("patches", "pair_computes", 15, "at most 14"),
        ("patches", "pair_computes", 0, "at least 1"),
        ("mesh", "pencils", [2**40, 1], "at most 4,096"),
    ],
)
def test_numbers_beyond_what_the_engine_takes_are_reported(
    tmp_path: Path, section: str, key: str, value: int | list[int], limit: str
) -> None:
    lines = good.replace("steps = 10\n", "" if key == "steps" else "steps = 10\n").splitlines()
    if f"[{section}]" not in lines:
        lines.append(f"[{section}]")
    if section == "minimise":
        lines.insert(lines.index("[dynamics]") + 1, "steps = 10")
    line = lines.index(f"[{section}]") + 1
    lines.insert(line, f"{key} = {value}")
    (found,) = problems_of(tmp_path, "\n".join(lines))
    assert found.where == f"in.toml:{line + 1}"
    assert found.value.startswith(f"{section}.{key}")
    assert found.what == "out of range"
    assert found.limit == limit


@pytest.mark.parametrize("number", ["inf", "nan", "1e400", "0.5"])
def test_a_dielectric_that_no_medium_has_is_reported(tmp_path: Path, number: str) -> None:
    line = f"reaction_field_dielectric = {number}\n"
    (found,) = problems_of(tmp_path, good.replace("[dynamics]", f"{line}[dynamics]"))
    assert found.value.startswith("forces.reaction_field_dielectric")


@pytest.mark.parametrize(
    ("topology", "extra", "key"),
    [
        ("openmmtools:WaterBox", 'parameters = ["x.prm"]', "parameters"),
        ("openmmtools:WaterBox", 'include = ["x"]', "include"),
        ("a.prmtop", 'forcefield = ["amber14-all.xml"]', "forcefield"),
        ("a.prmtop", 'include = ["x"]', "include"),
        ("a.PRMTOP", 'parameters = ["x.prm"]', "parameters"),
        ("a.top", 'forcefield = ["amber14-all.xml"]', "forcefield"),
        ("a.psf", 'include = ["x"]', "include"),
        ("a.pdb", 'parameters = ["x.prm"]', "parameters"),
        ("a.xml", 'forcefield = ["amber14-all.xml"]', "forcefield"),
    ],
)
def test_ignored_keys_are_refused(tmp_path: Path, topology: str, extra: str, key: str) -> None:
    text = good.replace("a.prmtop", topology).replace("[forces]", f"{extra}\n[forces]")
    (found,) = problems_of(tmp_path, text)
    assert found.where == "in.toml:4"
    assert found.value.startswith(f"system.{key} = ")
    assert "has no use with a topology" in found.what
    assert "take it out" in found.hint


@pytest.mark.parametrize(
    ("topology", "extra"),
    [
        ("a.prmtop", 'coordinates = "a.rst7"\nbox = ["30 Å", "30 Å", "30 Å"]'),
        ("a.psf", 'coordinates = "a.crd"\nparameters = ["x.prm"]'),
        ("a.top", 'coordinates = "a.gro"\ninclude = ["x"]'),
        ("a.pdb", 'coordinates = "b.pdb"\nforcefield = ["amber14-all.xml"]'),
        ("openmmtools:WaterBox", 'coordinates = "runs/water/checkpoint.h5"'),
        ("a.prmtop", 'coordinates = "runs/a/trajectory.h5"\nframe = 10'),
    ],
)
def test_keys_that_go_with_a_topology_are_taken(tmp_path: Path, topology: str, extra: str) -> None:
    path = tmp_path / "in.toml"
    path.write_text(good.replace("a.prmtop", topology).replace("[forces]", f"{extra}\n[forces]"))
    assert load_input(path).problems == []


@pytest.mark.parametrize(
    ("last", "key", "what"),
    [
        ('ensemble = "nvt"', "dynamics.ensemble", "needs"),
        ('temperature = "300 K"\nfriction = "1 1/ps"', "dynamics.friction", "no use in nve"),
        ('velocities = "from-temperature"', "dynamics.velocities", "needs a temperature"),
    ],
)
def test_contradictory_dynamics_are_told(tmp_path: Path, last: str, key: str, what: str) -> None:
    (found,) = problems_of(tmp_path, good.replace('temperature = "300 K"', last))
    assert found.value.startswith(key)
    assert what in found.what
    assert found.hint


def test_all_problems_are_reported_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = good.replace('"9 Å"', "9").replace('"2 fs"', '"2 Å"') + "sead = 3\n[outputs]\nx = 1\n"
    found = problems_of(tmp_path, text)
    assert [p.where for p in found] == [f"in.toml:{line}" for line in (5, 7, 10, 11)]


def test_two_problems_read_as_in_the_manual(
    problems: Callable[..., list[Problem]], tmp_path: Path
) -> None:
    text = (
        '[system]\nkind = "classical"\ntopology = "water.xml"\ncoordinates = "water.pdb"\n\n'
        '[forces]\nelectrostatics = "pme"\nmesh_spacing = "1 Å"\ncutoff = "12 Å"\n\n'
        '[dynamics]\ntimestep = "2 fs"\nsteps = 100\ntemprature = "300 K"\n'
    )
    error = InputError(problems(text), source="water.toml")
    error.outcome = "nothing was run"
    assert error_text(error) == (golden / "two_problems.txt").read_text()


def test_broken_toml_is_reported_with_its_line(tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path, good.replace('"9 Å"', "9 Å"))
    assert found.where == "in.toml:5"
    assert "not valid TOML" in found.what
    assert "quotes" in found.hint


def test_a_mark_at_the_beginning_of_the_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "in.toml"
    path.write_bytes(b"\xef\xbb\xbf" + good.encode())
    loaded = load_input(path)
    assert loaded.source.lines["system"] == 1
    assert loaded.source.text == good


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "first"),
    [
        ('cutoff = "9 Å"', 'cutoff = "9 Å"\ncutoff = "8 Å"', 6, "forces.cutoff", 5),
        ('temperature = "300 K"\n', "steps = 20", 9, "dynamics.steps", 8),
        ("[dynamics]", "[forces]\n[dynamics]", 6, "forces", 4),
    ],
)
def test_a_key_given_twice_is_reported_with_both_lines(
    tmp_path: Path, old: str, new: str, line: int, key: str, first: int
) -> None:
    (found,) = problems_of(tmp_path, good.replace(old, new))
    assert (found.where, found.value, found.what) == (f"in.toml:{line}", key, "is given twice")
    assert f"line {first}" in found.hint
    assert "quotes" not in found.hint


def test_a_key_given_twice_within_braces_is_reported(tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path, "patches = {grid = [1, 1, 1], grid = [2, 2, 2]}\n" + good)
    assert (found.where, found.value) == ("in.toml:1", "patches.grid")
    assert found.what == "is given twice"


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("9" * 5000, "is a number that is too long"),
        ("0x" + "f" * 4000, "is a number that is too long"),
        ("[1, 0x" + "f" * 4000 + "]", "is a number that is too long"),
        ("[" * 3000, "is a list that is too deep"),
        ("[" * 3000 + "]" * 3000, "is a list that is too deep"),
        ("[\n" * 3000, "is a list that is too deep"),
    ],
)
def test_a_value_that_no_reader_can_hold_is_reported(tmp_path: Path, value: str, what: str) -> None:
    (found,) = problems_of(tmp_path, good.replace("10", value))
    line = 1 + good[: good.index("steps = 10")].count("\n")
    assert (found.where, found.value) == (f"in.toml:{line}", "dynamics.steps")
    assert found.what == what
    assert found.hint


@pytest.mark.parametrize(
    ("old", "what"), [("10", "out of range"), ('"2 fs"', "is not a finite number")]
)
def test_a_whole_number_beyond_all_floats_is_reported(tmp_path: Path, old: str, what: str) -> None:
    (found,) = problems_of(tmp_path, good.replace(old, "1" + "0" * 400))
    assert found.where.startswith("in.toml:")
    assert found.what == what


def test_a_missing_or_binary_input_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_input(tmp_path / "none.toml")
    assert "no such file" in caught.value.what
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError) as caught:
        load_input(path)
    assert "not UTF-8" in caught.value.what


def test_lines_are_found_behind_comments_and_long_values(tmp_path: Path) -> None:
    path = tmp_path / "in.toml"
    path.write_text(
        '# [forces]\n[system] # here\nlist = [ # "]"\n  1,\n  2]\ntext = """\n[x]\ny = 1\n"""\n'
        "'odd' = 1\na.b = 2\n[ forces ]\ncutoff = 'x = ['\nmesh = {a = 1, b = [2]}\nlast = 1\n"
    )
    source = read_toml(path)
    lines = {"system": 2, "system.list": 3, "system.text": 6, "system.odd": 10, "system.a.b": 11}
    lines |= {"forces": 12, "forces.cutoff": 13, "forces.mesh": 14, "forces.last": 15}
    assert source.lines == lines
    assert source.line_of("forces.nothing") == 12


@pytest.mark.parametrize(
    "kind", ["amber", "charmm", "gromacs", "pdb", "openmm", "water", "dhfr", "vacuum"]
)
def test_templates_are_valid_inputs(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"{kind}.toml"
    path.write_text(template(kind))
    assert load_input(path).model.dynamics is not None


def test_an_unknown_template_names_the_known() -> None:
    with pytest.raises(InputError) as caught:
        template("ambre")
    assert "did you mean amber?" in caught.value.hint


def test_every_key_of_the_design_is_known() -> None:
    forces = (
        "cutoff switch electrostatics mesh mesh_spacing spline_order ewald_coefficient "
        "ewald_tolerance dispersion_correction constraints rigid_water precision"
    )
    assert set(forces.split()) <= set(sections["forces"].model_fields)
    system = "kind topology coordinates parameters forcefield"
    assert set(system.split()) <= set(sections["system"].model_fields)
    dynamics = "ensemble timestep steps temperature friction seed"
    assert set(dynamics.split()) <= set(sections["dynamics"].model_fields)
