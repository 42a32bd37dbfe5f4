# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of placements: the colours that they must have, and arrays that they refuse."""

import io

import numpy as np
import pytest
from machine_texts import problems_of

from finegrain.errors import InputError
from finegrain.machines import (
    BisectionStage,
    LinkLoads,
    draw_bisection,
    draw_links,
    draw_patches,
)
from finegrain.machines.drawings.picture import colours_of

pytestmark = pytest.mark.pictures


def pixels(draw, *words, **options) -> np.ndarray:
    """Return the pixels of a drawing, RGB from 0 to 255."""
    from matplotlib.image import imread

    image = io.BytesIO()
    draw(*words, image, **options)
    image.seek(0)
    return np.rint(imread(image)[:, :, :3] * 255).astype(int)


def share_of(image: np.ndarray, colour) -> float:
    """Return which share of the pixels has a colour, to one step."""
    wanted = np.rint(np.asarray(colour) * 255).astype(int)
    return float((np.abs(image - wanted).max(axis=2) <= 1).mean())


def test_colours_of_neighbouring_numbers_differ_and_gaps_are_grey():
    colours = colours_of(np.arange(-1, 200))
    steps = np.abs(np.diff(colours[1:], axis=0)).max(axis=1)
    assert steps.min() > 0.2
    assert np.ptp(colours[0]) == 0
    assert np.array_equal(colours_of(np.array([5])), colours[6:7])


def test_two_placements_share_one_scale():
    """The lighter placement has the colour of half the scale, the other that of its top."""
    from matplotlib import colormaps

    full, half = np.full(16, 2e6), np.full(16, 1e6)
    image = pixels(draw_links, {"random": LinkLoads(full, full), "adapted": LinkLoads(half, half)})
    scale = colormaps["viridis_r"]
    shares = [share_of(image, scale(value)[:3]) for value in (1.0, 0.5)]
    assert min(shares) > 0.1
    assert shares[0] == pytest.approx(
        shares[1], rel=0.1
    )  # as many panels; colour bars add a little


def test_a_picture_of_links_in_each_format(tmp_path):
    loads = LinkLoads([1.0, 2.0, float("nan")], [0.5, 1.0, float("nan")])
    heads = {"a.png": b"\x89PNG", "a.pdf": b"%PDF", "a.svg": b"<?xml"}
    for name, head in heads.items():
        draw_links({"native": loads}, tmp_path / name, title="three $nodes\x1b")
        assert (tmp_path / name).read_bytes().startswith(head)
    (found,) = problems_of(draw_links, {"native": loads}, tmp_path / "a.jpg")
    assert found.limit == ".png, .pdf, .svg"


@pytest.mark.parametrize(
    "placements",
    [
        {},
        {"a": LinkLoads([], [])},
        {"a": LinkLoads([1.0], [1.0, 2.0])},
        {"a": LinkLoads([1.0], [1.0]), "b": LinkLoads([1.0, 2.0], [1.0, 2.0])},
        {"a": LinkLoads([-1.0], [1.0])},
        {"a": LinkLoads([float("inf")], [1.0])},
        {"a": LinkLoads([[1.0]], [1.0])},
    ],
)
def test_loads_that_cannot_be_drawn(placements):
    problems_of(draw_links, placements, io.BytesIO())


def test_nodes_without_any_load_are_drawn():
    assert pixels(draw_links, {"a": LinkLoads(np.zeros(4), np.zeros(4))}, columns=4).size


def test_partitions_have_their_colours_and_shares():
    partition = np.repeat([[0, 0, 0, 1]], 4, axis=0)
    image = pixels(draw_bisection, [BisectionStage(partition, title="one")])
    three, one = (share_of(image, colour) for colour in colours_of(np.array([0, 1])))
    assert three == pytest.approx(3 * one, rel=0.05)
    order = [(row, column) for row in range(4) for column in range(4)]
    crossed = pixels(draw_bisection, [BisectionStage(partition, order)])
    assert share_of(crossed, (0, 0, 0)) > share_of(image, (0, 0, 0)) + 0.005


@pytest.mark.parametrize(
    "stages",
    [
        [],
        [BisectionStage([0, 1])],
        [BisectionStage([[0.5]])],
        [BisectionStage(np.zeros((0, 2), int))],
        [BisectionStage([[0, 1]], [(0, 2)])],
        [BisectionStage([[0, 1]], [(0, -1)])],
        [BisectionStage([[0, 1]], [(0, 1, 0)])],
    ],
)
def test_bisections_that_cannot_be_drawn(stages):
    problems_of(draw_bisection, stages, io.BytesIO())


def test_patches_in_slices():
    nodes = np.zeros((4, 4, 2), int)
    nodes[:2] = 1
    image = pixels(draw_patches, nodes, name="rank", title="patches")
    shares = [share_of(image, colour) for colour in colours_of(np.array([0, 1]))]
    assert shares[0] == pytest.approx(shares[1], rel=0.05)
    assert shares[0] > 0.1


def test_many_slices_are_thinned_out():
    nodes = np.arange(40 * 2 * 2).reshape(40, 2, 2)
    assert pixels(draw_patches, nodes, axis=0).shape[0] < 1400


@pytest.mark.parametrize(("array", "axis"), [([[1]], 2), ([[[0.5]]], 2), ([[[1]]], 3)])
def test_patches_that_cannot_be_drawn(array, axis):
    with pytest.raises(InputError):
        draw_patches(array, io.BytesIO(), axis=axis)
