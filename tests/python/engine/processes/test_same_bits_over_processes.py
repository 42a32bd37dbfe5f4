# SPDX-License-Identifier: BSD-3-Clause
"""A protein in water over several processes: equal digests for any number and shape.

Hundreds of steps and dozens of runs; run by `pytest -m physics`. Objects move at random at every
rebuild, which comes every ten steps. test_ranks.py does the same for a small box of water.
"""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import make_job
from process_runs import every_mpi

import finegrain as fg
from finegrain.classical.job import Job

pytestmark = pytest.mark.physics

STEPS = 200
EVERY = 10
MOVING: dict[str, Any] = {"balance": "random", "balance_steps": EVERY}
FORCES = {
    "cutoff": "9 Å",
    "electrostatics": "pme",
    "mesh": [64, 64, 64],
    "spline_order": 4,
    "ewald_coefficient": "0.35 1/Å",
    "rebuild_interval": EVERY,
    "prune_interval": EVERY // 2,
}
RANKS = (1, 2, 3)
PES = (1, 2, 3, 4, 8)
# ranks, PEs of each, communication threads of each
COMMUNICATING = ((2, 1, 1), (2, 2, 2), (3, 1, 1), (2, 3, 1))
# ranks and PEs before and after the middle
RESHAPED = (((2, 2), (3, 1)), ((3, 1), (1, 4)), ((1, 2), (2, 1)), ((2, 8), (2, 1)))


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """DHFR with lists that last ten steps."""
    dynamics = {"ensemble": "nvt", "friction": "1 1/ps", "steps": STEPS}
    return make_job(tmp_path_factory.mktemp("job"), "DHFRExplicit", FORCES, dynamics)


@pytest.fixture(scope="module")
def expected(job: Job, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the digest of one process without MPI in which no object moves."""
    return fg.run(job, tmp_path_factory.mktemp("expected") / "out", pes=1).state_digest


@pytest.fixture(params=every_mpi)
def mpi(request: pytest.FixtureRequest) -> str:
    """Each MPI that can be used here."""
    return str(request.param)


def moving(job: Job, out: Path, **shape: Any) -> str:
    """Return the digest of a run of some shape in which objects move."""
    digest = fg.run(job, out, overwrite=True, **shape, **MOVING).state_digest
    print(*shape.values(), digest[:16], flush=True)
    return digest


def test_any_processes_and_threads(job: Job, expected: str, mpi: str, tmp_path: Path) -> None:
    found = {}
    for ranks, pes in product(RANKS, PES):
        found[ranks, pes] = moving(job, tmp_path / "out", mpi=mpi, ranks=ranks, pes=pes)
    assert set(found.values()) == {expected}, found


def test_communication_threads(job: Job, expected: str, mpi: str, tmp_path: Path) -> None:
    found = {}
    for ranks, pes, threads in COMMUNICATING:
        found[ranks, pes, threads] = moving(
            job, tmp_path / "out", mpi=mpi, ranks=ranks, pes=pes, comm_threads=threads
        )
    assert set(found.values()) == {expected}, found


def test_another_shape_half_way(job: Job, expected: str, mpi: str, tmp_path: Path) -> None:
    found = {}
    for before, after in RESHAPED:
        out = tmp_path / "out"
        first = fg.run(
            job,
            out,
            ranks=before[0],
            pes=before[1],
            mpi=mpi,
            **MOVING,
            stop_after=STEPS // 2,
            overwrite=True,
        )
        assert not first.finished
        run = fg.resume(out, ranks=after[0], pes=after[1], mpi=mpi, **MOVING)
        found[before, after] = run.state_digest
        print(mpi, before, after, run.state_digest[:16], flush=True)
    assert set(found.values()) == {expected}, found
