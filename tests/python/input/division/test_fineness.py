# SPDX-License-Identifier: BSD-3-Clause
"""How finely a job is divided."""

import itertools
import math

import pytest

from finegrain.classical.division import fineness


@pytest.mark.parametrize(
    ("most", "atoms", "pes", "patches", "computes"),
    [
        ((4, 4, 4), 23_558, 8, (2, 2, 2), 4),
        ((4, 4, 4), 23_558, 1, (2, 2, 2), 1),  # no larger patches
        ((4, 4, 4), 23_558, 64, (4, 4, 4), 4),
        ((4, 4, 4), 23_558, 1000, (4, 4, 4), 14),  # no smaller ones
        ((1, 1, 1), 600, 8, (1, 1, 1), 14),
        ((2, 2, 2), 2_946, 4, (1, 2, 2), 4),
        ((2, 1, 9), 3_000, 5, (1, 1, 5), 4),  # along the longest side of the box
    ],
)
def test_few_objects_but_enough(
    most: fineness.Grid, atoms: int, pes: int, patches: fineness.Grid, computes: int
) -> None:
    found = fineness.choose_patches(most, atoms, pes)
    assert found == patches
    assert fineness.choose_pair_computes(found, pes) == computes


def test_no_grid_with_fewer_patches_is_enough() -> None:
    for most, pes in itertools.product([(3, 5, 7), (1, 6, 6), (4, 4, 4)], [1, 2, 8, 30, 64]):
        found = fineness.choose_patches(most, 10_000, pes)
        wanted = max(pes, math.ceil(10_000 / 3000))
        grids = itertools.product(*(range(1, count + 1) for count in most))
        enough = [math.prod(grid) for grid in grids if math.prod(grid) >= wanted]
        assert math.prod(found) == min(enough, default=math.prod(most))
        assert all(number <= count for number, count in zip(found, most, strict=True))
        computes = fineness.choose_pair_computes(found, pes)
        if math.prod(found) >= pes:
            assert fineness.enough_for(found, computes) >= pes


@pytest.mark.parametrize(
    ("patches", "reach"),
    [
        ((4, 4, 4), (1, 1, 1)),
        ((5, 4, 9), (2, 1, 2)),
        ((9, 14, 19), (2, 3, 4)),
        ((1, 20, 1), (1, 5, 1)),
    ],
)
def test_patches_of_dhfr_reach_as_far_as_its_lists(
    patches: fineness.Grid, reach: fineness.Grid
) -> None:
    """Its box is 62.23 Å wide, and its lists reach 12.87 Å."""
    assert fineness.reach_of(patches, [62.23] * 3, 12.87) == reach


def test_as_many_patches_reach_twice_as_far() -> None:
    mosts = [
        fineness.most_patches([62.23] * 3, 12.87, reach, every_pair=False, far=False)
        for reach in range(1, 5)
    ]
    assert mosts == [(4, 4, 4), (9, 9, 9), (14, 14, 14), (19, 19, 19)]
    for pes, reach in ((1, 1), (64, 1), (65, 2), (729, 2), (1000, 3), (4096, 4), (10**6, 4)):
        assert fineness.reach_for(mosts, pes) == reach
    assert fineness.reach_for([(1, 1, 1), (2, 2, 2)], 8) == 1
    assert fineness.reach_for([(1, 1, 1), (2, 2, 2)], 9) == 2
    for reach, most in enumerate(mosts, 1):
        assert max(fineness.reach_of(most, [62.23] * 3, 12.87)) == reach
    assert fineness.most_patches([62.23] * 3, 12.87, 4, every_pair=False, far=True) == (2, 2, 2)


def test_pencils_are_a_few_lines_wide_unless_there_are_many_pes() -> None:
    assert fineness.choose_pencils((64, 64), 8) == (4, 4)
    assert fineness.choose_pencils((32, 32), 8) == (2, 2)
    assert fineness.choose_pencils((64, 64), 128) == (8, 8)
    assert fineness.choose_pencils((64, 64), 10**6) == (16, 16)


OUT_OF_PATCHES = "take grid and pair_computes out of [patches], and set pes = 16"


@pytest.mark.parametrize(
    ("pes", "patches", "computes", "given", "said"),
    [
        (8, (2, 2, 2), 8, (), ""),
        (9, (2, 2, 2), 8, (), "set pes = 9 in [patches]"),
        (2, (1, 1, 1), 8, ("pes",), "set pes = 2 in [patches]"),
        (16, (1, 1, 2), 4, ("grid", "pes", "pair_computes"), OUT_OF_PATCHES),
        (1000, (4, 4, 4), 14, (), ""),  # nothing is finer
    ],
)
def test_a_division_too_coarse_for_the_pes_is_noted(
    pes: int, patches: fineness.Grid, computes: int, given: tuple[str, ...], said: str
) -> None:
    note = fineness.note_of_pes(pes, 23_558, (4, 4, 4), patches, computes, given)
    assert bool(note) == bool(said)
    assert said in note
    if said:
        enough = fineness.enough_for(patches, computes)
        places = f"{enough} PEs" if enough > 1 else "one PE"
        assert f"divided for {places} and runs on {pes}" in note


def test_what_a_note_asks_for_ends_it() -> None:
    """Whatever the box allows: with the division that it leads to, nothing is said."""
    for most, pes in itertools.product([(1, 1, 1), (1, 6, 6), (4, 4, 4)], [1, 2, 8, 30, 64, 500]):
        patches = fineness.choose_patches(most, 10_000, pes)
        computes = fineness.choose_pair_computes(patches, pes)
        assert fineness.note_of_pes(pes, 10_000, most, patches, computes, ()) == ""
