# SPDX-License-Identifier: BSD-3-Clause
"""prepare --liquid: boxes of the density asked for, without overlaps, and what is refused."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ase.build import molecule
from ase.data import atomic_masses
from ase.io import read, write

import finegrain as fg
from finegrain.ab_initio.building.liquid_input import liquid_input
from finegrain.ab_initio.building.packing import LEAST_SHARE, contacts_of, packed_box
from finegrain.ab_initio.input.load import load_input
from finegrain.errors import InputError, Problem

DALTON_IN_GRAMS = 1.66053906660e-24  # CODATA 2018


@pytest.fixture
def water(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a water in the current folder."""
    monkeypatch.chdir(tmp_path)
    write("water.xyz", molecule("H2O"))
    return Path("water.xyz")


def problems_of(*given: object, **wishes: object) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        fg.prepare_liquid(*given, **wishes)  # type: ignore[arg-type]
    return caught.value.problems


def closest_of_two(position: np.ndarray, edge: np.ndarray, atoms: int) -> np.ndarray:
    """Return the distance of each pair of atoms of two copies; nearest images."""
    apart = position[:, None] - position
    apart -= edge * np.round(apart / edge)
    owner = np.arange(len(position)) // atoms
    return np.linalg.norm(apart, axis=2)[owner[:, None] != owner]


def test_a_box_of_water_has_its_density(water: Path) -> None:
    made = fg.prepare_liquid(water, 64, density="0.997 g/ml")
    assert (made.input, made.system) == (Path("water.toml"), Path("water-system.xyz"))
    atoms = read(made.system)
    assert atoms.get_chemical_formula() == "H128O64"
    assert atoms.pbc.all()
    # 64 waters of 18.015 Da: 1916.1 Å^3, the cube of 12.421 Å that papers on 64 waters use.
    grams = 64 * (atomic_masses[8] + 2 * atomic_masses[1]) * DALTON_IN_GRAMS
    assert grams / (atoms.get_volume() * 1e-24) == pytest.approx(0.997, rel=1e-6)
    assert atoms.cell.lengths() == pytest.approx(12.42, abs=0.01)
    # Every copy is the molecule, and hydrogen bonds are the closest contacts.
    alone = read(water).get_all_distances()[np.triu_indices(3, 1)]
    for first in range(0, 192, 3):
        one = atoms.positions[first : first + 3]
        inside = np.linalg.norm(one[:, None] - one, axis=2)[np.triu_indices(3, 1)]
        assert inside == pytest.approx(alone, abs=1e-6)
    apart = closest_of_two(atoms.positions, atoms.cell.lengths(), 3)
    assert apart.min() == pytest.approx(made.closest_angstrom, abs=1e-6)
    assert apart.min() > 1.65  # Å; hydrogen bonds of liquid water begin there
    oxygen = atoms.positions[::3]
    assert closest_of_two(oxygen, atoms.cell.lengths(), 1).min() > 2.4  # of liquid water, too


def test_its_input_is_one_of_an_ab_initio_run(water: Path) -> None:
    made = fg.prepare_liquid(water, 8, density="997 kg/m^3", temperature="330 K", seed=5)
    given = load_input(made.input).model
    assert given.system.structure == "water-system.xyz"
    assert given.dynamics.kind == "born-oppenheimer"
    assert given.dynamics.thermostat == "velocity-rescaling"
    assert str(given.dynamics.temperature) == "330 K"
    assert given.dynamics.seed == 5
    assert tomllib.loads(made.input.read_text())["electrons"]["cutoff"] == f"{made.cutoff_ry:g} Ry"
    assert made.as_dict()["density_g_per_ml"] == pytest.approx(0.997)


def test_the_same_seed_makes_the_same_files(water: Path) -> None:
    texts = []
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        made = fg.prepare_liquid(water, 16, f"{name}.toml", density="0.997 g/ml", seed=seed)
        texts.append(made.system.read_text())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(
    ("name", "copies", "density"),
    [
        # At 25 °C (CRC Handbook): methanol, benzene, and liquid argon at its boiling point.
        ("CH3OH", 16, "0.787 g/ml"),
        ("C6H6", 12, "0.874 g/ml"),
        ("Ar", 32, "1.396 g/ml"),
    ],
)
def test_other_liquids_can_be_packed(
    name: str, copies: int, density: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    atoms = molecule(name) if name != "Ar" else None
    source: Path | str = f"built-in:{name}"
    if atoms is None:
        Path("Ar.xyz").write_text("1\nargon\nAr 0 0 0\n")
        source = "Ar.xyz"
    made = fg.prepare_liquid(source, copies, density=density)
    assert made.input == Path(f"{name}.toml")
    assert made.density_g_per_ml == pytest.approx(float(density.split()[0]), rel=1e-6)
    found = read(made.system)
    size = len(found) // copies
    contacts = contacts_of(found.get_chemical_symbols()[:size])
    apart = closest_of_two(found.positions, found.cell.lengths(), size)
    assert apart.min() > LEAST_SHARE * contacts.min()
    timestep = tomllib.loads(made.input.read_text())["dynamics"]["timestep"]
    assert timestep == ("1 fs" if name == "Ar" else "0.5 fs")


def test_a_cell_in_place_of_a_density(water: Path) -> None:
    made = fg.prepare_liquid(water, 16, cell="7 Å, 8 Å, 0.9 nm")
    assert made.cell_angstrom == pytest.approx([7, 8, 9])
    grams = 16 * (atomic_masses[8] + 2 * atomic_masses[1]) * DALTON_IN_GRAMS
    assert made.density_g_per_ml == pytest.approx(grams / 504e-24, rel=1e-6)
    cube = fg.prepare_liquid(water, 16, "cube.toml", cell=["8 Å"])
    assert cube.cell_angstrom == pytest.approx([8, 8, 8])
    alone = fg.prepare_liquid(water, 1, "alone.toml", cell="8 Å")
    assert alone.closest_angstrom is None


def test_masses_of_the_file_count(water: Path) -> None:
    heavy = read(water)
    heavy.set_masses([15.999, 2.014, 2.014])
    write("heavy.xyz", heavy, columns=["symbols", "positions", "masses"])
    light = fg.prepare_liquid(water, 8, density="1 g/ml")
    made = fg.prepare_liquid("heavy.xyz", 8, density="1 g/ml")
    ratio = 20.027 / (atomic_masses[8] + 2 * atomic_masses[1])
    volumes = [np.prod(one.cell_angstrom) for one in (made, light)]
    assert volumes[0] / volumes[1] == pytest.approx(ratio, rel=1e-6)
    assert read(made.system).get_masses()[:3] == pytest.approx([15.999, 2.014, 2.014])


def test_copies_of_a_long_molecule_do_not_pass_through_each_other() -> None:
    """Eight carbons in a line, 1.5 Å apart: none comes nearer than a share of its contact."""
    chain = np.arange(8)[:, None] * np.array([1.5, 0, 0])
    contacts = contacts_of(["C"] * 8)
    found = packed_box(chain, contacts, 6, np.full(3, 14.0), seed=3)
    apart = closest_of_two(found.position.reshape(-1, 3), np.full(3, 14.0), 8)
    assert apart.min() == pytest.approx(found.closest)
    assert found.share == pytest.approx(found.closest / contacts.max())
    assert found.share > LEAST_SHARE


@pytest.mark.parametrize(
    ("wishes", "where", "what"),
    [
        ({"density": "30 g/ml"}, "--density", "is no density of a liquid"),
        ({"density": "-1 g/ml"}, "--density", "is no density of a liquid"),
        ({"density": "0.997"}, "--density", "has no unit"),
        ({"density": 0.997}, "--density", "has no unit"),
        ({"density": "1 kg"}, "--density", "is not a density"),
        ({"density": "4 g/ml"}, "--density", "is too dense to pack"),
        ({"cell": "4.2 Å"}, "--cell", "is too dense to pack"),
        ({"cell": "3 Å"}, "--cell", "would touch its own image"),
        ({"cell": "1e-3 Å"}, "--cell", "is out of range"),
        ({"cell": "8 Å, 8 Å"}, "--cell", "is no cell"),
        ({"cell": "8"}, "--cell", "has no unit"),
        ({"cell": 8}, "--cell", "is no cell"),
        ({"cell": "8 Å", "density": "1 g/ml"}, "--cell", "follows from the copies"),
        ({}, "--density", "a liquid needs a density or a cell"),
        ({"density": "1 g/ml", "temperature": "0 K"}, "--temperature", "out of range"),
        ({"density": "1 g/ml", "temperature": "warm"}, "--temperature", "not a temperature"),
        ({"density": "1 g/ml", "seed": -1}, "--seed", "is no such number"),
    ],
)
def test_wrong_choices_are_refused(
    water: Path, wishes: dict[str, object], where: str, what: str
) -> None:
    found = problems_of(water, 8, **wishes)
    assert [one.where for one in found] == [where]
    assert what in found[0].what
    assert sorted(file.name for file in Path().iterdir()) == ["water.xyz"]


@pytest.mark.parametrize("copies", [0, -3, 2.5, "64", None, True, 10**9])
def test_numbers_of_copies_are_checked(water: Path, copies: object) -> None:
    found = problems_of(water, copies, density="1 g/ml")
    assert found[0].where == "--liquid"


def test_more_atoms_than_a_run_may_have_are_refused(water: Path) -> None:
    found = problems_of(water, 1400, density="1 g/ml")
    assert found[0].what == "are too many copies"
    assert "1,333 copies" in found[0].limit


def test_wrong_molecules_are_refused(water: Path) -> None:
    Path("two.xyz").write_text("2\ntwice\nO 0 0 0\nO 0 0 0.1\n")
    assert "apart" in problems_of("two.xyz", 8, density="1 g/ml")[0].what
    Path("none.xyz").write_text("1\nno element\nX 0 0 0\n")
    assert "is of no element" in problems_of("none.xyz", 8, density="1 g/ml")[0].what
    Path("cut.xyz").write_text("3\ncut\nO 0 0 0\n")
    assert problems_of("cut.xyz", 8, density="1 g/ml")[0].what == "cannot be read"
    Path("odd.txt").write_text("what is this\n")
    assert "no format that ASE knows" in problems_of("odd.txt", 8, density="1 g/ml")[0].what
    assert problems_of("absent.xyz", 8, density="1 g/ml")[0].what == "no such file"
    Path("folder").mkdir()
    assert problems_of("folder", 8, density="1 g/ml")[0].what == "is a folder, not a file"
    assert "did you mean" in problems_of("built-in:H2OO", 8, density="1 g/ml")[0].hint
    # All that is wrong is told at once.
    several = problems_of("absent.xyz", 0, "x.txt", density="no")
    assert [one.where for one in several] == ["x.txt", "absent.xyz", "--liquid", "--density"]


def test_files_are_not_replaced_by_mistake(water: Path) -> None:
    fg.prepare_liquid(water, 4, density="1 g/ml")
    found = problems_of(water, 4, density="1 g/ml")
    assert [one.what for one in found] == ["is there already"] * 2
    fg.prepare_liquid(water, 2, density="1 g/ml", overwrite=True)
    assert len(read("water-system.xyz")) == 6
    Path("a-system.xyz").write_text(water.read_text())
    found = problems_of("a-system.xyz", 4, "a.toml", density="1 g/ml", overwrite=True)
    assert found[0].what == "is what is being read"


def test_the_command_says_what_it_did(
    water: Path, accepted: Callable[..., object], refused: Callable[..., str]
) -> None:
    words = ("prepare", water, "--liquid", 8, "--density", "0.997 g/ml")
    said = accepted(*words).stdout  # type: ignore[attr-defined]
    assert "wrote water.toml and water-system.xyz" in said
    assert "density   0.9970 g/ml" in said
    assert "finegrain check water.toml" in said
    shown = json.loads(accepted(*words, "--overwrite", "--json").stdout)  # type: ignore[attr-defined]
    assert (shown["copies"], shown["atoms"]) == (8, 24)
    others = ("--salt", "1 M", "--ph", 7, "--charged")
    why = refused("prepare", water, "--liquid", 8, "--density", "1 g/ml", *others)
    for option in ("--salt", "--ph", "--neutral"):
        assert option in why
    assert why.count("has no use with a liquid") == 3
    assert "needs a number of copies" in refused("prepare", water, "--density", "1 g/ml")
    assert "whole number" in refused("prepare", water, "--liquid", 2.5, "--density", "1 g/ml")


def test_a_molecule_without_hydrogen_takes_longer_steps_and_odd_names_stay_text() -> None:
    text = liquid_input(
        title='a "b"\n',
        source="x\ny.xyz",
        name="x",
        structure='of "mine".xyz',
        molecules=3,
        cutoff=62.5,
        why_cutoff="a guess",
        temperature=90,
        has_hydrogen=False,
        seed=4,
    )
    given = tomllib.loads(text)
    assert given["system"]["structure"] == 'of "mine".xyz'
    assert given["dynamics"]["timestep"] == "1 fs"
    assert given["electrons"]["cutoff"] == "62.5 Ry"
