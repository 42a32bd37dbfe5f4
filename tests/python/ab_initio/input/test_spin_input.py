# SPDX-License-Identifier: BSD-3-Clause
"""Keys for spin: what fits the electrons, what does not, and moments of structures."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, WATER, with_lines
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem

Problems = Callable[..., list[Problem]]
SPIN = 'spin = "collinear"'


def with_spin(*lines: str, text: str = INPUT) -> str:
    return with_lines(text, "electrons", SPIN, *lines)


def one(found: list[Problem]) -> Problem:
    assert len(found) == 1, found
    return found[0]


@pytest.fixture
def hydroxyl(folder: Path) -> Path:
    """OH, with seven valence electrons, and moments beside its atoms."""
    rows = WATER.splitlines()
    head = rows[1].replace("pos:R:3", "pos:R:3:initial_magmoms:R:1")
    atoms = [f"{rows[2]} 1.0", f"{rows[3]} 0.0"]
    (folder / "oh.xyz").write_text("\n".join(["2", head, *atoms]) + "\n")
    return folder / "oh.xyz"


def oh(text: str) -> str:
    return text.replace("water.xyz", "oh.xyz")


@pytest.mark.parametrize(
    ("line", "up", "down"),
    [
        ("multiplicity = 1", 4, 4),
        ("multiplicity = 3", 5, 3),
        ("magnetization = 2", 5, 3),
        ("magnetization = 8", 8, 0),
        ("starting_moments = [2, 0, 0]", 5, 3),
        ("multiplicity = 3\nstarting_moments = [1.2, 0.1, 0]", 5, 3),
        ("multiplicity = 1\nstarting_moments = [0, 1, -1]", 4, 4),
    ],
)
def test_electrons_are_shared_by_the_spins(
    prepared: Callable[..., Prepared], line: str, up: int, down: int
) -> None:
    spins = prepared(with_spin(line)).spins
    assert (spins.count, spins.up, spins.down, spins.bands) == (2, up, down, 8)


def test_moments_begin_in_proportion_to_the_electrons(prepared: Callable[..., Prepared]) -> None:
    np.testing.assert_allclose(
        prepared(with_spin("magnetization = 2")).spins.moments, [1.5, 0.25, 0.25]
    )


@pytest.mark.parametrize(
    ("lines", "what", "limit", "hint"),
    [
        (("multiplicity = 2",), "asks for 1 unpaired", "an even number, for 8", "such as 1, 3, 5"),
        (("magnetization = 3",), "asks for 3 unpaired", "an even number", "such as 0, 2, 4"),
        (("multiplicity = 11",), "asks for 10 unpaired", "at most 8", "such as 1, 3, 5"),
        (("magnetization = 10",), "asks for 10 unpaired", "at most 8", "such as 0, 2, 4"),
        (("multiplicity = 0",), "out of range", "at least 1", ""),
        (("magnetization = -2",), "out of range", "at least 0", ""),
        (("multiplicity = 1.5",), "not a whole number", "", ""),
        (("multiplicity = 3", "magnetization = 2"), "is there too", "", "multiplicity less one"),
        ((), "needs the number of unpaired electrons", "", "multiplicity = 1 for none, 3 for two"),
        (("starting_moments = [1, 1]",), "has 2 numbers", "each of the 3 atoms", ""),
        (
            ("starting_moments = [1, 0, 0]",),
            "add up to 1 unpaired",
            "an even number",
            "give the mult",
        ),
        (("starting_moments = [1.4, 0, 0]",), "add up to 1.4", "an even number", "give the mult"),
        (("starting_moments = [-2, 0, 0]",), "add up to -2", "at least 0", "give the mult"),
        (("multiplicity = 3", "starting_moments = [7, 0, 0]"), "of 7", "at most its 6", ""),
        (
            ("multiplicity = 3", "bands = 4"),
            "below the number of occ",
            "at least 5, the electrons of",
            "",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    problems: Problems, lines: tuple[str, ...], what: str, limit: str, hint: str
) -> None:
    found = problems(with_spin(*lines))
    problem = next(one for one in found if what in one.what)
    assert limit in problem.limit
    assert hint in problem.hint
    assert problem.where.startswith("water.toml:")


@pytest.mark.parametrize("key", ["multiplicity = 3", "magnetization = 2", "starting_moments = [1]"])
def test_keys_without_spin_are_refused(problems: Problems, key: str) -> None:
    problem = one(problems(with_lines(INPUT, "electrons", key)))
    assert problem.what == "needs spin"
    assert SPIN in problem.hint


def test_an_odd_number_of_electrons_needs_spin(
    hydroxyl: Path, prepared: Callable[..., Prepared], problems: Problems
) -> None:
    problem = one(problems(oh(INPUT)))
    assert problem.what == "has 7 valence electrons, an odd number"
    assert 'for a neutral radical add spin = "collinear" and multiplicity = 2' in problem.hint
    assert "a net charge is not supported by this version" in problem.hint
    assert "with spin it would be the neutral radical" in problem.hint
    assert "a net charge is not supported" in one(problems(oh(with_spin("multiplicity = 1")))).hint
    assert "an odd number, for 7" in one(problems(oh(with_spin("multiplicity = 3")))).limit
    spins = prepared(oh(with_spin("multiplicity = 2"))).spins
    assert (spins.up, spins.down) == (4, 3)


def test_a_structures_moments_are_taken(hydroxyl: Path, prepared: Callable[..., Prepared]) -> None:
    spins = prepared(oh(with_spin())).spins
    assert (spins.up, spins.down) == (4, 3)
    np.testing.assert_array_equal(spins.moments, [1, 0])
    # The moments of the input have priority.
    spins = prepared(oh(with_spin("starting_moments = [2.5, 0.5]"))).spins
    assert (spins.up, spins.down) == (5, 2)


def test_moments_without_spin_are_told(folder: Path, prepared: Callable[..., Prepared]) -> None:
    rows = WATER.splitlines()
    head = rows[1].replace("pos:R:3", "pos:R:3:initial_magmoms:R:1")
    atoms = [f"{row} {moment}" for row, moment in zip(rows[2:], (1.0, -0.5, -0.5), strict=True)]
    (folder / "water.xyz").write_text("\n".join(["3", head, *atoms]) + "\n")
    assert any("moments of the structure are not used" in note for note in prepared().given.notes)
    assert prepared().spins.moments is None


def test_moments_that_are_vectors_are_refused(folder: Path, problems: Problems) -> None:
    rows = WATER.splitlines()
    head = rows[1].replace("pos:R:3", "pos:R:3:initial_magmoms:R:3")
    (folder / "water.xyz").write_text("\n".join(["3", head, *(f"{row} 0 0 1" for row in rows[2:])]))
    assert "not one number for each atom" in one(problems(with_spin())).what


def test_a_job_holds_both_spins(folder: Path, command: Callable[..., Result]) -> None:
    (folder / "water.toml").write_text(with_spin("multiplicity = 3"))
    fg.load(folder / "water.toml", folder / "water.h5")
    with h5py.File(folder / "water.h5") as file:
        electrons = file["electrons"].attrs
        assert (electrons["spins"], electrons["bands"], electrons["bands_up"]) == (2, 8, 5)
        assert file["ions/moment"].shape == (3,)
    assert AbInitioJob(folder / "water.h5").electrons["spins"] == 2
    for name in ("water.toml", "water.h5"):
        shown = command("check", folder / name).stdout
        assert "8, 5 of spin up and 3 of spin down, neutral" in shown
