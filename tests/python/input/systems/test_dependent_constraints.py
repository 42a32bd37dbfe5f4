# SPDX-License-Identifier: BSD-3-Clause
"""Groups held by distances that depend on each other are refused, and no others."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from input_systems import problems_of, write_input

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError

_angle = np.radians(104.5)
water = np.array([[0, 0, 0], [0.1, 0, 0], [0.1 * np.cos(_angle), 0.1 * np.sin(_angle), 0]])
line = np.array([[0, 0, 0], [0.116, 0, 0], [-0.116, 0, 0]])
four = np.array([[0, 0, 0], [0.11, 0, 0], [0.23, 0, 0], [0.34, 0, 0]])
square = np.array([[0, 0, 0], [0.13, 0, 0], [0.13, 0.13, 0], [0, 0.13, 0]])
pyramid = np.array([[0, 0, 0], [0.1, 0, 0.03], [-0.05, 0.087, 0.03], [-0.05, -0.087, 0.03]])


def bent(degrees: float) -> np.ndarray:
    end = np.radians(degrees)
    return np.array([[0, 0, 0], [0.116, 0, 0], [0.116 * np.cos(end), 0.116 * np.sin(end), 0]])


def write(folder: Path, places: np.ndarray, held: list[tuple[int, int]], sites: str = "") -> Path:
    """Write two molecules with these distances; those of the topology are exact."""
    atoms = "".join(f"{i + 1} A 1 MOL C{i + 1} 1 0 12\n" for i in range(len(places)))
    rows = "".join(
        f"{i + 1} {j + 1} 2 {np.linalg.norm(places[i] - places[j]):.10f}\n" for i, j in held
    )
    (folder / "x.top").write_text(
        f"[ defaults ]\n1 2 no\n[ atomtypes ]\nA 6 12 0 A 0.3 0.2\n[ moleculetype ]\nMOL 0\n"
        f"[ atoms ]\n{atoms}[ constraints ]\n{rows}{sites}[ exclusions ]\n"
        + "".join(f"{i + 1} {j + 1}\n" for i, j in combinations(range(len(places)), 2))
        + "[ system ]\ntwo\n[ molecules ]\nMOL 2\n"
    )
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    all_places = np.concatenate([places @ turn + 1, places + 2])
    gro = [
        f"{1:5d}MOL  {'C' + str(i % len(places) + 1):>5s}{i + 1:5d}"
        + "".join(f"{x:8.3f}" for x in row)
        for i, row in enumerate(all_places)
    ]
    (folder / "x.gro").write_text("\n".join(["two", str(len(gro)), *gro, "3 3 3"]) + "\n")
    return write_input(folder, "x.top", "x.gro", '[forces]\ncutoff = "10 Å"\n')


every_three, every_four = list(combinations(range(3), 2)), list(combinations(range(4), 2))


@pytest.mark.parametrize(
    ("places", "held"),
    [
        (line, every_three),
        (line[[1, 0, 2]], every_three),
        (four, every_four),
        (four, [pair for pair in every_four if pair != (0, 3)]),
        (bent(179.5), every_three),
    ],
)
def test_three_atoms_in_a_line_held_by_three_distances_are_named_with_the_remedy(
    tmp_path: Path, places: np.ndarray, held: list[tuple[int, int]]
) -> None:
    (found,) = problems_of(write(tmp_path, places, held))
    assert found.what.startswith("three distances hold three atoms in one line")
    assert [f"C{i} of MOL 1" in found.value for i in (1, 2, 3)] == [True] * 3
    assert "virtual sites" in found.hint


@pytest.mark.parametrize(
    ("places", "held"), [(square, every_four), (four, [(0, 1), (1, 2), (2, 3), (0, 3)])]
)
def test_other_distances_that_depend_on_each_other_are_refused(
    tmp_path: Path, places: np.ndarray, held: list[tuple[int, int]]
) -> None:
    with pytest.raises(InputError, match="distances that hold a group depend on each other"):
        prepare(write(tmp_path, places, held))


@pytest.mark.parametrize(
    ("places", "held"),
    [
        (water, every_three),
        (bent(170), every_three),
        (pyramid, every_four),
        (square, every_four[:5]),
        (square, [(0, 1), (1, 2), (2, 3), (0, 3)]),
        (line, every_three[:2]),
        (four, [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_groups_that_are_held_soundly_are_not_refused(
    tmp_path: Path, places: np.ndarray, held: list[tuple[int, int]]
) -> None:
    system = prepare(write(tmp_path, places, held)).system
    assert system.degrees_of_freedom == 2 * (3 * len(places) - len(held))


def test_two_masses_with_three_sites_on_their_line_are_a_linear_molecule(tmp_path: Path) -> None:
    places = np.concatenate([[[-0.1, 0, 0], [0.1, 0, 0]], line])
    rows = "3 1 2 1 0.5\n4 1 2 1 1.08\n5 1 2 1 -0.08\n"
    toml = write(tmp_path, places, [(0, 1)], f"[ virtual_sites2 ]\n{rows}")
    top = tmp_path / "x.top"
    text = top.read_text()
    for i in (3, 4, 5):
        text = text.replace(f"{i} A 1 MOL C{i} 1 0 12", f"{i} A 1 MOL C{i} 1 0 0")
    top.write_text(text)
    assert prepare(toml).system.degrees_of_freedom == 2 * 5
