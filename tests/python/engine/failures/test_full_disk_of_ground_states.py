# SPDX-License-Identifier: BSD-3-Clause
"""A disk that fills up while orbitals are written: a run continues from the last whole ones."""

import random
import shutil
from pathlib import Path

import pytest
from ase.build import bulk
from ase.io import write
from process_runs import ENGINE, effort
from small_disk import SmallDisk

import finegrain as fg
from finegrain.errors import EXIT_RESOURCE
from finegrain.files.seal import is_whole

PLENTY = 100_000_000
INPUT = """
[system]
kind = "ab-initio"
structure = "si.xyz"
[electrons]
cutoff = "12 Ry"
functional = "LDA"
pseudopotentials = { Si = "Si.pz-vbc.UPF" }
[objects]
state_grain = 5
[output]
checkpoint_interval = "0.001 s"
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with all the room it wants, which keeps its orbitals again and again."""
    folder = tmp_path_factory.mktemp("silicon")
    atoms = bulk("Si", cubic=True)
    atoms.rattle(0.02, seed=1)
    write(folder / "si.xyz", atoms)
    (folder / "si.toml").write_text(INPUT)
    fg.run(folder / "si.toml", folder / "run", pes=1)
    return folder / "run"


def begun(whole: Path, disk: SmallDisk) -> Path:
    """Make the folder as `finegrain run` leaves it to the engine."""
    out = disk.place / "run"
    disk.resize(PLENTY)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    shutil.copy(whole / "job.h5", out / "job.h5")
    return out


def test_orbitals_that_do_not_fit_leave_the_last_to_continue(whole: Path, disk: SmallDisk) -> None:
    job, orbitals = ((whole / name).stat().st_size for name in ("job.h5", "checkpoint.h5"))
    chance = random.Random(3)
    full = saved = 0
    for _ in range(effort(8)):
        out = begun(whole, disk)
        # While a checkpoint of a search is written there are up to three, each of up to six times
        # the orbitals (ten vectors in single precision).
        size = chance.randrange(0, 16 * orbitals)
        disk.resize(job + 20_000 + size if disk.is_mounted else 3 * max(size // 3, job))
        words = [str(ENGINE), str(out / "job.h5"), "--out", str(out), "--pes", "1", "--quiet"]
        done = disk.run(words)
        assert done.returncode in (0, EXIT_RESOURCE), (size, done.stderr)
        disk.resize(PLENTY)
        if done.returncode == 0:
            assert fg.open_run(out).state_digest == fg.open_run(whole).state_digest
            continue
        full += 1
        assert done.stderr.count("finegrain-engine: ") == 1, done.stderr
        assert done.stderr.count("cannot ") + done.stderr.count("No space left") >= 1, done.stderr
        names = {path.name for path in out.glob("checkpoint*")}
        assert names <= {"checkpoint.h5", "checkpoint_previous.h5"}  # nothing half written
        for name in names:
            assert is_whole(out / name), name
        if "checkpoint.h5" in names:
            saved += 1
            again = fg.resume(out, pes=1)
        else:
            again = fg.run(out / "job.h5", out, pes=1, overwrite=True)
        assert again.state_digest == fg.open_run(whole).state_digest, size
    assert full >= effort(8) // 3
    assert saved > 0
