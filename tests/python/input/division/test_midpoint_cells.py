# SPDX-License-Identifier: BSD-3-Clause
"""Midpoint cells that are cut by work: in the input, in the job and in what a run gives."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from input_systems import Waters, replace_in, water_input, write_waters

import finegrain as fg
from finegrain.classical.preparation.messages import Messages
from finegrain.errors import InputError
from finegrain.runs.energies import read_energies
from finegrain.tuning import tune
from finegrain.tuning.in_turns import Entrant, Turns

EDGE = 2**30  # of the box, in the planes of a job
PATCHES = """
[patches]
grid = [3, 3, 3]
"""
BY_MIDPOINTS = PATCHES + 'pairs = "midpoint"\n'
IN_CELLS = BY_MIDPOINTS + "cells = [4, 2, 3]\n"


def written(folder: Path, patches: str) -> Path:
    folder.mkdir(exist_ok=True)
    return write_waters(folder, water_input + patches, Waters(12, 3.728))


def table(path: Path) -> tuple[list[int], np.ndarray]:
    with h5py.File(path) as file:
        cells = file["midpoint_cells"]
        return list(cells["shape"]), np.asarray(cells["planes"])


def test_a_job_holds_where_space_is_cut(tmp_path: Path) -> None:
    job = fg.load(written(tmp_path, IN_CELLS), tmp_path / "job.h5")
    shape, planes = table(job.path)
    assert shape == [4, 2, 3]
    along = {"x": (1, 5), "y": (4, 3), "z": (8, 4)}
    assert len(planes) == sum(lists * count for lists, count in along.values())
    first = 0
    for lists, count in along.values():
        of_axis = planes[first : first + lists * count].reshape(lists, count)
        first += lists * count
        assert (of_axis[:, 0] == 0).all()
        assert (of_axis[:, -1] == EDGE).all()
        assert (np.diff(of_axis, axis=1) > 0).all()
        # A lattice of waters has its pairs everywhere.
        assert np.abs(np.diff(of_axis, axis=1) * (count - 1) / EDGE - 1).max() < 0.15
    without = fg.load(written(tmp_path / "usual", BY_MIDPOINTS), tmp_path / "usual.h5")
    with h5py.File(without.path) as file:
        assert "midpoint_cells" not in file


def test_the_cut_is_the_same_each_time(tmp_path: Path) -> None:
    one = table(fg.load(written(tmp_path, IN_CELLS), tmp_path / "one.h5").path)
    other = table(fg.load(written(tmp_path, IN_CELLS), tmp_path / "other.h5").path)
    assert one[0] == other[0]
    assert (one[1] == other[1]).all()


def test_runs_with_cells_give_the_same_energies(tmp_path: Path) -> None:
    """To the rounding of single precision in the first row; one digest on any number of PEs."""
    rows, digests = {}, {}
    for name, patches in {"half": PATCHES, "cells": IN_CELLS}.items():
        job = fg.load(written(tmp_path / name, patches), tmp_path / f"{name}.h5")
        for pes in (1, 3):
            out = tmp_path / f"{name}-{pes}"
            digests[name, pes] = fg.run(job, out, pes=pes, steps=20).state_digest
            rows[name] = read_energies(out)["potential energy (kJ/mol)"][0]
    assert digests["cells", 1] == digests["cells", 3]
    assert digests["cells", 1] != digests["half", 1]
    assert rows["cells"] == pytest.approx(rows["half"], rel=1e-5)


def test_check_describes_cells_and_counts_both_assignments(tmp_path: Path) -> None:
    report = fg.check(written(tmp_path, IN_CELLS), ranks=4)
    assert report.cells == [4, 2, 3]  # type: ignore[attr-defined]
    assert report.objects == 27 * 3 + 24 + 3 * np.prod(report.pencil_grid)  # type: ignore[attr-defined]
    assert "pairs by their midpoints in 4 x 2 x 3 cells cut by work" in report.words()["patches"]
    found = report.messages  # type: ignore[attr-defined]
    assert isinstance(found, Messages)
    assert set(found.by) == {"half-shell", "midpoint"}


@pytest.mark.parametrize(
    ("patches", "words"),
    [
        (PATCHES + "cells = [2, 2, 2]\n", "only pairs by midpoints have cells"),
        (BY_MIDPOINTS + "cells = [49, 2, 2]\n", "too many midpoint cells along x"),
        (
            BY_MIDPOINTS + "cells = [48, 48, 48]\n",
            r"too many midpoint cells \(limit 110592; 70720 at most",
        ),
        (BY_MIDPOINTS + "cells = [0, 2, 2]\n", "at least 1|greater than or equal to 1"),
        (BY_MIDPOINTS + "cells = [2, 2]\n", r"such as \[8, 8, 8\]"),
        (BY_MIDPOINTS + 'cells = "work"\n', r"cells = \"?work\"?.*list"),
        (BY_MIDPOINTS + "cell = [2, 2, 2]\n", "cells"),
    ],
)
def test_wrong_cells_are_refused(tmp_path: Path, patches: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fg.load(written(tmp_path, patches), tmp_path / "job.h5")
    assert not (tmp_path / "job.h5").exists()


def test_the_engine_s_limits_are_named_by_the_key(tmp_path: Path) -> None:
    source = written(tmp_path, BY_MIDPOINTS + "cells = [3, 49, 2]\n")
    with pytest.raises(InputError) as caught:
        fg.check(source)
    (problem,) = caught.value.problems
    assert problem.what == "too many midpoint cells along y"
    line = source.read_text().splitlines().index("cells = [3, 49, 2]") + 1
    assert problem.where == f"water.toml:{line}"
    assert problem.value == "patches.cells = [3, 49, 2]"
    assert "1 to 48 where patches are 3" in problem.limit
    assert problem.hint


def test_the_number_of_cells_does_not_depend_on_patches(tmp_path: Path) -> None:
    """Patches are chosen as usual; with several for each processor, and with one in all."""
    for pes in (3, 16):
        patches = f'[patches]\npes = {pes}\npairs = "midpoint"\ncells = [3, 2, 4]\n'
        job = fg.load(written(tmp_path / str(pes), patches), tmp_path / f"{pes}.h5")
        assert table(job.path)[0] == [3, 2, 4]
        digests = {
            fg.run(job, tmp_path / f"{pes}-{run_pes}", pes=run_pes, steps=4).state_digest
            for run_pes in (1, 3)
        }
        assert len(digests) == 1


def energy(path: Path) -> float:
    return fg.energy(path).energies["total"]


def both_ways(source: Path, patches: str) -> tuple[float, float]:
    """Return the energy by half shells and by cells that are cut, in double precision."""
    text = source.read_text().replace("[forces]", '[forces]\nprecision = "double"')
    found = []
    for pairs in ("", 'pairs = "midpoint"\ncells = [4, 2, 3]\n'):
        source.write_text(text + patches + pairs)
        found.append(energy(source))
    return found[0], found[1]


def test_copies_are_cut_together(tmp_path: Path) -> None:
    repeated = water_input.replace("[forces]", "repeat = [2, 1, 1]\n\n[forces]", 1)
    source = write_waters(tmp_path, repeated, Waters(9, 2.8))
    half, cells = both_ways(source, "[patches]\ngrid = [4, 2, 2]\n")
    assert cells == pytest.approx(half, rel=1e-9)
    job = fg.load(source, tmp_path / "job.h5")
    shape, planes = table(job.path)
    assert shape == [4, 2, 3]
    # The second copy is like the first.
    assert planes[2] == pytest.approx(EDGE / 2, rel=2e-3)
    assert planes[3] - planes[1] == pytest.approx(EDGE / 2, rel=2e-3)


def test_an_open_box_is_cut_where_its_atoms_are(tmp_path: Path) -> None:
    waters = Waters(8, 2.5)
    waters.topology.setPeriodicBoxVectors(None)
    waters.nonbonded.setNonbondedMethod(1)  # a cutoff, without images
    waters.position[-3:] += 6.0  # nm, so that most of the box is empty
    source = write_waters(tmp_path, water_input, waters)
    replace_in(source, 'electrostatics = "pme"\n', "")
    half, cells = both_ways(source, "[patches]\ngrid = [5, 6, 4]\n")
    assert cells == pytest.approx(half, rel=1e-9)
    _, planes = table(fg.load(source, tmp_path / "job.h5").path)
    assert planes[3] < 0.5 * EDGE  # three of four parts are in the lower half


def test_tune_keeps_the_cells_that_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed = []

    def seconds(_turns: Turns, entrant: Entrant, _expected: float) -> float:
        timed.append(entrant)
        return 1.0

    monkeypatch.setattr(Turns, "_seconds", seconds)
    patches = '[patches]\npairs = "midpoint"\ncells = [3, 2, 4]\n'
    found = tune(written(tmp_path, patches), pes=2, rounds=1)
    assert found.keys == {}
    assert len({entrant.what for entrant in timed}) > 2
    for number, entrant in enumerate(timed):
        assert "1 pair computes" not in entrant.what
        job = tmp_path / f"{number}.h5"
        job.write_bytes(entrant.image)
        assert table(job)[0] == [3, 2, 4]
