# SPDX-License-Identifier: BSD-3-Clause
"""The pages on transforms from Python and on processes, executed in small."""

import re
import shutil
from pathlib import Path

import pytest
from how_to_pages import INPUT, PAGES, blocks, shell

import finegrain as fg

pytestmark = [pytest.mark.nightly, pytest.mark.pictures]

TRANSFORMS = "transforms.md"
# As a page tells a reader who is root in a container with few cores.
ENVIRONMENT = """\
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMP_NUM_THREADS=1 MPI4PY_MPIABI=openmpi OMPI_MCA_orte_tmpdir_base="$PWD"
export XDG_CACHE_HOME="$PWD/cache"
"""
mpi = pytest.mark.skipif(shutil.which("mpiexec.openmpi") is None, reason="no Open MPI")


def python(folder: Path, code: str) -> str:
    """Run code whose measurements are kept in this folder."""
    (folder / "program.py").write_text(code)
    return shell(folder, f"{ENVIRONMENT}python program.py")


def test_transforms_in_one_process_give_back_what_they_got(tmp_path: Path) -> None:
    arrays, _, sphere, kept, advice = blocks(TRANSFORMS, "python")
    # Ten roundings of numbers of about 4 are below this.
    seen = "assert waves.shape == (64, 64, 33)\nassert abs(again - x).max() < 1e-14"
    python(tmp_path, f"{arrays}\n{seen}")
    seen = "assert c.shape == (8, len(transform.waves))\nassert g.shape[1] == 3"
    python(tmp_path, f"{sphere}\n{seen}")
    python(tmp_path, f"{kept}\nassert fft.exchange_file().is_relative_to({str(tmp_path)!r})")
    assert "processes" in python(tmp_path, advice)


@mpi
def test_a_grid_is_spread_over_processes(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    grid = blocks(TRANSFORMS, "python")[1]
    text = grid.replace("128, 128, 128", "32, 32, 32")
    assert text != grid
    (tmp_path / "program.py").write_text(text)
    start = re.search(
        r"`mpiexec (-n 4 python -m mpi4py program.py)`", (PAGES / TRANSFORMS).read_text()
    )
    assert start
    words = start[1].replace("-n 4", "-n 2")
    shell(tmp_path, f"{ENVIRONMENT}mpiexec.openmpi --oversubscribe --bind-to none {words}")


@mpi
def test_the_advisor_says_how_many_processes_help(tmp_path: Path) -> None:
    (command,) = blocks(TRANSFORMS, "")
    small = command.replace("--grid 64 --ranks 16", "--grid 16 --ranks 2")
    assert small != command
    assert "processes" in shell(tmp_path, ENVIRONMENT + small)


@mpi
def test_a_run_is_continued_on_other_processes(tmp_path: Path) -> None:
    (tmp_path / "input.toml").write_text(INPUT.format(steps=20))
    run, resume, energy = blocks("processes.md", "")[0].splitlines()
    shell(tmp_path, run.replace("--pes 8", "--pes 1"))
    more = resume.replace("--ranks 4 --pes 2", "--ranks 3 --pes 1 --steps 40")
    shell(tmp_path, more)
    assert fg.open_run(tmp_path / "runs/input").finished
    shell(tmp_path, energy)


@mpi
def test_the_engine_is_started_by_hand(tmp_path: Path) -> None:
    """Both MPIs run the job of the page, and have the same bits in the end."""
    (tmp_path / "water.toml").write_text(INPUT.format(steps=20))
    code = blocks("processes.md", "")[1].replace("--pes 4", "--pes 1").replace("-n 4", "-n 2")
    make, first, second, resume = code.replace("\\\n", " ").splitlines()
    oversubscribe = ENVIRONMENT + "export OMPI_MCA_rmaps_base_oversubscribe=1\n"
    shell(tmp_path, f"{oversubscribe}{make}\n{first}")
    digest = fg.open_run(tmp_path / "runs/water").state_digest
    if shutil.which("mpiexec.mpich"):
        other = second.replace("runs/water", "runs/other")
        shell(tmp_path, oversubscribe + other)
        assert fg.open_run(tmp_path / "runs/other").state_digest == digest
    shell(tmp_path, oversubscribe + resume)
    assert fg.open_run(tmp_path / "runs/water").state_digest == digest
