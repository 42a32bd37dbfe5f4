# SPDX-License-Identifier: BSD-3-Clause
"""The commands with the real engine, started as by a user, in a separate process."""

import json
import os
import resource
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_jobs import make_job

import finegrain as fg
from finegrain import _engine  # noqa: F401 - without the engine these tests fail, never skip

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"
TIMEOUT_S = 300


def finegrain(
    folder: Path, *words: Any, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in `folder`."""
    command = [sys.executable, "-m", "finegrain", *(str(word) for word in words)]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
        preexec_fn=before,
    )


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """Make a job of a relaxed box of water, 60 steps."""
    output = {"energy_interval": 10, "trajectory_interval": 20}
    made = make_job(
        tmp_path, "water", {"cutoff": "7 Å", "switch": "off"}, {"steps": 60}, output=output
    )
    return made.path


def test_run_show_convert_cite(job: Path, tmp_path: Path) -> None:
    done = finegrain(tmp_path, "run", job, "--out", "run", "--pes", 2, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["steps"], answer["pes"], answer["ranks"]) == (60, 2, 1)
    assert len(answer["state_digest"]) == 64
    assert answer["seconds_per_step"] > 0
    assert answer["energy_drift_unit"] == "kJ/mol/ps/atom"
    kept = json.loads((tmp_path / "run" / "result.json").read_text())
    assert not {"iterations", "converged"} & (answer.keys() | kept.keys())  # of orbitals
    expected = {"job.h5", "trajectory.h5", "energies.csv", "energies.png", "run.log"}
    assert expected | {"result.json", "checkpoint.h5", "phases.txt"} <= set(answer["files"])

    shown = finegrain(tmp_path, "show", "run")
    assert answer["state_digest"] in shown.stdout
    converted = finegrain(tmp_path, "convert", "run", "--to", "xyz")
    assert converted.returncode == 0, converted.stderr
    cited = finegrain(tmp_path, "cite", "run")
    assert "swope1982" in cited.stdout

    run = fg.Run(tmp_path / "run")
    table = run.energies()
    np.testing.assert_array_equal(table["step"], np.arange(0, 61, 10))
    with run.trajectory() as trajectory:
        np.testing.assert_array_equal(trajectory.steps, [0, 20, 40, 60])
        assert trajectory.positions().shape == (4, answer["atoms"], 3)
        # The first frame satisfies the constraints; positions with four decimals do so only
        # roughly.
        first = trajectory[0].unwrapped()
        np.testing.assert_allclose(first, run.job.positions, atol=2e-4)
        stored = trajectory.observables["potential_energy"].value
        np.testing.assert_array_equal(stored, table["potential energy (kJ/mol)"])


def test_stop_and_resume_on_another_number_of_threads(job: Path, tmp_path: Path) -> None:
    straight = json.loads(finegrain(tmp_path, "run", job, "--out", "a", "--json").stdout)
    words = ("run", job, "--out", "b", "--pes", 1, "--stop-after", 30)
    stopped = finegrain(tmp_path, *words)
    assert stopped.returncode == 75, stopped.stderr
    assert "Continue with: finegrain resume b" in stopped.stdout
    resumed = finegrain(tmp_path, "resume", "b", "--pes", 3, "--map", "hashed", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["state_digest"] == straight["state_digest"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_the_run(job: Path, tmp_path: Path, number: int) -> None:
    command = [sys.executable, "-m", "finegrain", "run", str(job), "--out", "run"]
    started = subprocess.Popen(
        [*command, "--steps", "1000000"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    _wait_for(tmp_path / "run" / "energies.csv", started)
    os.kill(started.pid, number)
    text, _ = started.communicate(timeout=TIMEOUT_S)
    assert started.returncode == 75, text
    step = json.loads((tmp_path / "run" / "result.json").read_text())["steps"]
    assert f"Saved at step {step:,}." in text
    resumed = finegrain(tmp_path, "resume", "run", "--steps", step + 40, "--json")
    assert resumed.returncode == 0, resumed.stderr
    straight = finegrain(tmp_path, "run", job, "--out", "b", "--steps", step + 40, "--json")
    digests = {json.loads(done.stdout)["state_digest"] for done in (resumed, straight)}
    assert len(digests) == 1


def _wait_for(file: Path, process: subprocess.Popen[str]) -> None:
    """Return once the run has written energies, or fail if it has ended."""
    while not file.exists() or file.stat().st_size < 200:
        try:
            process.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            continue
        pytest.fail("the run ended before it was asked to")


def test_a_full_disk_is_the_machine(job: Path, tmp_path: Path) -> None:
    """A limit on the file size simulates a full disk."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    words = ("run", job, "--out", "run", "--steps", 2000, "--json")
    done = finegrain(tmp_path, *words, before=limit)
    assert done.returncode == 2, done.stdout + done.stderr
    problem = json.loads(done.stdout)["error"]["problems"][0]
    assert problem["where"]
    assert problem["hint"]


def test_a_conversion_that_finds_no_room_is_the_machine(job: Path, tmp_path: Path) -> None:
    done = finegrain(tmp_path, "run", job, "--out", "run", "--pes", 1)
    assert done.returncode == 0, done.stderr

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    for to in ("xtc", "dcd", "xyz", "gro"):
        full = finegrain(tmp_path, "convert", "run", "--to", to, before=limit)
        assert full.returncode == 2, full.stdout + full.stderr
        assert f"trajectory.{to}" in full.stderr
        assert not list((tmp_path / "run").glob("*.new.*"))
        assert not (tmp_path / "run" / f"trajectory.{to}").exists()


def test_a_corrupt_checkpoint_is_bad_input(job: Path, tmp_path: Path) -> None:
    finegrain(tmp_path, "run", job, "--out", "run", "--stop-after", 30)
    checkpoint = tmp_path / "run" / "checkpoint.h5"
    contents = bytearray(checkpoint.read_bytes())
    contents[len(contents) // 2] ^= 0xFF
    checkpoint.write_bytes(contents)
    done = finegrain(tmp_path, "resume", "run")
    assert done.returncode == 1, done.stderr
    assert "checkpoint.h5" in done.stderr


def test_bench_and_energy_print_what_the_design_promises(job: Path, tmp_path: Path) -> None:
    done = finegrain(tmp_path, "energy", job, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    terms = [value for name, value in answer["energy"].items() if name != "total"]
    # The sum of the printed terms in another order: a few units in the last place of the largest.
    assert answer["energy"]["total"] == pytest.approx(sum(terms), rel=1e-12)
    with np.load(tmp_path / answer["forces_file"]) as stored:
        assert stored["forces"].shape == (fg.Job(job).atoms, 3)


def test_doctor_finds_the_engine(tmp_path: Path) -> None:
    done = finegrain(tmp_path, "doctor", "--json")
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["machine"]["engine"]["simd_target"]


def test_the_notebook_style_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES / "python", "examples/python")
    shutil.copytree(EXAMPLES / "water", "examples/water")
    runpy.run_path("examples/python/first_look.py", run_name="__main__")
    printed = capsys.readouterr().out
    assert "finished? False" in printed
    assert "finished? True" in printed


def test_a_job_and_the_engine_are_for_scripts(tmp_path: Path) -> None:
    """`finegrain job` writes what fg.load does; `finegrain engine` names what runs it."""
    (tmp_path / "in.toml").write_text(
        '[system]\nkind = "classical"\ntopology = "openmmtools:AlanineDipeptideVacuum"\n'
        '[dynamics]\ntimestep = "1 fs"\nsteps = 2\ntemperature = "300 K"\n'
    )
    assert finegrain(tmp_path, "job", "in.toml").stdout == "wrote in.job.h5, 22 atoms\n"
    job = fg.load(tmp_path / "in.toml", tmp_path / "mine.h5")
    assert (tmp_path / "in.job.h5").read_bytes() == job.path.read_bytes()
    assert "is there already" in finegrain(tmp_path, "job", "in.toml", "--out", "mine.h5").stderr
    assert "is a job already" in finegrain(tmp_path, "job", "mine.h5").stderr
    engine = finegrain(tmp_path, "engine").stdout.strip()
    words = [engine, "in.job.h5", "--out", "run", "--pes", "1", "--quiet"]
    subprocess.run(words, cwd=tmp_path, check=True)
    assert fg.open_run(tmp_path / "run").result["steps"] == 2
    assert finegrain(tmp_path, "engine", "--mpi", "openmpi").stdout.strip() == f"{engine}-openmpi"
    assert "there is no such MPI" in finegrain(tmp_path, "engine", "--mpi", "lam").stderr
