# SPDX-License-Identifier: BSD-3-Clause
"""What files of CHARMM ask for and a run does not do is named."""

from pathlib import Path

import pytest
from input_systems import replace_in
from water_files import write_charmm_water

from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import prepare


def notes(folder: Path, old: str, new: str, forces: str = "") -> list[str]:
    write_charmm_water(folder)
    replace_in(folder / "w.prm", old, new)
    toml = folder / "in.toml"
    toml.write_text(toml.read_text() + forces)
    return notes_of(prepare(toml))


def test_parameters_with_the_usual_options_have_no_note(tmp_path: Path) -> None:
    assert notes(tmp_path, "BONDS", "BONDS") == []


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("ctofnb 12.0", "ctofnb 14.0", 'cutoff = "14 Å"'),
        ("ctonnb 10.0", "ctonnb 8.0", 'switch = "8 Å"'),
    ],
)
def test_unused_nonbonded_distances_are_named(tmp_path: Path, old: str, new: str, key: str) -> None:
    name, asked = new.upper().split()
    (note,) = notes(tmp_path, old, new)
    assert note.startswith(f"w.prm asks for {name} {float(asked):g} Å, which is not used")
    assert note.endswith(f"to use it: {key} in [forces]")
    assert notes(tmp_path, old, new, f"[forces]\n{key}\n") == []


def test_parameters_of_polarisable_atoms_are_named(tmp_path: Path) -> None:
    (note,) = notes(tmp_path, "END", "THOLE TCUT 5.0\nHT OT 1.2\n\nEND")
    assert note.startswith("w.prm holds THOLE")


def test_a_molecule_without_a_box_has_no_cutoff_to_name(tmp_path: Path) -> None:
    write_charmm_water(tmp_path)
    toml = tmp_path / "in.toml"
    lines = [line for line in toml.read_text().splitlines() if not line.startswith("box")]
    replace_in(tmp_path / "w.prm", "ctofnb 12.0", "ctofnb 14.0")
    toml.write_text("\n".join(lines) + "\n")
    assert notes_of(prepare(toml)) == []
