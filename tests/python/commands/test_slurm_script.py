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
    assert f"        sbatch '{Path.cwd()}/my job.sbatch' && exit 0" in lines
    assert f"cd -- {Path.cwd()} || exit 1" in lines
    # Slurm has only one job of a name at a time: other folders have other names.
    names = [line for line in lines if "--job-name=" in line]
    elsewhere = Path("elsewhere")
    elsewhere.mkdir()
    os.chdir(elsewhere)
    accepted("job", job, "--slurm", "--pes", 1)
    others = Path("of box.sbatch").read_text().splitlines()
    assert [line for line in others if "--job-name=" in line] != names
    assert names[0].startswith("#SBATCH --job-name=of_box-")


def test_a_run_of_several_jobs_ends_with_the_same_bits(job: Path) -> None:
    script = fg.slurm_script(job, pes=1, hours=1)
    text = script.read_text()
    script.write_text(text.replace("--hours 0.9", "--stop-after 20"))
    first = submitted(script)
    assert first.returncode == 0, first.stderr  # the next one is on its way
    assert not fg.open_run("runs/of box").finished
    assert Path("submitted").read_text() == f"{script.resolve()}\n"
    script.write_text(text)
    second = submitted(script)
    assert second.returncode == 0, second.stderr
    assert Path("submitted").read_text() == f"{script.resolve()}\n"
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
        ("--hours", "is no time for a batch job"),
        ("--mpi", "there is no such MPI"),
    ]
    assert not list(Path().glob("*.sbatch"))


def test_a_wrong_input_gets_no_script(job: Path, refused: Callable[..., str]) -> None:
    source = job.parent / "input.toml"
    source.write_text(source.read_text().replace("7 Å", "70 Å"))
    assert "70 Å" in refused("job", source, "--slurm", "--pes", 1)
    assert not list(Path().glob("*.sbatch"))


def test_a_script_is_not_replaced(job: Path, refused: Callable[..., str]) -> None:
    script = Path("of box.sbatch")
    script.write_text("mine")
    assert "is there already" in refused("job", job, "--slurm", "--pes", 1)
    assert script.read_text() == "mine"
    fg.slurm_script(job, pes=1, overwrite=True)
    assert script.read_text() != "mine"


def test_a_run_in_the_folder_is_continued_only_on_request(job: Path) -> None:
    """A script for another input would continue it, and never read that input."""
    source = job.parent / "input.toml"
    fg.run(source, "runs/input", pes=1, stop_after=20)
    with pytest.raises(InputError, match="holds a run already"):
        fg.slurm_script(source, pes=1)
    script = fg.slurm_script("runs/input", pes=1)
    assert script == Path("input.sbatch")
    done = submitted(script)
    assert done.returncode == 0, done.stderr
    assert fg.open_run("runs/input").finished


def test_results_may_lie_behind_a_link(job: Path) -> None:
    Path("scratch").mkdir()
    Path("runs").mkdir()
    Path("runs/of box").symlink_to(Path("scratch").resolve())
    script = fg.slurm_script(job, pes=1, hours=1)
    script.write_text(script.read_text().replace("--hours 0.9", "--stop-after 20"))
    first = submitted(script)
    assert first.returncode == 0, first.stderr
    assert Path("submitted").exists()


def test_odd_names_are_no_lines_and_no_options(job: Path) -> None:
    with pytest.raises(InputError, match="control character"):
        fg.slurm_script(job, "a\nb.sbatch", pes=1)
    source = job.parent / "input.toml"
    Path("-x.toml").write_text(source.read_text())  # it names its files in full
    text = fg.slurm_script(Path("-x.toml"), pes=1).read_text()
    assert "finegrain run ./-x.toml --out runs/-x" in text


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"pes": 5000}, "--pes"),
        ({"pes": 1, "nodes": 2**21}, "--nodes"),
        ({"pes": 1, "nodes": 2**12, "ranks_per_node": 2**12}, "--nodes, --ranks-per-node"),
        ({"pes": 1, "hours": 1e6}, "--hours"),
    ],
)
def test_what_no_run_takes_is_refused(job: Path, asked: dict[str, float], where: str) -> None:
    with pytest.raises(InputError) as caught:
        fg.slurm_script(job, **asked)  # type: ignore[arg-type]
    assert [one.where for one in caught.value.problems] == [where]


def test_its_options_have_no_meaning_for_a_job(job: Path, refused: Callable[..., str]) -> None:
    said = refused("job", job.parent / "input.toml", "--nodes", 2, "--hours", 3)
    assert "--nodes" in said
    assert "--hours" in said
    assert "has a meaning only with --slurm" in said
