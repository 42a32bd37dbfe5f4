# SPDX-License-Identifier: BSD-3-Clause
"""Position restraints: which atoms, where they are held, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import openmm
import pytest
from input_systems import (
    Waters,
    problems_of,
    water_input,
    write_gromacs_input,
    write_input,
    write_waters,
)
from measure_gromacs_pairs import topology

from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.selections import SelectionError, select, words
from finegrain.errors import InputError, Problem
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

Problems = Callable[..., list[Problem]]
STIFF = 'force_constant = "1000 kJ/mol/nm^2"'
# 1000 kJ/mol/nm^2 in hartree/bohr^2, from the constants of CODATA 2018.
K = 1000 * bohr_in_nm**2 / hartree_in_kj_per_mol
plain = topology()


def table(atoms: str = '"name O"', *more: str) -> str:
    return "\n".join(["[[restraints]]", f"atoms = {atoms}", *(more or (STIFF,)), ""])


def prepared(folder: Path, more: str, waters: Waters | None = None) -> Prepared:
    return prepare(write_waters(folder, water_input + more, waters))


def write_reference(folder: Path, name: str, waters: Waters, position: np.ndarray) -> None:
    before = waters.position
    waters.position = position
    waters.write(folder)
    (folder / "water.pdb").rename(folder / name)
    waters.position = before
    waters.write(folder)


@pytest.mark.parametrize(
    ("atoms", "chosen"),
    [
        ('"name O"', range(0, 648, 3)),
        ('"heavy atoms"', range(0, 648, 3)),
        ('"residue HOH"', range(648)),
        ("7", [6]),
        ('"7-9"', [6, 7, 8]),
        ('["3-4", 1, "3"]', [0, 2, 3]),
    ],
)
def test_words_and_numbers_choose_atoms(tmp_path: Path, atoms: str, chosen: list[int]) -> None:
    system = prepared(tmp_path, table(atoms)).system
    assert system.restraints.atoms.tolist() == list(chosen)
    np.testing.assert_allclose(system.restraints.constants, K, rtol=1e-14)
    np.testing.assert_array_equal(system.restraints.reference, system.position[list(chosen)])
    assert not system.restraints.anchor.any()


def test_words_choose_the_parts_of_a_protein(tmp_path: Path, openmmtools_data: Path) -> None:
    source = openmmtools_data / "T4-lysozyme-L99A-implicit/receptor.pdb"
    pdb = openmm.app.PDBFile(str(source))
    atoms = list(pdb.topology.atoms())

    def count(wanted: Callable[[openmm.app.Atom], bool]) -> int:
        return sum(1 for atom in atoms if wanted(atom))

    toml = write_input(tmp_path, str(source), more='forcefield = ["amber14-all.xml"]\n')
    system = prepare(toml).system
    residues = len(list(pdb.topology.residues()))
    assert len(select(system, ["protein"])) == len(atoms)
    assert len(select(system, ["CA"])) == count(lambda a: a.name == "CA") == residues
    assert len(select(system, ["backbone"])) == 3 * residues
    heavy = count(lambda a: a.element.symbol != "H")
    assert len(select(system, ["protein heavy atoms"])) == heavy
    assert len(select(system, ["solute heavy atoms"])) == heavy


def test_waters_are_no_solute(tmp_path: Path) -> None:
    system = prepared(tmp_path, "").system
    with pytest.raises(SelectionError, match="selects no atoms"):
        select(system, ["solute"])
    assert set(words) >= {"protein heavy atoms", "backbone", "CA"}


def test_three_constants_are_along_the_axes(tmp_path: Path) -> None:
    three = 'force_constant = ["1000 kJ/mol/nm^2", "0 kJ/mol/nm^2", "2000 kJ/mol/nm^2"]'
    restraints = prepared(tmp_path, table('"name O"', three)).system.restraints
    np.testing.assert_allclose(restraints.constants, np.tile([K, 0, 2 * K], (216, 1)), rtol=1e-14)


@pytest.mark.parametrize("scaling", ["none", "all", "com"])
def test_a_file_says_where_atoms_are_held(tmp_path: Path, scaling: str) -> None:
    waters = Waters()
    moved = waters.position + np.array([0.1, 0, -0.05])
    write_reference(tmp_path, "there.pdb", waters, moved)
    more = table('"1-9"', STIFF, 'reference = "there.pdb"', f'reference_scaling = "{scaling}"')
    system = prepared(tmp_path, more, waters).system
    restraints = system.restraints
    # A PDB has three decimals in Å.
    np.testing.assert_allclose(restraints.reference * bohr_in_nm, moved[:9], atol=6e-5)
    centre = np.average(restraints.reference, axis=0, weights=system.mass[:9])
    anchor = {"none": 0 * restraints.reference, "all": restraints.reference, "com": centre}
    np.testing.assert_allclose(restraints.anchor, anchor[scaling] + 0 * restraints.reference)


def test_a_reference_of_other_atoms_is_refused(tmp_path: Path) -> None:
    Waters(side=5).write(tmp_path)
    (tmp_path / "water.pdb").rename(tmp_path / "fewer.pdb")
    Waters().write(tmp_path)
    text = (tmp_path / "water.pdb").read_text()
    (tmp_path / "names.pdb").write_text(text.replace("  O   HOH", "  OX  HOH"))
    for name, said in (
        ("fewer.pdb", "holds 375 atoms, but the system has 648"),
        ("names.pdb", "names other atoms than the topology"),
        ("gone.pdb", "no such file"),
    ):
        more = table('"name O"', STIFF, f'reference = "{name}"')
        (found,) = problems_of(write_waters(tmp_path, water_input + more))
        assert found.what == said
        assert found.where == "water.toml:17"
        assert found.hint


@pytest.mark.parametrize(
    ("more", "line", "said"),
    [
        (table('"name 0"'), 15, "selects no atoms"),
        (table('"backbones"'), 15, "is no selection of atoms"),
        (table('"640-649"'), 15, "names no atom"),
        (table('"0-3"'), 15, "names no atom"),
        (table("1.5"), 15, "is no selection of atoms"),
        (table('"name O"', ""), 14, "missing key"),
        (table('"name O"', 'force_constant = "5 kJ/mol"'), 16, "kJ/mol is not the unit of a "),
        (table('"name O"', 'force_constant = "0 kJ/mol/nm^2"'), 16, "holds no atom"),
        (table('"name O"', 'force_constant = ["1 kJ/mol/nm^2", "1 kJ/mol/nm^2"]'), 16, "holds 2"),
        (table('"name O"', STIFF, 'reference_scaling = "al"'), 17, "not a known value"),
        (table('"name O"', STIFF, "atom = 1"), 17, "unknown key"),
        (table() + table("4"), 14, "is restrained twice"),
        (table('"topology"', ""), 15, "the topology restrains no atoms"),
        (table('"topology"'), 16, "is that of the topology"),
    ],
)
def test_nonsense_is_refused_by_line(problems: Problems, more: str, line: int, said: str) -> None:
    found = [problem for problem in problems(water_input + more) if problem.what.startswith(said)]
    assert [problem.where for problem in found] == [f"water.toml:{line}"]


def test_all_problems_of_several_tables_are_reported_with_their_lines(problems: Problems) -> None:
    more = table('"nothing"') + table('"name O"', 'reference = "a.gro"\n' + STIFF)
    found = problems(water_input + more)
    assert [problem.where for problem in found] == ["water.toml:15", "water.toml:19"]


def test_scaling_without_a_box_is_refused(tmp_path: Path) -> None:
    text = plain.replace("[ system ]", "[ position_restraints ]\n1 1 10 10 10\n[ system ]")
    toml = write_gromacs_input(tmp_path, text)
    toml.write_text(toml.read_text() + table('"topology"', 'reference_scaling = "all"'))
    with pytest.raises(InputError, match="no use without a box"):
        prepare(toml)


restrained = plain.replace(
    "[ system ]",
    "#ifdef POSRES\n[ position_restraints ]\n1 1 FC 0 2000\n3 1 100 100 100\n#endif\n[ system ]",
)


def test_gromacs_restraints_are_switched_on_by_define(tmp_path: Path) -> None:
    toml = write_gromacs_input(tmp_path, restrained, 'define = ["POSRES", "FC=500"]\n')
    restraints = prepare(toml).system.restraints
    assert restraints.atoms.tolist() == [0, 2]
    wanted = np.array([[0.5, 0, 2], [0.1, 0.1, 0.1]]) * K
    np.testing.assert_allclose(restraints.constants, wanted, rtol=1e-14)
    toml.write_text('restraints = "none"\n' + toml.read_text())
    assert not len(prepare(toml).system.restraints)


@pytest.mark.parametrize(
    ("define", "said"),
    [('["POSRE"]', "is not used by the topology: POSRE"), ('["-DPOSRES"]', "is no word: -DPOSRES")],
)
def test_a_define_that_does_nothing_is_refused(tmp_path: Path, define: str, said: str) -> None:
    (found,) = problems_of(write_gromacs_input(tmp_path, restrained, f"define = {define}\n"))
    assert found.what == said
    assert "POSRES" in found.hint


def a_spring(formula: str, *, names: str = "k x0 y0 z0") -> openmm.CustomExternalForce:
    force = openmm.CustomExternalForce(formula)
    for name in names.split():
        force.addPerParticleParameter(name)
    force.addParticle(5, [100.0, 0.5, 0.6, 0.7, 1.0][: len(names.split())])
    return force


@pytest.mark.parametrize(
    ("formula", "share"),
    [
        ("k*periodicdistance(x, y, z, x0, y0, z0)^2", 0.2),
        ("0.5*k*periodicdistance(x, y, z, x0, y0, z0)^2", 0.1),
        ("(k/2)*periodicdistance(x, y, z, x0, y0, z0)^2", 0.1),
        ("k/2*periodicdistance(x, y, z, x0, y0, z0)^2", 0.1),
    ],
)
def test_a_system_brings_its_restraints(tmp_path: Path, formula: str, share: float) -> None:
    waters = Waters()
    waters.system.addForce(a_spring(formula))
    restraints = prepared(tmp_path, "", waters).system.restraints
    assert restraints.atoms.tolist() == [5]
    np.testing.assert_allclose(restraints.constants, share * K, rtol=1e-14)
    np.testing.assert_allclose(restraints.reference * bohr_in_nm, [[0.5, 0.6, 0.7]], rtol=1e-14)


@pytest.mark.parametrize("index", [-1, 648])
def test_a_restraint_of_no_atom_is_refused(problems: Problems, index: int) -> None:
    waters = Waters()
    spring = a_spring("k*periodicdistance(x, y, z, x0, y0, z0)^2")
    spring.setParticleParameters(0, index, spring.getParticleParameters(0)[1])
    waters.system.addForce(spring)
    (found,) = problems(waters=waters)
    assert found.what == "names an atom that does not exist"
    assert (found.value, found.limit) == (f"restraint 1, atoms {index + 1}", "atoms 1 to 648")


@pytest.mark.parametrize(
    "force",
    [
        a_spring("k*((x-x0)^2+(y-y0)^2+(z-z0)^2)"),
        a_spring("k*periodicdistance(x, y, z, x0, y0, z0)"),
        a_spring("k*periodicdistance(x, y, z, x0, y0, z0)^2", names="k x0 y0 z0 w"),
        a_spring("k*periodicdistance(x, y, z, x0, y0, y0)^2", names="k x0 y0"),
    ],
)
def test_other_formulas_are_refused(problems: Problems, force: openmm.CustomExternalForce) -> None:
    waters = Waters()
    waters.system.addForce(force)
    found = problems(waters=waters)[0]
    assert found.what == "is not supported"
    assert force.getEnergyFunction() in found.value
    assert "periodicdistance" in found.hint


def test_a_virtual_site_is_not_restrained(tmp_path: Path) -> None:
    toml = write_input(tmp_path, "openmmtools:FourSiteWaterBox", more=table("4"))
    with pytest.raises(InputError, match="is a virtual site, which has no mass"):
        prepare(toml)


@pytest.mark.parametrize("tilt", [0.0, 0.5], ids=["rectangular", "tilted"])
@pytest.mark.parametrize(("moved", "noted"), [(0.0, 0), (0.4, 0), (0.6, 216)])
def test_atoms_far_from_their_references_are_noted(
    tmp_path: Path, tilt: float, moved: float, noted: int
) -> None:
    """The references are those of another image: moved by the third vector of the cell."""
    waters = Waters()
    vectors = np.array([[1.864, 0, 0], [0, 1.864, 0], [tilt, 0, 1.864]])
    waters.set_box(vectors)
    away = vectors[2] + [0, moved, 0]
    write_reference(tmp_path, "held.pdb", waters, waters.position + away)
    more = table('"name O"', STIFF, 'reference = "held.pdb"')
    notes = notes_of(prepared(tmp_path, more, waters))
    found = [note for note in notes if "from their references" in note]
    assert len(found) == (noted > 0)
    if noted:
        assert found[0].startswith(f"{noted} restrained atoms start more than 5 Å")
        assert " 6.0 Å: " in found[0]
