# SPDX-License-Identifier: BSD-3-Clause
"""The user's force fields: code in them, the file that a name means, and their content."""

from pathlib import Path

import pytest
from input_systems import Waters, problems_of, tip3p_force_field, write_input

import finegrain as fg
from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.errors import InputError, Problem


def write(folder: Path, text: str, name: str = "mine.xml", listed: str = "") -> Path:
    Waters().write(folder)
    (folder / name).write_text(text)
    return write_input(folder, "water.pdb", more=f'forcefield = ["{listed or name}"]\n')


def problem_of(toml: Path) -> Problem:
    (problem,) = problems_of(toml)
    assert problem.hint
    return problem


def charge(prepared: Prepared) -> float:
    return float(prepared.system.charge[0])


def with_code(tag: str, witness: Path) -> str:
    code = f"open({str(witness)!r}, 'w').close()"
    return tip3p_force_field.replace("</ForceField>", f"<{tag}>{code}</{tag}>\n</ForceField>")


@pytest.mark.parametrize("tag", ["Script", "InitializationScript"])
def test_python_in_a_force_field_runs_only_when_it_is_allowed(tmp_path: Path, tag: str) -> None:
    witness = tmp_path / "executed"
    toml = write(tmp_path, with_code(tag, witness))
    for use in (fg.check, fg.energy, lambda path: fg.run(path, tmp_path / "out")):
        with pytest.raises(InputError) as caught:
            use(toml)
        (problem,) = caught.value.problems
        assert problem.where == "mine.xml:22"
        assert problem.what == "would run Python code of this file"
        assert "--allow-scripts" in problem.hint
    assert not witness.exists()
    assert not (tmp_path / "out").exists()
    fg.check(toml, allow_scripts=True)
    assert witness.exists()


def test_python_in_an_included_force_field_does_not_run(tmp_path: Path) -> None:
    witness = tmp_path / "executed"
    toml = write(tmp_path, '<ForceField><Include file="part.xml"/></ForceField>')
    (tmp_path / "part.xml").write_text(with_code("Script", witness))
    assert problem_of(toml).where == "part.xml:22"
    assert not witness.exists()


def test_the_attribute_that_openmm_evaluates_does_not_run(tmp_path: Path) -> None:
    witness = tmp_path / "executed"
    code = f"open('{witness}','w')"
    text = tip3p_force_field.replace("lj14scale", f'useDispersionCorrection="{code}" lj14scale')
    found = problem_of(write(tmp_path, text))
    assert found.where == "mine.xml:18"
    assert not witness.exists()


def test_a_name_of_openmm_means_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where OpenMM itself would look first
    (tmp_path / "amber14").mkdir()
    changed = tip3p_force_field.replace('"-0.834"', '"-0.9"').replace('"0.417"', '"0.45"')
    toml = write(tmp_path, changed, "amber14/tip3p.xml")
    prepared = prepare(toml)
    assert charge(prepared) == pytest.approx(-0.834)
    (note,) = [note for note in notes_of(prepared) if "forcefield" in note]
    assert "./amber14/tip3p.xml" in note
    toml = write(tmp_path, changed, "amber14/tip3p.xml", listed="./amber14/tip3p.xml")
    prepared = prepare(toml)
    assert charge(prepared) == pytest.approx(-0.9)
    assert not [note for note in notes_of(prepared) if "forcefield" in note]


def test_an_include_is_looked_for_beside_its_file_then_among_those_of_openmm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (elsewhere / "tip3p.xml").write_text(tip3p_force_field.replace('"-0.834"', '"-0.9"'))
    toml = write(tmp_path, '<ForceField><Include file="tip3p.xml"/></ForceField>')
    assert charge(prepare(toml)) == pytest.approx(-0.834)
    (tmp_path / "tip3p.xml").write_text(tip3p_force_field.replace('"-0.834"', '"-0.8"'))
    assert charge(prepare(toml)) == pytest.approx(-0.8)
    toml = write(tmp_path, '<ForceField>\n<Include file="none.xml"/></ForceField>')
    found = problem_of(toml)
    assert (found.where, found.value) == ("mine.xml:2", "none.xml")


@pytest.mark.parametrize(
    ("old", "new", "where", "said"),
    [
        ('"-0.834"', '"\u22120.834"', "mine.xml:19", "is not a plain number"),
        ('"0.635968"', '".nan"', "mine.xml:19", "is not a plain number"),
        ('"15.99943"', '"1_5.9"', "mine.xml:3", "is not a plain number"),
        ('k="836.8"', 'k="inf"', "mine.xml:16", "is not a plain number"),
        ("HarmonicBondForce", "HarmonicBondForse", "mine.xml:12", "is no part of a force field"),
        ('k="836.8"', 'kk="836.8"', "mine.xml:16", "is no attribute of Angle"),
    ],
)
def test_what_openmm_passes_over_is_reported(
    tmp_path: Path, old: str, new: str, where: str, said: str
) -> None:
    assert old in tip3p_force_field
    found = problem_of(write(tmp_path, tip3p_force_field.replace(old, new)))
    assert (found.where, found.what) == (where, said)


@pytest.mark.parametrize(
    ("coefficients", "said"),
    [
        ('c0="1_0" c1="0" c2="0" c3="0" c4="0" c5="0"', "is not a plain number"),
        ('c0="1" c1="0" c2="0" c3="0" c4="0" c5="0" c6="2"', "is no attribute of Proper"),
    ],
)
def test_ryckaert_bellemans_terms_are_checked(tmp_path: Path, coefficients: str, said: str) -> None:
    types = 'class1="OW" class2="OW" class3="OW" class4="OW"'
    torsions = f"<RBTorsionForce>\n<Proper {types} {coefficients}/>\n</RBTorsionForce>"
    text = tip3p_force_field.replace("</ForceField>", torsions + "\n</ForceField>")
    assert problem_of(write(tmp_path, text)).what == said
    good = text.replace("1_0", "1").replace(' c6="2"', "")
    assert prepare(write(tmp_path, good)).system.atoms == 648


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
    ],
)
def test_entities_of_xml_are_refused_wherever_xml_is_read(tmp_path: Path, declared: str) -> None:
    doctype = f"<!DOCTYPE x [{declared}]>\n"
    assert "document type" in problem_of(write(tmp_path, doctype + tip3p_force_field)).what
    for name in ("water.xml", "state.xml"):
        Waters().write(tmp_path)
        (tmp_path / "state.xml").write_text("<State/>")
        (tmp_path / name).write_text(doctype + (tmp_path / name).read_text())
        found = problem_of(write_input(tmp_path, "water.xml", "state.xml"))
        assert "document type" in found.what
        assert found.where.startswith(f"{name}:")
