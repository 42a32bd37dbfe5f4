# SPDX-License-Identifier: BSD-3-Clause
"""Midpoint cells that are cut by work: in the input, in the job and in what a run gives."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from input_systems import Waters, water_input, write_waters

import finegrain as fg
from finegrain.classical.preparation.messages import Messages
from finegrain.errors import InputError
from finegrain.runs.energies import read_energies

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
        (BY_MIDPOINTS + "cells = [49, 2, 2]\n", "more than 16 midpoint cells along an edge"),
        (BY_MIDPOINTS + "cells = [0, 2, 2]\n", "at least 1|greater than or equal to 1"),
        (BY_MIDPOINTS + "cells = [2, 2]\n", r"such as \[8, 8, 8\]"),
        (BY_MIDPOINTS + 'cells = "work"\n', "cells"),
        (BY_MIDPOINTS + "cell = [2, 2, 2]\n", "cells"),
    ],
)
def test_wrong_cells_are_refused(tmp_path: Path, patches: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fg.load(written(tmp_path, patches), tmp_path / "job.h5")
    assert not (tmp_path / "job.h5").exists()
