# SPDX-License-Identifier: BSD-3-Clause
"""One digest and one energies.csv of a dynamics on any PEs, processes and maps, and if they change.

`make test` has some shapes with the first MPI, `make test-nightly` all of them with both.
"""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from moving_silicon import SCHEMES, frames, job_of
from process_runs import USABLE, every_mpi, needs_any

import finegrain as fg

STEPS = 8
STOPPED_AT = 3


def torus(nodes: int) -> str:
    """Name the map of a torus with as many nodes, cut into prisms."""
    if nodes % 4 == 0:
        return f"torus-{nodes // 4}x2x2-2"
    return f"torus-{nodes}x1x1-{nodes}"


MAPS: dict[str, Callable[[int], str]] = {
    "block": lambda _nodes: "block",
    "plane": lambda _nodes: "plane",
    "hybrid": lambda _nodes: "hybrid",
    "torus": torus,
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The job of each scheme."""
    more = ("[output]", "trajectory_interval = 2")
    folder = tmp_path_factory.mktemp("jobs")
    return {scheme: job_of(folder / scheme, scheme, STEPS, *more) for scheme in SCHEMES}


@pytest.fixture(scope="module")
def alone(jobs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of a run of each scheme on one PE of one process, which nobody has stopped."""
    folder = tmp_path_factory.mktemp("alone")
    return {scheme: fg.run(job, folder / scheme, pes=1).path for scheme, job in jobs.items()}


def expect_same(run: Any, alone: Path, what: object) -> None:
    assert run.finished, what
    assert run.state_digest == fg.open_run(alone).state_digest, what
    rows = (alone / "energies.csv").read_bytes()
    assert rows.count(b"\n") == STEPS + 2
    assert (run.path / "energies.csv").read_bytes() == rows, what
    here, there = frames(run.path), frames(alone)
    assert len(here["step"]) == STEPS // 2 + 1
    assert all((here[name] == there[name]).all() for name in there), what


@needs_any
@pytest.mark.parametrize("scheme", SCHEMES)
def test_other_shapes_have_the_same_bits(
    jobs: dict[str, Path], alone: dict[str, Path], tmp_path: Path, scheme: str
) -> None:
    for ranks, pes, name in ((1, 3, "hybrid"), (2, 2, "torus"), (3, 1, "plane")):
        map_name = MAPS[name](ranks * pes)
        run = fg.run(jobs[scheme], tmp_path / f"{ranks}", ranks=ranks, pes=pes, map=map_name)
        assert (run.result["ranks"], run.result["pes"]) == (ranks, pes)
        expect_same(run, alone[scheme], map_name)


@needs_any
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_stopped_on_two_processes_it_goes_on_with_other_numbers(
    jobs: dict[str, Path], alone: dict[str, Path], tmp_path: Path, scheme: str, ranks: int
) -> None:
    out = tmp_path / "run"
    first = fg.run(jobs[scheme], out, ranks=2, pes=1, stop_after=STOPPED_AT)
    assert not first.finished
    assert first.result["steps"] == STOPPED_AT
    again = fg.resume(out, ranks=ranks, pes=2 if ranks == 1 else 1, map="hashed")
    assert again.result["went_on_from"] == f"step {STOPPED_AT}, saved on disk"
    expect_same(again, alone[scheme], ranks)


@pytest.mark.nightly
@pytest.mark.parametrize("mpi", every_mpi)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_whole_matrix_has_the_same_bits(
    jobs: dict[str, Path], alone: dict[str, Path], tmp_path: Path, mpi: str, scheme: str
) -> None:
    for ranks, pes, name in product((1, 2, 3), (1, 2, 3, 4, 8), MAPS):
        if ranks == 1 and mpi != USABLE[0]:
            continue  # one process has no MPI
        map_name = MAPS[name](ranks * pes)
        shape: dict[str, Any] = {"ranks": ranks, "pes": pes, "map": map_name}
        if ranks > 1:
            shape["mpi"] = mpi
        run = fg.run(jobs[scheme], tmp_path / "run", overwrite=True, **shape)
        expect_same(run, alone[scheme], shape)


@pytest.mark.nightly
@pytest.mark.parametrize("mpi", every_mpi)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_change_of_the_number_of_processes_has_the_same_bits(
    jobs: dict[str, Path], alone: dict[str, Path], tmp_path: Path, mpi: str, scheme: str
) -> None:
    for before, after, pes in product((1, 2, 3), (1, 2, 3), (1, 2)):
        out = tmp_path / f"{before}-{after}-{pes}"
        fg.run(jobs[scheme], out, ranks=before, pes=pes, mpi=mpi, stop_after=STOPPED_AT)
        fg.resume(out, ranks=after, pes=3 - pes, mpi=mpi, stop_after=STOPPED_AT + 2)
        expect_same(fg.resume(out, ranks=before, pes=1, mpi=mpi), alone[scheme], out.name)
