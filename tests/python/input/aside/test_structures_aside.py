# SPDX-License-Identifier: BSD-3-Clause
"""What PDB and PDBx/mmCIF files, and States of OpenMM, hold beyond positions is named."""

from pathlib import Path

import pytest
from input_systems import Waters, water_input, write_input, write_waters
from openmm import app

from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import prepare


def rows_of(folder: Path) -> tuple[list[str], list[str], list[str]]:
    """Return the lines before, of and behind the atoms of a PDB file of waters."""
    write_waters(folder, name="in.toml")
    lines = (folder / "water.pdb").read_text().splitlines()
    of = [n for n, line in enumerate(lines) if line.startswith(("ATOM", "HETATM"))]
    return lines[: of[0]], lines[of[0] : of[-1] + 1], lines[of[-1] + 1 :]


def notes(folder: Path, *rows: list[str]) -> list[str]:
    (folder / "water.pdb").write_text("\n".join(line for part in rows for line in part) + "\n")
    return notes_of(prepare(folder / "in.toml"))


def with_occupancy(line: str, share: str) -> str:
    return f"{line[:54]}{share:>6s}{line[60:]}"


def test_atoms_of_a_pdb_file_that_are_there_in_part_are_named(tmp_path: Path) -> None:
    head, atoms, tail = rows_of(tmp_path)
    assert notes(tmp_path, head, atoms, tail) == []
    atoms[4] = with_occupancy(atoms[4], "0.50")
    (note,) = notes(tmp_path, head, atoms, tail)
    assert note == (
        "water.pdb holds occupancies below 1, which are not used: every atom is there; "
        "one atom: atom 5, H1, 0.5"
    )
    atoms[5] = with_occupancy(atoms[5], "0.00")
    (note,) = notes(tmp_path, head, atoms, tail)
    assert note.endswith("2 atoms, the first is atom 5, H1, 0.5")


def test_occupancies_that_are_not_known_are_not_named(tmp_path: Path) -> None:
    head, atoms, tail = rows_of(tmp_path)
    for share in ("0.00", "", "1.00"):
        rows = [with_occupancy(line, share) for line in atoms]
        assert notes(tmp_path, head, rows, tail) == []


def test_charges_of_a_pdb_file_are_named(tmp_path: Path) -> None:
    head, atoms, tail = rows_of(tmp_path)
    rows = [f"{atoms[0][:78]:<78s}2-", *atoms[1:]]
    (note,) = notes(tmp_path, head, rows, tail)
    assert note == (
        "water.pdb holds charges of atoms, which are not used: those of the force field are; "
        "one atom: atom 1, O, 2-"
    )
    rows = [f"{line[:72]:<72s}1ABC  12" for line in atoms]  # as in files of the last century
    assert notes(tmp_path, head, rows, tail) == []


def test_bonds_of_link_records_are_named_where_bonds_are_read(tmp_path: Path) -> None:
    head, atoms, tail = rows_of(tmp_path)
    link = ["LINK         O   HOH A   1                 O   HOH A   2     1555   1555  2.50"]
    assert notes(tmp_path, head, link, atoms, tail) == []  # bonds are those of water.xml
    of_pdb = 'forcefield = ["tip3p.xml"]\n[forces]\ncutoff = "8 Å"\n'
    write_input(tmp_path, "water.pdb", more=of_pdb)
    (note,) = [one for one in notes(tmp_path, head, link, atoms, tail) if "LINK" in one]
    assert "1 in all, which are not used: bonds between residues come from CONECT" in note


@pytest.mark.parametrize(
    ("column", "value", "rows", "words"),
    [
        ("occupancy", "0.25", "changed", "occupancies below 1"),
        ("pdbx_formal_charge", "2", "changed", "charges of atoms, which are not used"),
        ("label_alt_id", "B", "added", "alternate locations of atoms, 1 in all"),
        ("pdbx_PDB_model_num", "2", "all again", "holds 2 models; the first is read"),
    ],
)
def test_what_a_pdbx_file_holds_too_is_named(
    tmp_path: Path, column: str, value: str, rows: str, words: str
) -> None:
    waters = Waters()
    toml = write_waters(tmp_path, water_input.replace("water.pdb", "water.cif"), waters)
    with (tmp_path / "water.cif").open("w") as file:
        app.PDBxFile.writeFile(waters.topology, waters.position * 10, file)
    assert notes_of(prepare(toml)) == []

    lines = (tmp_path / "water.cif").read_text().splitlines()
    names = [line.strip() for line in lines if line.startswith("_atom_site.")]
    atoms = [n for n, line in enumerate(lines) if line.startswith("HETATM")]

    def with_value(number: int) -> str:
        row = lines[number].split()
        row[names.index(f"_atom_site.{column}")] = value
        return " ".join(row)

    if rows == "changed":
        lines[atoms[1]] = with_value(atoms[1])
    elif rows == "added":
        lines.insert(atoms[1] + 1, with_value(atoms[1]))
    else:
        lines[atoms[-1] + 1 : atoms[-1] + 1] = [with_value(number) for number in atoms]
    (tmp_path / "water.cif").write_text("\n".join(lines) + "\n")
    (note,) = notes_of(prepare(toml))
    assert note.startswith("water.cif holds")
    assert words in note


def test_parameters_of_a_state_are_named(tmp_path: Path) -> None:
    waters = Waters()
    toml = write_waters(tmp_path, water_input.replace("water.pdb", "state.xml"), waters)
    rows = "".join(f'<Position x="{x}" y="{y}" z="{z}"/>' for x, y, z in waters.position)
    for parameters, noted in (("<Parameters/>", 0), ('<Parameters k="3" lambda="0.5"/>', 1)):
        (tmp_path / "state.xml").write_text(
            '<State type="State" version="1" time="0" stepCount="0"><PeriodicBoxVectors>'
            '<A x="1.864" y="0" z="0"/><B x="0" y="1.864" z="0"/><C x="0" y="0" z="1.864"/>'
            f"</PeriodicBoxVectors>{parameters}<Positions>{rows}</Positions></State>"
        )
        found = notes_of(prepare(toml))
        assert len(found) == noted
        assert not noted or found[0].startswith("state.xml holds values of parameters (k, lambda)")
