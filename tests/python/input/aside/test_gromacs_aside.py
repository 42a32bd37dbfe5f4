# SPDX-License-Identifier: BSD-3-Clause
"""What GROMACS topologies hold and a run does not use is named."""

from pathlib import Path

import pytest
from input_systems import write_gromacs_input
from measure_gromacs_pairs import topology
from water_files import gro_input, write_gro

from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import prepare

plain = topology()
restraints = "[ position_restraints ]\n1 1 1000 1000 1000\n"


def notes(toml: Path) -> list[str]:
    return [one for one in notes_of(prepare(toml)) if "another name" not in one]


def with_restraints(lines: str) -> str:
    return plain.replace("[ system ]", lines + "[ system ]")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (f"#ifdef POSRES\n{restraints}#endif\n", ["POSRES"]),
        ('#ifdef POSRES\n#include "posre.itp"\n#endif\n', ["POSRES"]),
        (f"#ifndef FREE\n#else\n{restraints}#endif\n", ["FREE"]),
        (f"#ifdef ONE\n#ifdef TWO\n{restraints}#endif\n#endif\n", ["ONE", "TWO"]),
        ("#ifdef HARD\n[ dihedral_restraints ]\n1 2 3 4 1 0 0 10\n#endif\n", ["HARD"]),
        (f"#ifdef ONE\n[ pairs ]\n#endif\n#ifdef TWO\n{restraints}#endif\n", ["TWO"]),
        ('#ifdef POSRES\n#include "absent.itp"\n#endif\n', []),
        (f"#define FREE\n#ifndef FREE\n{restraints}#endif\n", []),
        (restraints, []),
    ],
)
def test_unused_restraints_are_named(tmp_path: Path, lines: str, words: list[str]) -> None:
    (tmp_path / "posre.itp").write_text("; of the protein\n" + restraints)
    toml = write_gromacs_input(tmp_path, with_restraints(lines))
    found = notes(toml)
    assert len(found) == bool(words)
    if words:
        listed = ", ".join(f'"{word}"' for word in words)
        assert found[0].startswith("restraints of the topology are not used: ")
        assert found[0].endswith(f"not defined; to use them: define = [{listed}] in [system]")
        assert f"{words[0]} (x.top:" in found[0]


@pytest.mark.parametrize(
    "more",
    ['restraints = "none"\n', '[[restraints]]\natoms = ["1"]\nforce_constant = "1 kJ/mol/nm^2"\n'],
)
def test_restraints_of_the_input_stand_for_those_of_the_topology(tmp_path: Path, more: str) -> None:
    toml = write_gromacs_input(tmp_path, with_restraints(f"#ifdef POSRES\n{restraints}#endif\n"))
    text = toml.read_text()
    toml.write_text(more + text if more.startswith("restraints") else text + more)
    assert notes(toml) == []


def test_parameters_of_a_state_b_are_named(tmp_path: Path) -> None:
    rows = plain.splitlines()
    atom = rows.index("[ atoms ]") + 1
    rows[atom] += " B 0.5 12.0"
    bond = rows.index("[ bonds ]") + 1
    rows[bond] += " 0.15 200000 0.16 200000"
    (note,) = notes(write_gromacs_input(tmp_path, "\n".join(rows) + "\n"))
    assert note.startswith("x.top holds parameters of a state B for 1 atoms and 1 terms")
    assert "the system is in state A" in note


def test_a_state_b_that_is_state_a_is_not_named(tmp_path: Path) -> None:
    rows = plain.splitlines()
    words = rows[rows.index("[ atoms ]") + 1].split()
    rows[rows.index("[ atoms ]") + 1] += f" {words[1]} {words[6]} {words[7]}"
    rows[rows.index("[ bonds ]") + 1] += " 0.15 200000 0.150 2e5"
    assert notes(write_gromacs_input(tmp_path, "\n".join(rows) + "\n")) == []


def test_water_that_stays_rigid_is_named(tmp_path: Path) -> None:
    write_gro(tmp_path, 3)
    text = gro_input + 'temperature = "300 K"\n'
    (tmp_path / "in.toml").write_text(text)
    assert notes(tmp_path / "in.toml") == []
    (tmp_path / "in.toml").write_text(text.replace("[forces]", "[forces]\nrigid_water = false"))
    (note,) = notes(tmp_path / "in.toml")
    assert note.startswith("rigid_water = false has no effect on SOL")
