# SPDX-License-Identifier: BSD-3-Clause
"""Cells: their forms, images and orientations."""

from pathlib import Path

import numpy as np
import pytest
from input_systems import water_input, write_waters
from openmm.app.internal.unitcell import computePeriodicBoxVectors

from finegrain.base import cells
from finegrain.classical.preparation.prepare import prepare
from finegrain.units import bohr_in_nm

OCTAHEDRON = np.array([[1, 0, 0], [1 / 3, 8**0.5 / 3, 0], [-1 / 3, 2**0.5 / 3, 6**0.5 / 3]])
SKEW = np.array([[2.2, 0, 0], [0.8, 2, 0], [-0.6, 0.7, 1.8]])


def test_a_rectangular_box_has_edges_in_every_form() -> None:
    edges = np.array([1.0, 2, 3])
    for form in (edges, np.diag(edges), np.array([1.0, 2, 3, 0, 0, 0])):
        assert cells.box_of(form).tolist() == edges.tolist()
    assert cells.engine_numbers(edges).tolist() == edges.tolist()
    assert cells.widths(edges).tolist() == cells.lengths(edges).tolist() == edges.tolist()


def test_a_tilted_box_has_vectors_in_every_form() -> None:
    numbers = [2.2, 2, 1.8, 0.8, -0.6, 0.7]
    assert cells.engine_numbers(SKEW).tolist() == numbers
    assert cells.box_of(np.array(numbers)).tolist() == SKEW.tolist()
    assert cells.volume(SKEW) == pytest.approx(np.linalg.det(SKEW))


def test_widths_are_the_volume_over_the_faces() -> None:
    a, b, c = SKEW
    faces = [np.linalg.norm(np.cross(*pair)) for pair in ((b, c), (c, a), (a, b))]
    np.testing.assert_allclose(cells.widths(SKEW), np.linalg.det(SKEW) / faces)


@pytest.mark.parametrize("degrees", [(109.4712190, 109.4712190, 109.4712190), (90, 60, 75)])
def test_lengths_and_angles_are_those_of_openmm(degrees: tuple[float, float, float]) -> None:
    """OpenMM reduces the cell; its rounding is that of zero below 1e-6."""
    lengths, angles = np.array([2.0, 2.5, 3]), np.array(degrees)
    vectors = cells.vectors_from(lengths, angles)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), lengths)
    np.testing.assert_allclose(cells.angles(vectors), degrees)
    theirs = computePeriodicBoxVectors(*lengths, *np.radians(degrees))._value
    box, turn = cells.upright(vectors)
    assert turn is None
    assert cells.same_lattice(box, np.array(theirs), 1e-5)


@pytest.mark.parametrize("box", [np.array([2.0, 1.5, 1.8]), 2 * OCTAHEDRON, SKEW])
def test_the_nearest_image_is_the_shortest_of_all(box: np.ndarray) -> None:
    vectors = cells.vectors_of(box)
    apart = np.random.default_rng(1).uniform(-1.5, 1.5, (500, 3)) @ vectors
    images = np.array(np.meshgrid(*[range(-4, 5)] * 3)).reshape(3, -1).T @ vectors
    shortest = np.linalg.norm(apart[:, None] + images[None], axis=2).min(axis=1)
    found = np.linalg.norm(apart - cells.nearest_shift(apart, box), axis=1)
    near = shortest < 0.5 * np.diagonal(vectors).min()
    assert near.sum() > 100
    np.testing.assert_allclose(found[near], shortest[near], atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_any_cell_is_turned_and_reduced_to_the_same_lattice(seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(3, 3)) * 2
    box, turn = cells.upright(vectors)
    assert turn is not None
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)  # not a mirror
    assert cells.same_lattice(vectors @ turn.T, cells.vectors_of(box), 1e-9)
    (a, _, _), (xy, b, _), (xz, yz, c) = cells.vectors_of(box)
    assert min(a, b, c) > 0
    assert max(abs(xy), abs(xz)) <= a / 2 * (1 + 1e-6)
    assert abs(yz) <= b / 2 * (1 + 1e-6)


def _prepared(folder: Path, box: str) -> tuple[np.ndarray, np.ndarray, list[str]]:
    folder.mkdir(exist_ok=True)
    text = water_input.replace("\n[forces]", f"box = {box}\n[forces]")
    found = prepare(write_waters(folder, text))
    return found.frame * bohr_in_nm, found.system.position * bohr_in_nm, found.given.notes


def test_an_input_may_give_lengths_and_angles(tmp_path: Path) -> None:
    box, _, _ = _prepared(tmp_path, '["19 Å", "20 Å", "21 Å", "70°", "80 degrees", "75 deg"]')
    np.testing.assert_allclose(cells.lengths(box), [1.9, 2.0, 2.1])
    np.testing.assert_allclose(cells.angles(box), [70, 80, 75])


def test_an_input_may_give_vectors_that_lie_otherwise(tmp_path: Path) -> None:
    """A cell with a along y and b along -x: everything turns with it, and a note says so."""
    straight, before, quiet = _prepared(tmp_path / "a", '["19 Å", "20 Å", "21 Å"]')
    given = '[["0 Å", "19 Å", "0 Å"], ["-20 Å", "0 Å", "0 Å"], ["0 Å", "0 Å", "21 Å"]]'
    box, after, notes = _prepared(tmp_path / "b", given)
    np.testing.assert_allclose(box, straight, rtol=1e-14)
    turn = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    np.testing.assert_allclose(after, before @ turn.T, atol=1e-12)
    assert any("turned" in note for note in notes)
    assert not any("turned" in note for note in quiet)
