# SPDX-License-Identifier: BSD-3-Clause
"""Relaxation of molecules and of a crystal with its cell; what is refused, and what is kept."""

import csv
import json
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ase import Atoms
from ase.constraints import FixAtoms, FixBondLength
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
    with pytest.raises(NumericsError, match="not relaxed after 1 step") as caught:
        fg.relax(source, force="1e-4 eV/Å", steps=1, pes=1)
    assert "--structure runs/h2-relaxed/path.xyz" in caught.value.problems[0].hint
    assert len(read("runs/h2-relaxed/path.xyz", index=":")) == 2
    assert not Path("runs/h2-relaxed/relaxed.xyz").exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error", fg.InputNote)  # our own file needs no note
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
        fg.relax(source, force="0.02 eV", steps=0, pes=0)
    assert [one.where for one in caught.value.problems] == ["--force", "--steps", "--pes"]
    with pytest.raises(InputError, match="no useful limit of forces"):
        fg.relax(source, force="0 eV/Å")


@pytest.mark.parametrize(
    ("change", "words", "said"),
    [
        (('kind = "ab-initio"', 'kind = "classical"'), (), "is for electrons"),
        (('cutoff = "30 Ry"', 'cutof = "30 Ry"'), (), "did you mean"),
        (("built-in:H2", "absent.xyz"), (), "no such file"),
        (("", ""), ("--structure", "absent.xyz"), "--structure"),
        (("", ""), ("--structure", "built-in:N2"), "has no file for N"),
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


def test_earlier_results_outlive_what_fails(source: Path) -> None:
    fg.relax(source, "here", pes=1)
    before = {file.name: file.read_bytes() for file in Path("here").iterdir()}
    # A structure that is among the files to be replaced, and a ground state that is not found.
    with pytest.raises(InputError, match="is what is being read"):
        fg.relax(source, "here", structure="here/path.xyz", overwrite=True)
    source.write_text(HYDROGEN + "[ground_state]\niterations = 1\n")
    with pytest.raises(NumericsError):
        fg.relax(source, "here", overwrite=True, pes=1)
    assert {file.name: file.read_bytes() for file in Path("here").iterdir()} == before


def test_fixed_atoms_stay(source: Path) -> None:
    atoms = Atoms("H2", [[2, 2, 2], [2, 2.1, 2.8]], constraint=FixAtoms([0]))
    write("fixed.xyz", atoms, format="extxyz")
    found = fg.relax(source, structure="fixed.xyz", pes=1)
    assert found.atoms.positions[0] == pytest.approx([2, 2, 2], abs=1e-12)
    assert found.atoms.get_distance(0, 1) < 0.78
    assert found.atoms.calc.parameters["electrons"]["net_force"] == "keep"


def test_what_holds_atoms_in_another_way_is_refused(source: Path) -> None:
    write("h2.traj", Atoms("H2", [[2, 2, 2], [2, 2, 2.8]], constraint=FixBondLength(0, 1)))
    with pytest.raises(InputError, match="is not kept here"):
        fg.relax(source, structure="h2.traj")


def test_dynamics_of_the_input_are_not_read(source: Path) -> None:
    """Its constraint would put the atoms elsewhere before the first step."""
    text = '[dynamics]\nkind = "born-oppenheimer"\ntimestep = "0.5 fs"\nsteps = 5\n'
    text += 'constraints = [{ atoms = [1, 2], distance = "0.9 Å" }]\n'
    source.write_text(HYDROGEN + text)
    with_it = fg.relax(source, "with", pes=1)
    source.write_text(HYDROGEN)
    assert with_it.rows == fg.relax(source, "without", pes=1).rows


def test_a_cell_is_moved_until_its_stress_is_small(source: Path) -> None:
    """A loose limit of forces holds at once; what is left is the stress."""
    text = '[system]\nkind = "ab-initio"\nstructure = "built-in:silicon"\n'
    text += '[electrons]\ncutoff = "10 Ry"\nallow_low_cutoff = true\n'
    Path("si.toml").write_text(text + 'functional = "LDA"\npseudopotentials = "auto"\n')
    found = fg.relax("si.toml", cell=True, force="1 eV/Å", pes=1)
    assert np.abs(found.atoms.get_stress()).max() * 160.2176634 <= 0.1
    with pytest.raises(NumericsError) as caught:
        fg.relax("si.toml", "short", cell=True, force="1 eV/Å", steps=1, pes=1)
    assert "GPa" in caught.value.problems[0].value
    assert caught.value.problems[0].limit == "1 eV/Å, 0.1 GPa"


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
