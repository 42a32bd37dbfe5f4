# SPDX-License-Identifier: BSD-3-Clause
"""Vibrations: wavenumbers by differences of energies, infrared lines by those of the dipole."""

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
from finegrain.errors import InputError

HYDROGEN = """\
[system]
kind = "ab-initio"
structure = "h2.xyz"
cell = ["10 bohr", "10 bohr", "10 bohr"]
[electrons]
cutoff = "30 Ry"
allow_low_cutoff = true
functional = "BLYP"
pseudopotentials = { H = "H.blyp-vbc.UPF" }
"""
BOND = 0.7464  # Å; relaxed by these settings
HARTREE_IN_EV = 27.211386245988


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An input of a hydrogen molecule at rest, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write("h2.xyz", Atoms("H2", [[2.1, 2.3, 2.5 + way * BOND / 2] for way in (-1, 1)]))
    Path("h2.toml").write_text(HYDROGEN)
    return Path("h2.toml")


def energies_at(atoms: Atoms, text: str) -> fg.Energies:
    """Evaluate an input's text with moved.xyz, for other places of its atoms."""
    moved = atoms.copy()
    moved.calc = None
    write("moved.xyz", moved, format="extxyz")
    Path("moved.toml").write_text(text)
    return fg.energy("moved.toml", pes=1)


def test_the_stretch_of_hydrogen_is_the_curvature_of_its_energy(source: Path) -> None:
    found = fg.vibrations(source, pes=1)
    assert found.vibrations.tolist() == [False] * 5 + [True]
    step, energies = 0.01, []
    for way in (-1, 0, 1):
        atoms = found.atoms.copy()
        atoms.set_distance(0, 1, BOND + way * step)
        text = HYDROGEN.replace("h2.xyz", "moved.xyz")
        energies.append(energies_at(atoms, text).total * HARTREE_IN_EV)
    curvature = (energies[0] - 2 * energies[1] + energies[2]) / step**2  # eV/Å^2
    reduced = found.atoms.get_masses()[0] / 2  # Da
    # 1/cm: the root of 1 eV/(Å^2 Da) over 2 pi c.
    wave = np.sqrt(curvature / reduced) * 521.4708985
    assert found.wavenumbers[5] == pytest.approx(wave, rel=5e-3)
    assert found.intensities is not None
    assert found.intensities[5] < 1e-3  # the molecule is the same from both ends
    assert found.zero_point_energy == pytest.approx(found.wavenumbers[5] / 2 / 8065.54, rel=1e-5)


def test_files_tell_what_the_command_tells(source: Path, accepted: Callable[..., Result]) -> None:
    said = json.loads(accepted("vibrations", source, "--json", "--pes", 1).stdout)
    folder = Path("runs/h2-vibrations")
    with (folder / "modes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    waves = [float(row["wavenumber (1/cm)"]) for row in rows]
    assert waves == pytest.approx(said["wavenumbers"], abs=1e-4)
    frames = read(folder / "modes.xyz", index=":")
    assert isinstance(frames, list)
    assert [frame.info["wavenumber"] for frame in frames] == pytest.approx(waves, abs=1e-3)
    stretch = frames[5].arrays["mode"]
    assert stretch[0] == pytest.approx(-stretch[1], abs=1e-4)
    assert np.abs(stretch[:, :2]).max() < 1e-3 * np.abs(stretch[:, 2]).max()
    assert (folder / "spectrum.png").exists()
    # What was computed is not computed again.
    again = accepted("vibrations", source, "--pes", 1).stdout
    assert "geometry" not in again
    assert "motion of the whole" in again


def test_a_second_call_continues_the_first(source: Path) -> None:
    whole = fg.vibrations(source, "whole", pes=1)

    def stop(done: int, number: int) -> None:
        assert number == 13
        if done == 5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fg.vibrations(source, "parts", pes=1, on_geometry=stop)
    seen: list[int] = []
    found = fg.vibrations(source, "parts", pes=1, on_geometry=lambda done, _: seen.append(done))
    assert seen == list(range(5, 14))  # the fifth was not written
    # Each ground state starts from another, and is found to its tolerance.
    assert found.wavenumbers[5] == pytest.approx(whole.wavenumbers[5], abs=0.1)


def test_what_was_computed_for_another_input_is_not_used(source: Path) -> None:
    first = fg.vibrations(source, pes=1)
    source.write_text(HYDROGEN.replace("30 Ry", "24 Ry"))
    with pytest.raises(InputError, match="holds results of another"):
        fg.vibrations(source, pes=1)
    with pytest.raises(InputError, match="holds results of another"):
        fg.vibrations(source, displacement="0.02 Å", pes=1)
    other = fg.vibrations(source, pes=1, overwrite=True)
    assert abs(other.wavenumbers[5] - first.wavenumbers[5]) > 1


def test_a_molecule_across_the_cell_is_the_same_molecule(source: Path) -> None:
    """Turns of the whole are found about its middle, wherever its atoms are written."""
    tilted = np.array([np.sin(0.7), 0, np.cos(0.7)]) * BOND / 2
    middle = np.array([2, 2, 0.1])
    atoms = Atoms("H2", [middle - tilted, middle + tilted], cell=[5.2917721] * 3)
    write("whole.xyz", atoms, format="extxyz")
    atoms.wrap(pbc=True)
    assert atoms.get_distance(0, 1) > 3
    write("cut.xyz", atoms, format="extxyz")
    whole, cut = (
        fg.vibrations(source, name, structure=f"{name}.xyz", pes=1) for name in ("whole", "cut")
    )
    assert cut.vibrations.tolist() == whole.vibrations.tolist() == [False] * 5 + [True]
    assert cut.zero_point_energy == pytest.approx(whole.zero_point_energy, rel=1e-4)


def test_heavier_isotopes_vibrate_more_slowly(source: Path) -> None:
    """By the root of the masses; the same forces serve for both."""
    light = fg.vibrations(source, pes=1)
    source.write_text(HYDROGEN.replace("[electrons]", 'masses = { H = "2.014 Da" }\n[electrons]'))
    heavy = fg.vibrations(source, pes=1)
    ratio = np.sqrt(light.atoms.get_masses()[0] / 2.014)
    assert heavy.wavenumbers[5] == pytest.approx(light.wavenumbers[5] * ratio, rel=1e-9)
    source.write_text(HYDROGEN.replace("[electrons]", "masses = { O = 16 }\n[electrons]"))
    with pytest.raises(InputError, match=r"system\.masses\.O"):
        fg.vibrations(source, pes=1)


def test_another_file_of_the_same_name_is_another_pseudopotential(source: Path) -> None:
    file = next(iter(fg.relax(source, pes=1).atoms.calc.parameters["pseudopotentials"].values()))
    text = Path(file).read_text()
    Path("H.UPF").write_text(text)
    source.write_text(HYDROGEN.replace("H.blyp-vbc.UPF", "H.UPF"))
    fg.vibrations(source, pes=1)
    Path("H.UPF").write_text(text + "\n<!-- changed -->\n")
    with pytest.raises(InputError, match="holds results of another"):
        fg.vibrations(source, pes=1)


def test_files_of_others_stay(source: Path) -> None:
    mine = Path("here/displacements/mine.json")
    mine.parent.mkdir(parents=True)
    mine.write_text("{}")
    with pytest.raises(InputError, match="holds results of another"):
        fg.vibrations(source, "here", pes=1)
    fg.vibrations(source, "here", pes=1, overwrite=True)
    assert mine.read_text() == "{}"


@pytest.mark.parametrize("damaged", ["{broken", "[]", "\xff"])
def test_a_damaged_state_is_that_of_another_input(source: Path, damaged: str) -> None:
    Path("here").mkdir()
    Path("here/displacements.json").write_text(damaged, encoding="latin-1")
    with pytest.raises(InputError, match="holds results of another"):
        fg.vibrations(source, "here", pes=1)


def test_too_little_vacuum_for_a_dipole_is_noted(source: Path) -> None:
    """8 bohr are there at rest, but not when an atom has moved."""
    source.write_text(HYDROGEN.replace('["10 bohr", "10 bohr"', '["8 bohr", "8 bohr"'))
    with pytest.warns(fg.InputNote, match=r"no infrared intensities: they need 4\.25 Å"):
        found = fg.vibrations(source, pes=1)
    assert found.intensities is None
    assert Path("runs/h2-vibrations/modes.csv").read_text().count(",,") == 6


def test_a_structure_that_is_no_minimum_is_noted(source: Path) -> None:
    write("long.xyz", Atoms("H2", [[2, 2, 2], [2, 2, 2.9]]))
    with pytest.warns(fg.InputNote, match=r"no minimum: a force of \d+\.\d+ eV/Å is left"):
        fg.vibrations(source, structure="long.xyz", pes=1)


@pytest.mark.parametrize("length", ["0.01", "0.01 eV", "1 Å", "0 Å", "much"])
def test_a_wrong_displacement_is_refused(source: Path, length: str) -> None:
    with pytest.raises(InputError) as caught:
        fg.vibrations(source, displacement=length)
    assert caught.value.problems[0].where == "--displacement"
    assert not Path("runs").exists()


@pytest.mark.nightly
def test_infrared_lines_of_water_are_the_changes_of_its_dipole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = HYDROGEN.replace("h2.xyz", "built-in:H2O").replace("10 bohr", "8 Å")
    text = text.replace("{ H", '{ O = "O.blyp-mt.UPF", H').replace("30 Ry", "50 Ry")
    Path("water.toml").write_text(text)
    fg.relax("water.toml", force="0.005 eV/Å")
    found = fg.vibrations("water.toml", structure="runs/water-relaxed/relaxed.xyz")
    assert found.vibrations.sum() == 3
    assert found.intensities is not None
    # The fundamentals of water are 1595, 3657 and 3756 1/cm; harmonic ones of BLYP are near them,
    # because its bonds are too soft by what anharmonicity takes off. The cutoff is low here.
    assert found.wavenumbers[-3:] == pytest.approx([1595, 3657, 3756], rel=0.03)
    text = text.replace("built-in:H2O", "moved.xyz")
    for mode in (-3, -2, -1):
        step, dipoles = 0.02, []
        for way in (-1, 1):
            atoms = found.atoms.copy()
            atoms.positions += way * step * found.modes[mode]
            dipole = energies_at(atoms, text).dipole
            assert dipole is not None
            dipoles.append(dipole)
        slope = (dipoles[1] - dipoles[0]) / (2 * step)  # e bohr/(Å Da^(1/2))
        debye = slope * 2.541746473
        # 42.255 km/mol for 1 D^2/(Å^2 Da): Porezag and Pederson, Phys. Rev. B 54, 7830 (1996).
        assert found.intensities[mode] == pytest.approx(42.255 * debye @ debye, rel=0.03)
