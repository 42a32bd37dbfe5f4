# SPDX-License-Identifier: BSD-3-Clause
"""bench fft: its contestants do the same work, and its report has what the design promises."""

import ctypes.util
import json
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from finegrain.transform_bench import report_text, time_transforms
from finegrain.transform_bench.all_contestants import IN_ONE
from finegrain.transform_bench.case import Case
from finegrain.transform_bench.rounds import time_case

GRID = (6, 8, 10)
has_mpi = shutil.which("mpiexec.openmpi") is not None
needs_mpi = pytest.mark.skipif(not has_mpi, reason="Open MPI is not installed")


@pytest.fixture(autouse=True)
def cache(tmp_path: Any, monkeypatch: Any) -> None:
    """What is measured here is not remembered, and processes yield their cores."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")


@pytest.mark.parametrize("name", IN_ONE)
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("batch", [1, 3])
def test_every_contestant_transforms_there_and_back(name: str, real: bool, batch: int) -> None:
    case = Case(GRID, real=real, batch=batch)
    try:
        one = IN_ONE[name](case, None)
    except ImportError:
        pytest.skip(f"{name} is not installed")
    except NotImplementedError:
        assert name == "FFTW"
        assert batch > 1
        return
    one.points[...] = np.random.default_rng(2).standard_normal(case.shape)
    x = one.points.copy()
    there = np.fft.rfftn if real else np.fft.fftn
    waves = one.forward()
    assert waves.shape == case.wave_shape
    assert np.allclose(waves, there(x, axes=(-3, -2, -1)), rtol=0, atol=1e-12)
    if name in ("finegrain", "ducc0"):  # others transform back what they had at first: zeros
        assert np.allclose(one.backward(), x, rtol=0, atol=1e-14)


def test_fftw_calls_its_own_functions_after_mkl_has_been_loaded() -> None:
    pytest.importorskip("mkl_fft")
    if ctypes.util.find_library("fftw3") is None:
        pytest.skip("FFTW is not installed")
    program = """
import numpy as np, sys
import mkl_fft
from finegrain.transform_bench.case import Case
from finegrain.transform_bench.fftw import fftw
mkl_fft.fftn(np.ones((8, 8, 8), complex))
one = fftw(Case((4, 6, 8)), None)
one.points[...] = np.arange(192).reshape(4, 6, 8)
sys.exit(not np.allclose(one.forward(), np.fft.fftn(one.points)))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_library_that_is_not_there_is_left_out_and_named() -> None:
    def absent(case: Case, comm: Any) -> Any:
        raise ImportError("No module named absent")

    def broken(case: Case, comm: Any) -> Any:
        raise RuntimeError("its\nown trouble")

    makers = {"finegrain": IN_ONE["finegrain"], "absent": absent, "broken": broken}
    entries, left_out = time_case(Case(GRID), makers, 3)
    assert [entry["program"] for entry in entries] == ["finegrain"]
    assert left_out == {"absent": "not installed", "broken": "RuntimeError: its"}
    times = entries[0]["microseconds"]
    assert len(times["runs"]) == 3
    assert times["range"] == [min(times["runs"]), max(times["runs"])]
    assert times["median"] == sorted(times["runs"])[1]


def test_the_report_has_a_row_for_each_library_and_grid(accepted: Any, tmp_path: Any) -> None:
    out = tmp_path / "figures.json"
    words = ("bench", "fft", "--grid", "4x6x8", "--grid", "8", "--repeats", "1", "--real")
    done = accepted(*words, "--out", out, "--json")
    report = json.loads(done.stdout)
    assert json.loads(out.read_text()) == report
    assert report["settings"] == {"real": True, "single": False, "batch": 1}
    rows = {(tuple(entry["grid"]), entry["program"]) for entry in report["entries"]}
    assert {(grid, name) for grid in ((4, 6, 8), (8, 8, 8)) for name in
            ("finegrain", "scipy.fft", "numpy.fft")} <= rows  # fmt: skip
    assert all(e["finegrain_ratio"] == 1 for e in report["entries"] if e["program"] == "finegrain")
    text = report_text(report)
    assert "4 x 6 x 8" in text
    assert "real transforms in double precision, forward and back, one process" in text


@needs_mpi
def test_it_runs_in_processes(accepted: Any) -> None:
    pytest.importorskip("mpi4py")
    words = ("bench", "fft", "--grid", "8", "--ranks", "2", "--repeats", "1", "--mpi", "openmpi")
    done = accepted(*words)
    assert "2 processes of Open MPI" in done.stdout
    assert "finegrain" in done.stdout


@needs_mpi
def test_it_gives_advice(accepted: Any) -> None:
    pytest.importorskip("mpi4py")
    words = ("bench", "fft", "--grid", "16", "--ranks", "4", "--mpi", "openmpi", "--advise")
    done = accepted(*words, "--json")
    (advice,) = json.loads(done.stdout)["advice"]
    assert [one["ranks"] for one in advice["divisions"]] == [1, 2, 4]
    assert advice["machine"]["message_s"] > 0
    assert advice["reason"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--grid", "0"), "not a grid"),
        (("--grid", "8x8"), "not a grid"),
        (("--grid", "8x-8x8"), "not a grid"),
        (("--grid", "eight"), "not a grid"),
        (("--grid", "100000"), "too many points"),
        (("--ranks", "0"), "too few processes"),
        (("--batch", "0"), "too few fields"),
        (("--batch", "5000"), "too many fields"),
        (("--repeats", "0"), "too few rounds"),
        (("--mpi", "pvm"), "no such MPI"),
        (("--peers",), "not an option of bench fft"),
        (("--map", "hashed"), "not an option of bench fft"),
    ],
)
def test_bad_words_are_refused(refused: Any, words: tuple[str, ...], message: str) -> None:
    assert message in refused("bench", "fft", *words)


@pytest.mark.parametrize("words", [("--grid", "8"), ("--real",), ("--advise",), ("--batch", "2")])
def test_options_of_transforms_mean_nothing_for_a_simulation(engine, refused, words) -> None:
    assert "not an option of bench dhfr" in refused("bench", "dhfr", *words)
    assert not engine.calls


def test_grids_given_in_python_are_timed() -> None:
    report = time_transforms([GRID], repeats=1, single=True)
    assert report["benchmark"] == "fft"
    assert report["entries"][0]["grid"] == list(GRID)
