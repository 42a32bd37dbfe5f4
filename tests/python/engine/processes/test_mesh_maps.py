# SPDX-License-Identifier: BSD-3-Clause
"""Maps that give the mesh threads of its own: which runs can have them, and what else is said."""

from collections.abc import Callable
from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.classical.job import Job

PLAIN = {"cutoff": "7 Å", "switch": "off", "electrostatics": "reaction-field"}

STAGES = """
[[stages]]
name = "first"
[stages.forces]
electrostatics = "pme"

[[stages]]
name = "plain"
"""


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return make_job(tmp_path_factory.mktemp("job"), "water", FAST_WATER_FORCES, {"steps": 10})


@pytest.mark.parametrize(
    ("name", "pes", "words"),
    [
        ("mesh-3", 2, ("too few PEs", "limit 3 PEs or more, and there are 2", "add --pes 3")),
        ("mesh-1-alone", 1, ("limit 2 PEs or more, and there is 1", "add --pes 2")),
        ("mesh-0", 2, ("at least one PE of each process",)),
        ("mesh-x", 2, ("no whole number behind mesh-", "such as mesh-1")),
        ("cost,pairs=mesh-1", 2, ("a map for all arrays", "mesh-1,pairs=hashed")),
        ("Mesh-1", 2, ("there is no such map", "did you mean mesh-1?")),
    ],
)
def test_a_map_that_cannot_be_is_refused(
    job: Job, tmp_path: Path, refused: Callable[..., str], name: str, pes: int, words: tuple[str]
) -> None:
    said = refused("run", job.path, "--out", tmp_path / "run", "--pes", pes, "--map", name)
    for word in words:
        assert word in said
    assert not (tmp_path / "run" / "checkpoint.h5").exists()


def test_a_job_without_a_mesh_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    plain = make_job(tmp_path / "job", "water", PLAIN, {"steps": 10})
    said = refused("run", plain.path, "--out", tmp_path / "run", "--pes", 2, "--map", "mesh-1")
    assert "the job has no mesh" in said


def test_no_stage_runs_if_a_later_one_has_no_mesh(
    tmp_path: Path, refused: Callable[..., str]
) -> None:
    plain = make_job(tmp_path, "water", PLAIN, {"steps": 10})
    source = plain.path.parent / "input.toml"
    with source.open("a", encoding="utf-8") as file:
        file.write(STAGES)
    said = refused("run", source, "--out", tmp_path / "run", "--pes", 2, "--map", "mesh-1")
    assert "stage 2-plain has no mesh" in said
    assert not list((tmp_path / "run").rglob("checkpoint.h5"))


def test_the_trajectory_is_the_same(job: Job, tmp_path: Path) -> None:
    digests = {
        fg.run(job, tmp_path / f"{name}-{pes}", pes=pes, map=name).state_digest
        for name, pes in (("cost", 1), ("mesh-1", 1), ("mesh-1", 2), ("mesh-2-alone", 3))
    }
    assert len(digests) == 1
