# SPDX-License-Identifier: BSD-3-Clause
"""Relaxation of molecules and of a crystal with its cell; what is refused, and what is kept."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ase import Atoms
from ase.io import read, write
from typer.testing import Result

import finegrain as fg
from finegrain.errors import InputError, NumericsError

HYDROGEN = """\
[system]
kind = "ab-initio"
structure = "built-in:H2"
cell = ["10 bohr", "10 bohr", "10 bohr"]
[electrons]
cutoff = "30 Ry"
allow_low_cutoff = true
functional = "BLYP"
pseudopotentials = { H = "H.blyp-vbc.UPF" }
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An input of a hydrogen molecule, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("h2.toml").write_text(HYDROGEN)
    return Path("h2.toml")


def energy_at(source: Path, atoms: Atoms, distance: float) -> float:
    """Return the energy of the input's molecule with another bond length, eV."""
    moved = atoms.copy()
    moved.set_distance(0, 1, distance)
    write("moved.xyz", moved, format="extxyz")
    text = source.read_text().replace("built-in:H2", "moved.xyz")
    Path("moved.toml").write_text(text)
    return fg.energy("moved.toml", pes=1).total * 27.211386245988


def test_the_relaxed_bond_is_where_the_energy_is_lowest(source: Path) -> None:
    seen: list[tuple[object, ...]] = []
    found = fg.relax(source, force="0.002 eV/Å", pes=1, on_geometry=seen.append)
    assert seen == found.rows
    assert found.rows[-1][2] <= 0.002
    bond = found.atoms.get_distance(0, 1)
    # The lowest point of the parabola through three energies around it.
    left, middle, right = (energy_at(source, found.atoms, bond + way) for way in (-0.02, 0, 0.02))
    lowest = bond + 0.02 * (left - right) / (2 * (left - 2 * middle + right))
    assert bond == pytest.approx(lowest, abs=1e-3)
    again = read("runs/h2-relaxed/relaxed.xyz")
    assert isinstance(again, Atoms)
    assert again.positions == pytest.approx(found.atoms.positions, abs=1e-7)
    assert again.cell.lengths() == pytest.approx([10 * 0.529177210903] * 3, abs=1e-6)


def test_it_leaves_all_geometries_a_table_and_a_picture(
    source: Path, accepted: Callable[..., Result]
) -> None:
    done = accepted("relax", source, "--pes", 1, "--out", "here")
    path = read("here/path.xyz", index=":")
    assert isinstance(path, list)
    with Path("here/relaxation.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(path) > 1
    for row, atoms in zip(rows, path, strict=True):
        assert float(row["energy (eV)"]) == pytest.approx(atoms.get_potential_energy(), abs=1e-6)
        largest = np.linalg.norm(atoms.get_forces(), axis=1).max()
        assert float(row["largest force (eV/Å)"]) == pytest.approx(largest, abs=1e-6)
    assert Path("here/relaxation.png").exists()
    assert f"geometries     {len(rows)}" in done.stdout
    said = json.loads(accepted("relax", source, "--overwrite", "--out", "here", "--json").stdout)
    assert said["geometries"] == len(rows)
    assert said["energy"] == pytest.approx(float(rows[-1]["energy (eV)"]), abs=1e-6)


def test_what_is_not_done_in_time_is_kept_and_continued(source: Path) -> None:
    with pytest.raises(NumericsError, match="forces are left after 1 step") as caught:
        fg.relax(source, force="1e-4 eV/Å", steps=1, pes=1)
    assert "--structure runs/h2-relaxed/path.xyz" in caught.value.problems[0].hint
    assert not Path("runs/h2-relaxed/relaxed.xyz").exists()
    with pytest.warns(fg.InputNote, match="frames"):
        whole = fg.relax(source, "on", structure="runs/h2-relaxed/path.xyz", pes=1)
    assert len(whole.rows) < 4
    assert whole.rows[0][2] < 0.1


def test_results_are_not_replaced(source: Path, refused: Callable[..., str]) -> None:
    folder = Path("runs/h2-relaxed")
    folder.mkdir(parents=True)
    (folder / "relaxed.xyz").write_text("mine")
    assert "holds results already" in refused("relax", source)
    assert (folder / "relaxed.xyz").read_text() == "mine"
    assert "is a file, not a folder" in refused("relax", source, "--out", source)


def test_all_wrong_arguments_are_told_at_once(source: Path) -> None:
    with pytest.raises(InputError) as caught:
        fg.relax(source, force="0.02 eV", steps=0)
    assert [one.where for one in caught.value.problems] == ["--force", "--steps"]
    with pytest.raises(InputError, match="no useful limit of forces"):
        fg.relax(source, force="0 eV/Å")


@pytest.mark.parametrize(
    ("change", "words", "said"),
    [
        (('kind = "ab-initio"', 'kind = "classical"'), (), "is for electrons"),
        (('cutoff = "30 Ry"', 'cutof = "30 Ry"'), (), "did you mean"),
        (("built-in:H2", "absent.xyz"), (), "no such file"),
        (("", ""), ("--structure", "absent.xyz"), "no such file"),
        (("[electrons]", 'boundary = "isolated"\n[electrons]'), ("--cell",), "has no cell"),
    ],
)
def test_wrong_inputs_are_refused(
    source: Path,
    refused: Callable[..., str],
    change: tuple[str, str],
    words: tuple[str, ...],
    said: str,
) -> None:
    source.write_text(HYDROGEN.replace(*change) if change[0] else HYDROGEN)
    assert said in refused("relax", source, *words)
    assert not Path("runs").exists()


@pytest.mark.nightly
def test_a_crystal_goes_back_to_the_cell_without_stress(source: Path) -> None:
    """Silicon in a cell that is 2 % too long along one vector, with the atoms moved along."""
    text = '[system]\nkind = "ab-initio"\nstructure = "built-in:silicon"\n'
    text += '[electrons]\ncutoff = "16 Ry"\nallow_low_cutoff = true\n'
    text += 'functional = "LDA"\npseudopotentials = "auto"\n'
    Path("si.toml").write_text(text)
    at_rest = fg.relax("si.toml", "rest", cell=True, force="0.01 eV/Å")
    strained = at_rest.atoms.copy()
    strained.set_cell(strained.cell.array * np.array([[1.02], [1.0], [1.0]]), scale_atoms=True)
    write("strained.xyz", strained, format="extxyz")
    found = fg.relax("si.toml", "back", structure="strained.xyz", cell=True, force="0.01 eV/Å")
    assert np.abs(found.atoms.get_stress()).max() * 160.2176634 <= 0.1
    assert found.atoms.cell.lengths() == pytest.approx(at_rest.atoms.cell.lengths(), rel=3e-3)
    angles = found.atoms.cell.angles()
    assert angles == pytest.approx(at_rest.atoms.cell.angles(), abs=0.2)
