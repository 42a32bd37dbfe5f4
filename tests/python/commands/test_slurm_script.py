# SPDX-License-Identifier: BSD-3-Clause
"""job --slurm: what it asks for, that it runs until the run is complete, and what is refused."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.errors import InputError

DYNAMICS = {"steps": 60}
# Stands for Slurm: notes what is submitted.
SBATCH = '#!/bin/sh\necho "$1" >> submitted\n'


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A box of water whose run takes a second; its folder is the current one."""
    made = make_job(tmp_path / "of box", "water", FAST_WATER_FORCES, DYNAMICS)
    monkeypatch.chdir(tmp_path)
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "sbatch").write_text(SBATCH)
    (commands / "sbatch").chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    return made.path


def submitted(script: Path) -> subprocess.CompletedProcess[str]:
    """Run the script as Slurm does, from the folder in which it was submitted."""
    return subprocess.run(["bash", script], capture_output=True, text=True, check=False, timeout=60)


def test_it_asks_for_nodes_and_time(job: Path, accepted: Callable[..., object]) -> None:
    words = ("--nodes", 2, "--ranks-per-node", 4, "--pes", 16, "--hours", 1.5, "--mpi", "mpich")
    accepted("job", job, "--slurm", "--out", "my job.sbatch", *words)
    lines = Path("my job.sbatch").read_text().splitlines()
    assert lines[0] == "#!/bin/bash"
    for asked in ("nodes=2", "ntasks-per-node=4", "cpus-per-task=16", "time=90"):
        assert f"#SBATCH --{asked}" in lines
    # A tenth of the time is left to save the state, but not more than ten minutes.
    assert "how=(--ranks 8 --mpi mpich --pes 16 --hours 1.35 --quiet)" in lines
    assert any("sbatch 'my job.sbatch'" in line and line.startswith(" ") for line in lines)


def test_a_run_of_several_jobs_ends_with_the_same_bits(job: Path) -> None:
    script = fg.slurm_script(job, pes=1, hours=1)
    text = script.read_text()
    script.write_text(text.replace("--hours 0.9", "--stop-after 20"))
    first = submitted(script)
    assert first.returncode == 75, first.stderr
    assert Path("submitted").read_text() == "job.sbatch\n"
    script.write_text(text)
    second = submitted(script)
    assert second.returncode == 0, second.stderr
    assert Path("submitted").read_text() == "job.sbatch\n"
    run = fg.open_run("runs/of box")
    assert run.result["went_on_from"]
    assert run.state_digest == fg.run(job, "at once", pes=2).state_digest


def test_a_job_that_saves_nothing_is_not_submitted_again(job: Path) -> None:
    """Its time is over before the minimisation is, which would begin again and again."""
    minimised = make_job(
        Path.cwd() / "minimised", "water", FAST_WATER_FORCES, DYNAMICS, minimise={}
    )
    script = fg.slurm_script(minimised, pes=1, hours=1)
    script.write_text(script.read_text().replace("--hours 0.9", "--hours 1e-9"))
    first = submitted(script)
    assert first.returncode == 75, first.stderr
    assert "nothing was saved in this time" in first.stderr
    assert not Path("submitted").exists()


def test_all_that_is_wrong_is_told_at_once(job: Path) -> None:
    with pytest.raises(InputError) as caught:
        fg.slurm_script(job, nodes=0, ranks_per_node="two", hours=0.01, mpi="lam")  # type: ignore[arg-type]
    told = [(one.where, one.what) for one in caught.value.problems]
    assert told == [
        ("--nodes", "too few nodes"),
        ("--ranks-per-node", "is not a whole number"),
        ("--pes", "a batch script needs it"),
        ("--hours", "is too short for a batch job"),
        ("--mpi", "there is no such MPI"),
    ]
    assert not Path("job.sbatch").exists()


def test_a_wrong_input_gets_no_script(job: Path, refused: Callable[..., str]) -> None:
    source = job.parent / "input.toml"
    source.write_text(source.read_text().replace("7 Å", "70 Å"))
    assert "70 Å" in refused("job", source, "--slurm", "--pes", 1)
    assert not Path("input.sbatch").exists()


def test_a_script_is_not_replaced(job: Path, refused: Callable[..., str]) -> None:
    Path("job.sbatch").write_text("mine")
    assert "is there already" in refused("job", job, "--slurm", "--pes", 1)
    assert Path("job.sbatch").read_text() == "mine"
    fg.slurm_script(job, pes=1, overwrite=True)
    assert Path("job.sbatch").read_text() != "mine"


def test_its_options_have_no_meaning_for_a_job(job: Path, refused: Callable[..., str]) -> None:
    said = refused("job", job.parent / "input.toml", "--nodes", 2, "--hours", 3)
    assert "--nodes" in said
    assert "--hours" in said
    assert "has a meaning only with --slurm" in said
