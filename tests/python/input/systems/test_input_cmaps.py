# SPDX-License-Identifier: BSD-3-Clause
"""CMAP terms and their tables, from every kind of file; damaged and unusable ones are reported."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from input_systems import (
    Waters,
    prepared_with,
    problems_of,
    replace_in,
    tip3p_force_field,
    write_alanine,
    write_input,
    write_waters,
)
from measure_gromacs_pairs import cases, write as write_gromacs
from water_files import write_charmm_water

from finegrain.classical.preparation.prepare import prepare
from finegrain.classical.system.cmap_maps import map_problems
from finegrain.errors import Problem
from finegrain.units import hartree_in_kj_per_mol

Problems = Callable[..., list[Problem]]
chain = (0, 3, 6, 9, 12)


def cmap(first: Any = chain[:4], second: Any = chain[1:], size: int = 2) -> Any:
    force = openmm.CMAPTorsionForce()
    force.addMap(size, [1.5 * i for i in range(size**2)])
    force.addTorsion(0, *first, *second)
    return force


def problem_of(toml: Path) -> Problem:
    found = problems_of(toml)[0]
    assert found.hint or found.limit
    return found


def test_terms_and_maps_of_several_forces_add_up(tmp_path: Path) -> None:
    table = prepared_with(tmp_path, cmap(), cmap(size=3)).system.terms["cmaps"]
    assert table.atoms.tolist() == [list(chain)] * 2
    assert table["map"].tolist() == [0, 1]
    assert table.shared["size"].tolist() == [2, 3]
    energies = table.shared["energy"] * hartree_in_kj_per_mol
    assert energies == pytest.approx([0, 1.5, 3, 4.5, *(1.5 * np.arange(9))])


@pytest.mark.parametrize("first", [chain[:4], chain[3::-1]])
@pytest.mark.parametrize("second", [chain[1:], chain[:0:-1]])
def test_a_dihedral_has_no_direction(tmp_path: Path, first: Any, second: Any) -> None:
    table = prepared_with(tmp_path, cmap(first, second)).system.terms["cmaps"]
    assert table.atoms.tolist() in ([list(chain)], [list(chain)[::-1]])


@pytest.mark.parametrize("second", [chain[:4], (3, 6, 12, 9), (12, 15, 18, 21)])
def test_dihedrals_of_no_chain_are_refused(problems: Problems, waters: Waters, second: Any) -> None:
    waters.system.addForce(cmap(second=second))
    (found,) = problems(waters=waters)
    assert found.what == "is not supported"
    numbers = ", ".join(str(atom + 1) for atom in second)
    assert found.value == f"CMAPTorsionForce of atoms 1, 4, 7, 10 and {numbers}"
    assert "share three atoms" in found.limit


def write_damaged(folder: Path, waters: Waters, old: str, new: str) -> Path:
    """Write waters with a term whose text in the System is changed; return the input."""
    waters.system.addForce(cmap())
    toml = write_waters(folder, waters=waters)
    replace_in(folder / "water.xml", old, new)
    return toml


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('size="2"', 'size="2.5"', "is not a whole number"),
        ('size="2"', 'edge="2"', "lacks an attribute"),
        ('<Energy e="3"/>', '<Energy e="nan"/>', "is not a plain number"),
        ('<Energy e="3"/>', '<Energy f="3"/>', "lacks an attribute"),
        ('<Energy e="3"/>', '<Enrgy e="3"/>', "is no part of Map"),
        ('map="0"', 'map="0.5"', "is not a whole number"),
        ('b4="12"', 'b5="12"', "lacks an attribute"),
        ('<Map size="2">', '<Plan size="2"/><Map size="2">', "is no part of Maps"),
    ],
)
def test_damaged_xml_is_told(tmp_path: Path, waters: Waters, old: str, new: str, said: str) -> None:
    found = problem_of(write_damaged(tmp_path, waters, old, new))
    assert found.what == said
    assert found.where.startswith("water.xml:")


@pytest.mark.parametrize(
    ("old", "new", "what", "said"),
    [
        ('size="2"', 'size="3"', "is not a whole OpenMM System", "Wrong number of values"),
        ('size="2"', 'size="361"', "is not a whole OpenMM System", "Wrong number of values"),
        ('size="2"', 'size="-2"', "is a CMAP table of a size that cannot be used", "2 to 360"),
        ('<Energy e="3"/>', "", "is not a whole OpenMM System", "Wrong number of values"),
        ('map="0"', 'map="1"', "names a CMAP table that does not exist", "1 tables"),
        ('map="0"', 'map="-1"', "has a map out of range", "0 to 1e+07"),
        ('a1="0"', 'a1="648"', "names an atom that does not exist", "atoms 1 to 648"),
    ],
)
def test_a_table_or_an_atom_that_there_is_not_is_refused(
    tmp_path: Path, waters: Waters, old: str, new: str, what: str, said: str
) -> None:
    """By OpenMM, or where the system is checked."""
    found = problem_of(write_damaged(tmp_path, waters, old, new))
    assert found.what == what
    assert said in found.limit


@pytest.mark.parametrize(
    ("size", "energies", "numbers", "said"),
    [
        ([2], [0.0] * 4, [0], None),
        ([1], [0.0], [0], "is a CMAP table of a size that cannot be used"),
        ([2, 2], [0.0] * 7, [0], "CMAP tables have the wrong number of energies"),
        ([2, 2], [0.0] * 6 + [np.nan, 0.0], [0], "is no energy of a CMAP table"),
        ([2], [0.0] * 4, [1], "names a CMAP table that does not exist"),
    ],
)
def test_tables_are_checked_against_the_limits_of_the_engine(
    size: list[int], energies: list[float], numbers: list[int], said: str | None
) -> None:
    maps = {"size": np.array(size, dtype=np.int32), "energy": np.array(energies)}
    found = map_problems(maps, np.array(numbers, dtype=np.int32))
    assert len(found) == (said is not None)
    assert all(problem.what.startswith(str(said)) for problem in found)
    assert all(problem.value == "map 2, energy 3" for problem in found if "no energy" in said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1 24 24", "1 24 12", "is not supported: a CMAP table that is not square"),
        ("1 24 24", "1 23 23", "is a CMAP table with an odd number of points"),
        ("1 24 24", "1 22 22", "holds 576 of 484 energies"),
        ("1 24 24", "1 400 400", "is a CMAP table of a size that cannot be used"),
        ("1 24 24", "2 24 24", "is not supported"),
        ("1 24 24", "1 24 x", "is no CMAP table: five types, function 1, two sizes, energies"),
        ("1 24 24\\\n", "1 24 24\\\n1_0 ", "holds 577 of 576 energies"),
        ("1 24 24\\\n-1.", "1 24 24\\\n\u22121.", "is not a plain number"),
        ("1 2 3 4 5 1", "1 2 3 4 5 1 24 24", "holds 2 parameters"),
        ("1 2 3 4 5 1", "1 2 3 4 9 1", "names no atom"),
        ("1 2 3 4 5 1", "1 2 3 4 4 1", "names an atom twice"),
        ("1 2 3 4 5 1", "1 2 3 7 5 1", "has no parameters, here or in the force field"),
    ],
)
def test_a_bad_table_of_gromacs_is_reported(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = cases()["CMAP"]
    assert old in text
    write_gromacs(tmp_path, text.replace(old, new, 1))
    found = problem_of(write_input(tmp_path, "x.top", "x.gro"))
    assert found.what == said
    assert found.where.startswith("x.top:")


def charmm_table(size: int, count: int) -> str:
    types = " ".join(["HT OT HT OT"] * 2)
    rows = "\n".join("0.1 " * min(5, count - i) for i in range(0, count, 5))
    return f"CMAP\n{types} {size}\n{rows}\n"


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (charmm_table(4, 16), None),
        (charmm_table(4, 15), "holds 15 of 16 energies"),
        (charmm_table(4, 17), "holds 17 of 16 energies"),
        (charmm_table(4, 15) + charmm_table(4, 16)[5:], "holds 15 of 16 energies"),
        (charmm_table(5, 25), "is a CMAP table with an odd number of points"),
        (charmm_table(0, 0), "is a CMAP table of a size that cannot be used"),
        ("IMPROPERS\nHT OT HT OT 20 0 180\n", None),
        ("IMPROPERS\nHT OT HT OT 20 2 180\n", None),  # no atoms of the topology use it
    ],
)
def test_a_bad_table_of_charmm_is_reported(tmp_path: Path, added: str, said: str | None) -> None:
    write_charmm_water(tmp_path)
    replace_in(tmp_path / "w.prm", "NONBONDED", added + "NONBONDED")
    if said is None:
        assert len(prepare(tmp_path / "in.toml").system.terms["cmaps"]) == 0
        return
    found = problem_of(tmp_path / "in.toml")
    assert found.what == said
    assert found.where.startswith("w.prm:")


@pytest.mark.parametrize(
    ("rows", "angles"),
    [
        ("HT OT HT HT 20 0 30", [30]),
        ("HT OT HT HT 20 0", [0]),
        ("HT OT HT HT 20 2 30", None),
        ("HT HT OT HT 20 2 30", None),  # the same types from the other end
        ("HT OT HT HT 20 2 30\nHT OT HT HT 20 0 40", [40]),
        ("HT OT HT HT 20 0 30\nHT HT OT HT 20 1 40", None),
    ],
)
def test_used_impropers_are_refused(tmp_path: Path, rows: str, angles: list[float] | None) -> None:
    write_charmm_water(tmp_path)
    none, one = "         0 !NIMPHI: impropers\n", "         1 !NIMPHI: impropers\n"
    numbers = "".join(f"{atom:10d}" for atom in (2, 1, 3, 5))
    replace_in(tmp_path / "w.psf", none, f"{one}{numbers}\n")
    replace_in(tmp_path / "w.prm", "NONBONDED", f"IMPROPERS\n{rows}\nNONBONDED")
    if angles is None:
        found = problem_of(tmp_path / "in.toml")
        assert found.what == "is not supported"
        assert "multiplicity" in found.value
        assert found.where.startswith("w.prm:")
        return
    found = prepare(tmp_path / "in.toml").system.terms["harmonic_torsions"]
    assert np.degrees(found["angle"]) == pytest.approx(angles)
    assert found["stiffness"] * hartree_in_kj_per_mol == pytest.approx([2 * 20 * 4.184])


def section(name: str, form: str, width: int, values: list[Any]) -> str:
    return f"%FLAG {name}\n%FORMAT({form})\n" + "".join(f"{v:>{width}}\n" for v in values)


def amber_terms(**changes: list[Any]) -> str:
    """Return sections of a CMAP term with a table of 2 by 2, and of an improper."""
    values = {
        "CMAP_COUNT": [1, 1],
        "CMAP_RESOLUTION": [2],
        "CMAP_PARAMETER_01": [0.5, 1.5, -2.5, 3.5],
        "CMAP_INDEX": [5, 7, 9, 15, 17, 1],
        "CHARMM_NUM_IMPROPERS": [1],
        "CHARMM_IMPROPERS": [7, 5, 9, 8, 1],
        "CHARMM_NUM_IMPR_TYPES": [1],
        "CHARMM_IMPROPER_FORCE_CONSTANT": [20.0],
        "CHARMM_IMPROPER_PHASE": [0.0],
        **changes,
    }
    real = ("PARAMETER_01", "CONSTANT", "PHASE")
    return "".join(
        section(name, "1F9.5", 9, held) if name.endswith(real) else section(name, "1I8", 8, held)
        for name, held in values.items()
    )


def write_amber(folder: Path, data: Path, added: str) -> Path:
    topology = write_alanine(folder, data) / "x.prmtop"
    topology.write_text(topology.read_text().rstrip("\n") + "\n" + added)
    return folder / "in.toml"


def test_terms_of_an_amber_topology_are_read(tmp_path: Path, openmmtools_data: Path) -> None:
    terms = prepare(write_amber(tmp_path, openmmtools_data, amber_terms())).system.terms
    assert terms["cmaps"].atoms.tolist() == [[4, 6, 8, 14, 16]]
    # The table begins at -180 degrees in the file, and its first angle changes slowly.
    energies = terms["cmaps"].shared["energy"] * hartree_in_kj_per_mol / 4.184
    assert energies == pytest.approx([3.5, 1.5, -2.5, 0.5])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"CMAP_COUNT": [2, 1]}, "is not a whole AMBER topology"),
        ({"CMAP_COUNT": [1]}, "is not a whole AMBER topology"),
        ({"CMAP_COUNT": [1, 2]}, "is not a whole AMBER topology"),
        ({"CMAP_RESOLUTION": [4]}, "is not a whole AMBER topology"),
        ({"CMAP_RESOLUTION": [3]}, "is a CMAP table with an odd number of points"),
        ({"CMAP_RESOLUTION": [0]}, "is a CMAP table of a size that cannot be used"),
        ({"CMAP_PARAMETER_01": [0.5, 1.5, -2.5]}, "is not a whole AMBER topology"),
        ({"CMAP_PARAMETER_01": [0.5, "nan", 1, 1]}, "is not a plain number"),
        ({"CMAP_INDEX": [5, 7, 9, 15, 17, 2]}, "is out of range"),
        ({"CMAP_INDEX": [5, 7, 9, 15, 23, 1]}, "is out of range"),
        ({"CMAP_INDEX": [5, -7, 9, 15, 17, 1]}, "is out of range"),
        ({"CHARMM_IMPROPERS": [7, 5, 9, 8, 2]}, "is out of range"),
        ({"CHARMM_IMPROPERS": [7, 5, 9, 8]}, "is not a whole AMBER topology"),
        ({"CHARMM_IMPROPER_PHASE": [180.0]}, "is not supported"),
    ],
)
def test_a_bad_table_of_amber_is_reported(
    tmp_path: Path, openmmtools_data: Path, changes: dict[str, list[Any]], said: str
) -> None:
    found = problem_of(write_amber(tmp_path, openmmtools_data, amber_terms(**changes)))
    assert found.what == said
    assert found.where.startswith("x.prmtop")


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("<Map>0 1\n2 3</Map>", None),
        ("<Map>0 1 2</Map>", "cannot be loaded"),
        ("<Map>0 1 2 1_0</Map>", "is not a plain number"),
        ("<Map>0 1 2 nan</Map>", "is not a plain number"),
        ("<Map>7</Map>", "is a CMAP table of a size that cannot be used"),
        ('<Map>0 1 2 3</Map><Torsion map="1" TYPES/>', "is no table of the force"),
        ('<Map>0 1 2 3</Map><Torsion map="0.5" TYPES/>', "is not a whole number"),
        ('<Map>0 1 2 3</Map><Torsion map="0" mop="1" TYPES/>', "is no attribute of Torsion"),
    ],
)
def test_a_force_fields_bad_table_is_reported(tmp_path: Path, added: str, said: str | None) -> None:
    types = " ".join(f'class{i}="OW"' for i in range(1, 6))
    force = f"<CMAPTorsionForce>{added.replace('TYPES', types)}</CMAPTorsionForce>"
    Waters().write(tmp_path)
    text = tip3p_force_field.replace("</ForceField>", f"{force}\n</ForceField>")
    (tmp_path / "mine.xml").write_text(text)
    toml = write_input(tmp_path, "water.pdb", more='forcefield = ["mine.xml"]\n')
    if said is None:
        assert len(prepare(toml).system.terms["cmaps"]) == 0
        return
    found = problem_of(toml)
    assert found.what == said
    if said == "cannot be loaded":
        assert "same number of elements along each dimension" in found.limit
        return
    assert found.where.startswith("mine.xml")
