# SPDX-License-Identifier: BSD-3-Clause
"""Structures: what ASE reads, cells, atoms that overlap, and structures without a file."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT, WATER, with_lines
from ase import Atoms
from ase.build import bulk
from ase.io import write

from finegrain.ab_initio.ions.built_in import built_in
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton

Problems = Callable[..., list[Problem]]
Prepares = Callable[..., Prepared]
SILICON = INPUT.replace(
    '{ O = "GTH_POTENTIALS", H = "GTH_POTENTIALS" }', '{ Si = "GTH_POTENTIALS" }'
)


def named(text: str, name: str) -> str:
    return text.replace('"water.xyz"', f'"{name}"')


def test_positions_cell_and_masses_are_in_atomic_units(prepared: Prepares) -> None:
    structure = prepared().structure
    assert structure.symbols == ("O", "H", "H")
    assert np.allclose(structure.vectors, np.eye(3) * 6 / bohr_in_angstrom, rtol=1e-14)
    expected = np.array([[3, 3, 3], [3.757, 3, 3.586], [2.243, 3, 3.586]]) / bohr_in_angstrom
    assert np.allclose(structure.position, expected, rtol=1e-14)
    # Standard atomic weights of IUPAC, as ASE has them.
    assert structure.mass * electron_mass_in_dalton == pytest.approx([15.999, 1.008, 1.008])


@pytest.mark.parametrize("name", ["silicon.cif", "POSCAR", "silicon.pdb", "silicon.gen", "a.traj"])
def test_any_file_of_ase_gives_the_same_run(folder: Path, prepared: Prepares, name: str) -> None:
    write(folder / name, bulk("Si", cubic=True, a=5.5))
    structure = prepared(named(SILICON, name)).structure
    assert structure.symbols == ("Si",) * 8
    # pdb files have three digits after the point
    assert structure.volume * bohr_in_angstrom**3 == pytest.approx(5.5**3, rel=1e-4)


def test_the_cell_of_the_input_has_priority_over_that_of_the_file(prepared: Prepares) -> None:
    text = with_lines(INPUT, "system", 'cell = ["7 Å", "8 Å", "9 Å", "90°", "90°", "60°"]')
    vectors = prepared(text).structure.vectors * bohr_in_angstrom
    assert np.allclose(np.linalg.norm(vectors, axis=1), [7, 8, 9])
    assert vectors[0] @ vectors[1] == pytest.approx(7 * 8 * 0.5)


def test_a_left_handed_cell_becomes_right_handed(folder: Path, prepared: Prepares) -> None:
    swapped = WATER.replace("6 0 0 0 6 0 0 0 6", "0 6 0 6 0 0 0 0 7")
    (folder / "water.xyz").write_text(swapped)
    ready = prepared()
    vectors = ready.structure.vectors * bohr_in_angstrom
    assert np.allclose(vectors, [[0, 6, 0], [6, 0, 0], [0, 0, -7]])
    assert np.linalg.det(vectors) > 0
    assert any("left-handed" in note for note in ready.given.notes)


def test_one_frame_of_many_is_the_last_or_the_asked_one(folder: Path, prepared: Prepares) -> None:
    (folder / "water.xyz").write_text(WATER + WATER.replace("3.757", "3.787"))
    assert prepared().structure.position[1, 0] * bohr_in_angstrom == pytest.approx(3.787)
    first = with_lines(INPUT, "system", "frame = 0")
    assert prepared(first).structure.position[1, 0] * bohr_in_angstrom == pytest.approx(3.757)


@pytest.mark.parametrize(
    ("written", "lines", "told"),
    [
        ("T T F", (), "only vacuum separates images"),
        ("F F F", (), 'boundary = "isolated"'),
        ("T T T", (), ""),
        ("F F F", ('boundary = "isolated"',), ""),
        ("F F F", ('cell = ["6 Å", "6 Å", "6 Å"]',), ""),  # the user's own
    ],
)
def test_directions_without_images_are_told_to_have_some(
    folder: Path, prepared: Prepares, written: str, lines: tuple[str, ...], told: str
) -> None:
    (folder / "water.xyz").write_text(WATER.replace("T T T", written))
    ready = prepared(with_lines(INPUT, "system", *lines))
    found = [note for note in ready.given.notes if "pbc" in note]
    assert len(found) == bool(told)
    assert all(told in note and f'pbc = "{written}"' in note for note in found)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (
            WATER.replace('Lattice="6 0 0 0 6 0 0 0 6" ', "").replace("T T T", "F F F"),
            "has no cell",
        ),
        (WATER.replace("6 0 0 0 6 0 0 0 6", "6 0 0 0 6 0 6 6 0"), "spans no volume"),
        (WATER.replace("6 0 0 0 6 0 0 0 6", "nan 0 0 0 6 0 0 0 6"), "spans no volume"),
        (WATER.replace("H 3.757", "X 3.757"), "atom 2 is of no element"),
        (WATER.replace("H 3.757", "H nan"), "atom 2 has no position"),
        (WATER.replace("H 3.757", "Q 3.757"), "cannot be read"),
        ("", "is empty"),
        ("7\n\nO 0 0\n", "cannot be read"),
    ],
)
def test_unfit_files_are_refused(folder: Path, problems: Problems, content: str, what: str) -> None:
    (folder / "water.xyz").write_text(content)
    (problem,) = problems()
    assert what in problem.what
    assert problem.where == "water.toml:3"
    assert problem.hint


@pytest.mark.parametrize(
    ("name", "what"),
    [("nowhere.xyz", "no such file"), (".", "is a folder"), ("water.zzz", "is of no format")],
)
def test_an_unknown_name_is_refused(folder: Path, problems: Problems, name: str, what: str) -> None:
    (folder / "water.zzz").write_text("\x00\x01 nothing")
    (problem,) = problems(named(INPUT, name))
    assert what in problem.what


def test_a_frame_that_is_not_there_is_refused(problems: Problems) -> None:
    (problem,) = problems(with_lines(INPUT, "system", "frame = 3"))
    assert (problem.what, problem.limit) == ("has no frame 3", "0 to 0")


def test_atoms_that_overlap_are_told_with_their_distance(folder: Path, problems: Problems) -> None:
    (folder / "water.xyz").write_text(WATER.replace("3.757 3.0 3.586", "3.2 3.0 3.0"))
    (problem,) = problems()
    assert problem.value == "O (atom 1) and H (atom 2)"
    assert problem.what == "are 0.200 Å apart"
    # Half the sum of the covalent radii of Cordero et al. (2008): 0.66 and 0.31 Å.
    assert problem.limit == "0.485 Å, half of their bond length"
    assert "least_distance" in problem.hint


def test_overlaps_with_images_count(folder: Path, problems: Problems) -> None:
    (folder / "water.xyz").write_text(WATER.replace("H 2.243 3.0 3.586", "H 9.2 3.0 3.0"))
    (problem,) = problems()
    assert (problem.value, problem.what) == ("O (atom 1) and H (atom 3)", "are 0.200 Å apart")
    flat = INPUT.replace('"water.xyz"', '"water.xyz"\ncell = ["6 Å", "6 Å", "0.5 Å"]')
    found = problems(flat)
    assert any("its own image" in one.value or "more such pairs" in one.limit for one in found)


def test_a_least_distance_can_be_set(folder: Path, prepared: Prepares, problems: Problems) -> None:
    close = WATER.replace("3.757 3.0 3.586", "3.3 3.0 3.0")
    (folder / "water.xyz").write_text(close)
    assert problems()
    assert prepared(with_lines(INPUT, "system", 'least_distance = "0.2 Å"')).bands == 4
    far = problems(with_lines(INPUT, "system", 'least_distance = "1.5 Å"'))
    assert far[0].where == "water.toml:2"


def test_too_many_atoms_are_refused_before_any_comparison(folder: Path, problems: Problems) -> None:
    write(folder / "many.xyz", Atoms("H4001", np.zeros((4001, 3)), cell=[90] * 3, pbc=True))
    (problem,) = problems(named(INPUT, "many.xyz"))
    assert (problem.what, problem.limit) == ("has 4,001 atoms", "4,000 atoms")


def test_ice_has_the_bonds_and_angles_of_water() -> None:
    ice = built_in("ice")
    assert not isinstance(ice, Problem)
    assert ice.get_chemical_formula() == "H16O8"
    for oxygen in range(0, 24, 3):
        assert ice.get_distance(oxygen, oxygen + 1, mic=True) == pytest.approx(0.98)
        assert ice.get_distance(oxygen, oxygen + 2, mic=True) == pytest.approx(0.98)
        angle = ice.get_angle(oxygen + 1, oxygen, oxygen + 2, mic=True)
        assert angle == pytest.approx(np.degrees(np.arccos(-1 / 3)))
    # Ice rules: each oxygen has two hydrogens near, and two of its neighbours on its other bonds.
    apart = ice.get_all_distances(mic=True)
    oxygens = ice.numbers == 8
    hydrogens = np.sort(apart[np.ix_(oxygens, ~oxygens)], axis=1)
    bond = 6.36 * np.sqrt(3) / 4
    assert np.allclose(hydrogens[:, 2:4], bond - 0.98)
    # No two hydrogens of different molecules meet.
    assert np.sort(apart[np.ix_(~oxygens, ~oxygens)], axis=1)[:, 1].min() > 1.5


def test_structures_without_a_file(prepared: Prepares, problems: Problems) -> None:
    assert prepared(named(SILICON, "built-in:silicon")).bands == 16
    molecule = named(INPUT, "built-in:H2O")
    assert "has no cell" in problems(molecule)[0].what
    ready = prepared(with_lines(molecule, "system", 'cell = ["7 Å", "7 Å", "7 Å"]'))
    assert sorted(ready.structure.symbols) == ["H", "H", "O"]
    (problem,) = problems(named(INPUT, "built-in:iec"))
    assert 'did you mean "built-in:ice"?' in problem.hint


def test_a_name_with_an_at_sign_is_a_name(folder: Path, prepared: Prepares) -> None:
    (folder / "water@home.xyz").write_text(WATER)
    assert prepared(named(INPUT, "water@home.xyz")).bands == 4


def test_magnetic_moments_and_charges_of_a_file_are_noted(folder: Path, prepared: Prepares) -> None:
    columns = "species:S:1:pos:R:3:initial_magmoms:R:1:initial_charges:R:1"
    lines = WATER.replace("species:S:1:pos:R:3", columns).splitlines()
    (folder / "water.xyz").write_text(
        "\n".join(lines[:2] + [f"{line} 1.0 0.5" for line in lines[2:]]) + "\n"
    )
    notes = " ".join(prepared().given.notes)
    assert "magnetic moments" in notes
    assert "charges of the file" in notes


@pytest.mark.parametrize("frame", [2, 5, -3, -9])
def test_a_frame_beyond_either_end_is_refused(folder: Path, problems: Problems, frame: int) -> None:
    (folder / "water.xyz").write_text(WATER + WATER)
    (problem,) = problems(with_lines(INPUT, "system", f"frame = {frame}"))
    assert (problem.what, problem.limit) == (f"has no frame {frame}", "0 to 1")


def test_a_frame_of_a_structure_without_a_file_is_refused(problems: Problems) -> None:
    (problem,) = problems(with_lines(named(INPUT, "built-in:ice"), "system", "frame = 3"))
    assert "has no use with a built-in structure" in problem.what


@pytest.mark.parametrize("isotope", ["D", "T"])
def test_isotopes_are_told_with_a_remedy(folder: Path, problems: Problems, isotope: str) -> None:
    (folder / "water.xyz").write_text(WATER.replace("H 3.757", f"{isotope} 3.757"))
    (problem,) = problems()
    assert f"isotope {isotope}" in problem.what
    assert "masses" in problem.hint


def scaled(factor: float) -> str:
    rows = WATER.splitlines()
    atoms = [line.split() for line in rows[2:]]
    moved = [[name, *(f"{factor * float(x):.6f}" for x in place)] for name, *place in atoms]
    return "\n".join([rows[0], rows[1].replace("6", "12"), *map(" ".join, moved)]) + "\n"


@pytest.mark.parametrize(("factor", "noted"), [(1.0, False), (1.2, False), (1.8897, True)])
def test_positions_that_look_like_bohr_are_noted(
    folder: Path, prepared: Prepares, factor: float, *, noted: bool
) -> None:
    (folder / "water.xyz").write_text(scaled(factor))
    notes = [note for note in prepared().given.notes if "are they in bohr?" in note]
    assert len(notes) == noted
    if noted:
        assert "O (atom 1) and H (atom 2)" in notes[0]
        assert "1.81 Å apart" in notes[0]


def test_an_atom_alone_and_noble_gases_may_be_far_apart() -> None:
    from finegrain.ab_initio.ions.overlaps import far_apart
    from finegrain.ab_initio.ions.structure import Structure

    def note(symbols: tuple[str, ...], apart: float) -> str:
        place = np.array([[apart * n, 0.0, 0.0] for n in range(len(symbols))])
        mass = np.ones(len(symbols))
        return far_apart(Structure(20 * np.eye(3), place, symbols, mass, 0 * mass, None))

    assert note(("O",), 0.0) == ""
    assert note(("Ar", "Ar"), 7.1) == ""
    assert note(("O", "O"), 5.0) != ""
    assert note(("O", "O"), 7.1) == ""  # farther apart than a wrong unit takes a bond


def test_a_small_cell_is_bonded_through_its_images(prepared: Prepares, folder: Path) -> None:
    write(folder / "water.xyz", bulk("Si"))
    text = SILICON.replace('"20 Ry"', '"20 Ry"\nallow_low_cutoff = true')
    assert not [note for note in prepared(text).given.notes if "bohr" in note]
