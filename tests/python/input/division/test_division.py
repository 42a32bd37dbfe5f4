# SPDX-License-Identifier: BSD-3-Clause
"""The division of a job by the estimated time of a step: finer where atoms are uneven, and why."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from input_systems import Waters, water_input, write_waters

import finegrain as fg
from finegrain.classical.division import fineness
from finegrain.classical.division.step_estimate import estimate_steps, fit_of_estimates
from finegrain.classical.preparation.check import Report, check
from finegrain.classical.preparation.job import checked_image
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.engine.engine import load_engine
from finegrain.files.whole import changed_sealed_hdf5

SIDE, EDGE = 12, 3.728  # 5,184 atoms at the density of water
SHAPES = {"even": (1, 1, 1), "slab": (1, 1, 3), "droplet": (2, 2, 2)}  # edges of the box, over EDGE


def write(folder: Path, shape: str, more: str = "") -> Path:
    """Write waters that fill a corner of a box, and an input; those of a slab without a mesh."""
    folder.mkdir(exist_ok=True)
    waters = Waters(SIDE, EDGE)
    waters.set_box(EDGE * np.diag(SHAPES[shape]))
    text = water_input.replace('"pme"', '"reaction-field"') if shape == "slab" else water_input
    return write_waters(folder, text + more, waters)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    folder = tmp_path_factory.mktemp("waters")
    return {shape: check(write(folder / shape, shape)) for shape in SHAPES}


def settled(path: Path) -> tuple[Prepared, bytes]:
    prepared = prepare(path)
    return prepared, checked_image(prepared)


def test_few_objects_are_enough_where_atoms_are_everywhere(reports: dict[str, Report]) -> None:
    """That of test_fineness.py for 8 PEs has 8 patches with 32 computes; this one has 18 with 36.

    Fewer computes of a patch have longer rows of pairs, which take less time.
    """
    assert reports["even"].patch_grid == [2, 3, 3]
    assert reports["even"].pair_computes == 2


@pytest.mark.parametrize("shape", ["slab", "droplet"])
def test_uneven_atoms_make_it_finer(reports: dict[str, Report], shape: str, tmp_path: Path) -> None:
    even, uneven = reports["even"], reports[shape]
    assert even.atoms == uneven.atoms
    # With it the fullest of 8 PEs has less to do than with the usual one, as the engine expects.
    path = write(tmp_path, shape)
    usual = prepare(path)
    usual_grid = usual.division.patch_grid
    assert np.prod(uneven.patch_grid) > np.prod(usual_grid)
    words = " x ".join(map(str, usual_grid))
    assert f"usual {words} with 4 pair computes each" in uneven.why["patches"]
    chosen, image = settled(path)
    found = estimate_steps(path.name, image, 8, [usual.division, chosen.division])
    assert found[0] is not None
    assert found[1] is not None
    assert found[1].seconds < 0.95 * found[0].seconds
    assert found[1].imbalance < 1.15


def test_what_the_input_gives_stays(tmp_path: Path) -> None:
    given = "[patches]\ngrid = [2, 2, 2]\npair_computes = 3\n[mesh]\npencils = [2, 3]\n"
    prepared, _ = settled(write(tmp_path / "all", "droplet", given))
    own = prepared.division
    assert (own.patch_grid, own.pair_computes, own.pencil_grid) == ((2, 2, 2), 3, (2, 3))
    assert "patches" not in prepared.why
    assert "mesh" not in prepared.why
    computes, _ = settled(write(tmp_path / "computes", "droplet", "[patches]\npair_computes = 3\n"))
    assert computes.division.pair_computes == 3
    assert np.prod(computes.division.patch_grid) > 8
    grid, _ = settled(write(tmp_path / "grid", "droplet", "[patches]\ngrid = [2, 2, 2]\n"))
    assert grid.division.patch_grid == (2, 2, 2)
    assert grid.division.pair_computes >= 4


def test_the_machine_here_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "slab")
    texts, grids, jobs = [], [], []
    for cores in (1, 64):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: set(range(cores)))
        report = check(path)
        texts.append(report.text())
        grids.append((report.patch_grid, report.pair_computes, report.pencil_grid, report.why))
        jobs.append(settled(path)[1])
    assert grids[0] == grids[1]
    assert jobs[0] == jobs[1]
    assert "on 1 PE if" in texts[0]
    assert "on 64 PEs if" in texts[1]


def test_more_pes_get_a_finer_division_still(tmp_path: Path) -> None:
    few, _ = settled(write(tmp_path / "few", "slab", "[patches]\npes = 1\n"))
    many, _ = settled(write(tmp_path / "many", "slab", "[patches]\npes = 16\n"))
    assert np.prod(few.division.patch_grid) < np.prod(many.division.patch_grid)
    assert fineness.enough_for(many.division.patch_grid, many.division.pair_computes) >= 16


def test_check_shows_the_parts_of_a_step(reports: dict[str, Report]) -> None:
    report = reports["even"]
    text, step = report.text(verbose=True), report.estimate
    assert report.text().count("\n") < text.count("\n") - 8
    assert "ns/day" in report.text()
    for part in ("pair forces", "mesh: spread and gather", "mesh: transforms"):
        assert part in text
    assert "bonded forces" not in text  # waters are rigid
    assert f"{step.objects:,} objects" in text
    assert "an estimate" in text
    assert fit_of_estimates() in text
    assert "ns/day" in text
    assert "pair list: pruned every" in text
    assert step.objects == report.objects
    assert sum(step.parts.values()) == pytest.approx(step.core_seconds, rel=1e-6)
    assert report.seconds_per_step == step.core_seconds
    values = json.loads(json.dumps(report.as_dict()))
    assert values["estimate"]["parts"] == step.parts
    assert values["estimate"]["fit"] == fit_of_estimates()
    assert values["why"] == report.why


def test_a_job_is_described_with_its_estimate(tmp_path: Path) -> None:
    path = write(tmp_path, "even")
    job = tmp_path / "job.h5"
    fg.load(path, job)
    of_job, of_input = fg.check(job).as_dict(), check(path).as_dict()
    assert of_job["estimate"] == of_input["estimate"]
    assert "mesh: transforms" in fg.check(job).text(verbose=True)


def test_a_division_that_the_engine_refuses_has_no_estimate(tmp_path: Path) -> None:
    prepared, image = settled(write(tmp_path, "even"))
    own = prepared.division
    thin = replace(own, patch_grid=(40, 40, 40), pair_computes=1)
    (none, some) = estimate_steps("job", image, 2, [thin, own])
    assert none is None
    assert some is not None


def test_estimates_of_nonsense_are_refused(tmp_path: Path) -> None:
    _, image = settled(write(tmp_path, "even"))
    with pytest.raises(fg.InputError, match="job"):
        estimate_steps("job", image[: len(image) // 2], 2)
    with pytest.raises(ValueError, match="at least one PE"):
        load_engine().estimate_steps("job", image, 0)
    job = tmp_path / "job.h5"
    job.write_bytes(image)
    with changed_sealed_hdf5(job) as file:
        file.attrs["kind"] = "ab-initio"
    with pytest.raises(fg.InputError, match="kind"):
        estimate_steps("job", job.read_bytes(), 2)


def test_finer_divisions_fit_and_become_finer() -> None:
    most, usual = (4, 4, 13), (1, 2, 4)
    found = fineness.finer(most, usual, None, 8)
    assert found[0] == (usual, 4)
    counts = [int(np.prod(grid)) for grid, _ in found]
    assert counts == sorted(counts)
    assert max(counts) >= 8 * 8
    for grid, computes in found:
        assert all(number <= limit for number, limit in zip(grid, most, strict=True))
        assert 1 <= computes <= fineness.directions
        assert fineness.enough_for(grid, computes) >= 8
    assert {computes for _, computes in fineness.finer(most, usual, 3, 8)} == {3}
    assert {grid for grid, _ in fineness.finer((2, 2, 2), (2, 2, 2), None, 8)} == {(2, 2, 2)}


def test_other_pencils_have_half_and_twice_as_many_along_each_axis() -> None:
    assert fineness.other_pencils((64, 64), (4, 4)) == [(8, 8), (2, 2)]
    assert fineness.other_pencils((5, 64), (4, 3)) == [(5, 6), (2, 2)]
    assert fineness.other_pencils((1, 1), (1, 1)) == []


def test_more_pes_than_any_division_is_enough_for_are_noted(tmp_path: Path) -> None:
    few = check(write(tmp_path / "few", "even", "\n[patches]\npes = 27\n"))
    assert few.enough_for_pes >= 27
    assert not [note for note in few.notes if "pes =" in note]
    many = check(write(tmp_path / "many", "even", "\n[patches]\npes = 100000\n"))
    (note,) = (note for note in many.notes if "pes =" in note)
    assert f"pes = 100000, but this division is enough for {many.enough_for_pes}" in note
