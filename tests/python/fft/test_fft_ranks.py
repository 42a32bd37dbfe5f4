# SPDX-License-Identifier: BSD-3-Clause
"""Transforms over the processes of mpi4py; see rank_checks.py."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mpi4py")
LAUNCHER = shutil.which("mpiexec.openmpi")
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "transforms"


def in_processes(folder: Path, ranks: int, script: Path, *words: str) -> str:
    """Return what a script prints that runs under Open MPI."""
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPI4PY_MPIABI": "openmpi",
        # Another run that ends may remove a folder that this one has just made in /tmp.
        "OMPI_MCA_orte_tmpdir_base": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        # Tests may run on cores that others use too.
        "OMPI_MCA_mpi_yield_when_idle": "1",
    }
    command = [LAUNCHER, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sys.executable]
    done = subprocess.run(
        [*command, "-m", "mpi4py", str(script), *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(LAUNCHER is None, reason="Open MPI is not installed")
@pytest.mark.parametrize("ranks", [1, 2, 3, pytest.param(5, marks=pytest.mark.nightly)])
def test_any_number_of_processes_has_the_bits_of_one(ranks: int, tmp_path: Path) -> None:
    assert in_processes(tmp_path, ranks, Path(__file__).parent / "rank_checks.py") == "all right\n"


@pytest.mark.skipif(LAUNCHER is None, reason="Open MPI is not installed")
@pytest.mark.parametrize("ranks", [1, 3])
def test_the_flow_of_the_example_is_that_of_its_source(ranks: int, tmp_path: Path) -> None:
    """The energy after ten steps is published; sums over processes may differ at the end."""
    lines = in_processes(tmp_path, ranks, EXAMPLES / "navier_stokes.py").splitlines()
    assert len(lines) == 11
    assert float(lines[0].split()[-1]) == pytest.approx(0.125, abs=1e-12)
    assert float(lines[-1].split()[-1]) == pytest.approx(0.124953117517, abs=2e-12)


@pytest.mark.skipif(LAUNCHER is None, reason="Open MPI is not installed")
def test_the_example_solves_the_poisson_equation(tmp_path: Path) -> None:
    assert "largest error" in in_processes(tmp_path, 2, EXAMPLES / "poisson.py", "--points", "24")
