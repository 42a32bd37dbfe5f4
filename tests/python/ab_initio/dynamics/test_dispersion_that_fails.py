# SPDX-License-Identifier: BSD-3-Clause
"""A program of the dispersion that fails, hangs or is slow: messages, and how runs continue."""

import sys
from pathlib import Path

import pytest
from moving_dispersion import METHOD, calculator, with_command
from moving_silicon import silicon, write_silicon
from process_runs import needs_any

import finegrain as fg
from finegrain.ab_initio.dispersion import companion
from finegrain.ab_initio.preparation import job as job_module
from finegrain.ase import Finegrain
from finegrain.errors import InputError, ResourceError

SCHEMES = ("free", "born-oppenheimer")


FAKES = {
    "has ended with status 3": "print('no such library', file=sys.stderr); sys.exit(3)",
    "answers something else": "channel.sendall(b'hello'); read_frame(channel)",
    "has ended by signal 9": "ready(); geometry(); os.kill(os.getpid(), 9)",
    "refuses: no carbon": "ready(); write_frame(channel, Frame(5, geometry(), b'no carbon'))",
    "answers with 8 bytes instead of 272": (
        "ready(); write_frame(channel, Frame(4, geometry(), bytes(8)))"
    ),
    "not finite": (
        "ready(); nothing = struct.pack('34d', *[float('nan')] * 34); "
        "write_frame(channel, Frame(4, geometry(), nothing))"
    ),
    "number 7, which nobody has asked for": (
        "ready(); geometry(); write_frame(channel, Frame(4, 7, bytes(272)))"
    ),
}
_fake = """
import os, socket, struct, sys
from finegrain.ab_initio.dispersion.companion import Frame, own_channel, read_frame, write_frame
channel = own_channel()
def ready():
    write_frame(channel, Frame(1, 0, b""))
def geometry():
    read_frame(channel)
    return read_frame(channel).number
{act}
read_frame(channel)
"""


@pytest.mark.parametrize("words", FAKES)
def test_a_failed_program_ends_the_run(jobs: dict[str, Path], tmp_path: Path, words: str) -> None:
    program = tmp_path / "companion.py"
    program.write_text(_fake.format(act=FAKES[words]))
    command = [sys.executable, str(program)]
    job = with_command(jobs["born-oppenheimer"], tmp_path / "job.h5", command)
    with pytest.raises(ResourceError, match="the program that finds the dispersion") as error:
        fg.run(job, tmp_path / "run", pes=2)
    text = str(error.value)
    assert words in text
    assert str(program) in text
    if "status 3" in words:
        assert "no such library" in text


# The program of the dispersion, with something before each answer.
_waiting = """
import os, sys, time
from finegrain.ab_initio.dispersion.companion import method_of, own_channel, serve
from finegrain.ab_initio.dispersion.model import make_model
answers = 0
def make(method, elements):
    model = make_model(method, elements)
    def found(position, vectors):
        global answers
        {before}
        answers += 1
        return model(position, vectors)
    return found
{start}
serve(own_channel(), method_of(sys.argv[1:]), make)
"""


def with_waiting(job: Path, folder: Path, before: str = "", start: str = "") -> Path:
    """Copy a job whose program does this before an answer, and this at its start."""
    program = folder / "companion.py"
    program.write_text(_waiting.format(before=before or "pass", start=start))
    of_method = companion.command_of(METHOD)
    command = [sys.executable, str(program), *of_method[of_method.index("--damping") :]]
    return with_command(job, folder / "job.h5", command)


@needs_any
@pytest.mark.parametrize(("scheme", "ranks"), [("free", 1), ("born-oppenheimer", 2)])
def test_a_program_that_hangs_ends_the_run_which_then_continues(
    jobs: dict[str, Path], alone: dict[str, fg.Run], tmp_path: Path, scheme: str, ranks: int
) -> None:
    flag = tmp_path / "hang"
    flag.touch()
    hang = f"while answers == 2 and os.path.exists({str(flag)!r}): time.sleep(0.05)"
    job = with_waiting(jobs[scheme], tmp_path, before=hang)
    # Long enough for Python to begin and import on a busy machine.
    with pytest.raises(ResourceError, match="finds the dispersion does not answer") as error:
        fg.run(job, tmp_path / "run", pes=2, ranks=ranks, companion_seconds=6)
    assert str(tmp_path / "companion.py") in str(error.value.where)
    assert error.value.value.startswith("waited 6")
    assert error.value.limit == "6 s (--companion-seconds)"
    assert "finegrain resume DIR --companion-seconds 60" in error.value.hint
    # There is a checkpoint of the first step, and rows of all steps that were made.
    assert (tmp_path / "run/checkpoint.h5").exists()
    assert len((tmp_path / "run/energies.csv").read_text().splitlines()) == 1 + 3
    flag.unlink()
    again = fg.resume(tmp_path / "run", pes=1)
    assert again.finished
    assert again.state_digest == alone[scheme].state_digest
    there = alone[scheme].path / "energies.csv"
    assert (again.path / "energies.csv").read_bytes() == there.read_bytes()


def test_a_run_that_is_to_stop_does_not_wait_for_a_program_that_hangs(
    jobs: dict[str, Path], alone: dict[str, fg.Run], tmp_path: Path
) -> None:
    flag = tmp_path / "hang"
    flag.touch()
    hang = f"while answers == 2 and os.path.exists({str(flag)!r}): time.sleep(0.05)"
    job = with_waiting(jobs["free"], tmp_path, before=hang)
    with pytest.raises(ResourceError, match="finds the dispersion does not answer") as error:
        fg.run(job, tmp_path / "run", pes=2, companion_seconds=500, hours=3 / 3600)
    assert error.value.limit == "5 s after the run was told to stop"
    flag.unlink()
    again = fg.resume(tmp_path / "run", pes=1)
    assert again.finished
    assert again.state_digest == alone["free"].state_digest


def test_a_program_that_does_not_begin_ends_the_run(jobs: dict[str, Path], tmp_path: Path) -> None:
    job = with_waiting(jobs["free"], tmp_path, start="time.sleep(1000)")
    with pytest.raises(ResourceError, match="finds the dispersion does not begin"):
        fg.run(job, tmp_path / "run", pes=1, companion_seconds=0.5)


def test_a_slow_program_is_waited_for_at_each_answer(
    jobs: dict[str, Path], alone: dict[str, fg.Run], tmp_path: Path
) -> None:
    # All waits together are longer than the limit, which is of each.
    job = with_waiting(jobs["free"], tmp_path, before="time.sleep(1.2)")
    run = fg.run(job, tmp_path / "run", pes=1, companion_seconds=5)
    assert run.result["seconds"] > 5
    assert run.state_digest == alone["free"].state_digest


def test_the_calculator_waits_as_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = [sys.executable, "-c", "import time; time.sleep(1000)"]
    monkeypatch.setattr(job_module, "command_of", lambda _: hangs)
    atoms = silicon()
    write_silicon(tmp_path, atoms, "1e-4 hartree")
    atoms.calc = calculator(tmp_path, pes=1, companion_seconds=0.5)
    atoms.get_potential_energy()  # that of the job
    atoms.positions[0] += 0.1
    with pytest.raises(ResourceError, match="does not begin") as error:
        atoms.get_potential_energy()
    assert error.value.limit.startswith("0.5 s")
    atoms.get_potential_energy()  # that of a new job
    with pytest.raises(InputError, match="not a length of time"):
        Finegrain(cutoff="6 Ry", companion_seconds=0)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "soon"])
def test_bad_waits_are_refused(jobs: dict[str, Path], tmp_path: Path, seconds: object) -> None:
    with pytest.raises(InputError, match="not a length of time") as error:
        fg.run(jobs["free"], tmp_path / "run", pes=1, companion_seconds=seconds)
    assert error.value.where == "--companion-seconds"


def test_a_program_that_is_missing_is_named(jobs: dict[str, Path], tmp_path: Path) -> None:
    job = with_command(jobs["free"], tmp_path / "job.h5", ["/no/such/program"])
    with pytest.raises(ResourceError, match="cannot be started"):
        fg.run(job, tmp_path / "run", pes=1)


def test_a_job_that_names_no_program_is_refused(jobs: dict[str, Path], tmp_path: Path) -> None:
    job = with_command(jobs["free"], tmp_path / "job.h5", None)
    with pytest.raises(InputError, match="names no program that finds the dispersion"):
        fg.run(job, tmp_path / "run", pes=1)
    empty = with_command(jobs["free"], tmp_path / "empty.h5", [""])
    with pytest.raises(InputError, match="names no program"):
        fg.run(empty, tmp_path / "run", pes=1)
