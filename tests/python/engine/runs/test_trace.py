# SPDX-License-Identifier: BSD-3-Clause
"""The trace of a real run: it changes no bit, covers the whole run, and survives its end."""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from engine_jobs import WATER_FORCES, job_from_state, make_job, state_of
from process_runs import engine, first_mpi

import finegrain
from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.tracing import critical_path, read_trace, summarise, write_perfetto
from finegrain.tracing.records import IDLE, sent

pytestmark = pytest.mark.pictures

PES = 2


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("job")
    return make_job(folder, "water", WATER_FORCES, {"steps": 100})


@pytest.fixture(scope="module")
def run(job: Job, tmp_path_factory: pytest.TempPathFactory) -> finegrain.Run:
    """Run with a trace, once for all tests here that only read it."""
    out = tmp_path_factory.mktemp("traced") / "run"
    return finegrain.run(job, out, pes=PES, trace=True)


def test_no_bit_depends_on_it(job: Job, run: finegrain.Run, tmp_path: Path) -> None:
    plain = finegrain.run(job, tmp_path / "plain", pes=PES)
    assert run.state_digest == plain.state_digest
    assert not plain.directory.traces()
    assert run.result["messages"] == plain.result["messages"]


def test_the_slices_of_each_pe_fill_its_time(run: finegrain.Run) -> None:
    """Entries, lives and idle times do not overlap; the rest is the runtime's own share."""
    trace = run.trace()
    summary = summarise(trace)
    assert len(summary.pes) == PES
    for pe in summary.pes:
        # Queues and recording cost about 0.1 us a message, and the operating system may take a core
        # away at any moment, so half is a bound that only a gap in the records breaks.
        assert 0.5 * pe.seconds <= pe.busy + pe.idle <= pe.seconds
        # The machine's counter and its clock are compared over this run.
        assert pe.seconds <= float(run.result["seconds"])
        assert pe.lost == 0
    assert trace.end <= float(run.result["seconds"])


def test_every_message_is_in_it(run: finegrain.Run) -> None:
    """Each is an entry once; kept messages are handed over in the middle of a life."""
    summary = summarise(run.trace())
    calls = {row.name: row.calls for row in summary.entries}
    entries = sum(n for name, n in calls.items() if not name.endswith(", resumed"))
    assert entries == run.result["messages"]
    assert sum(size.messages for size in summary.messages) == entries
    assert calls["Patch::life"] > 0
    assert sum(size.between_pes for size in summary.messages) > 0


def test_the_critical_path_is_between_the_run_and_any_piece(run: finegrain.Run) -> None:
    trace = run.trace()
    path = critical_path(trace)
    longest = max(row.longest for row in summarise(trace).entries)
    assert longest <= path.seconds <= trace.seconds
    # Each of the 100 steps of a patch needs those before it.
    assert path.slices >= 100
    assert path.messages >= 100


def test_the_command_reads_it(run: finegrain.Run, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "finegrain", "trace", str(run.path), "--json"]
    picture = ["--plot", str(tmp_path / "picture.png")]
    done = subprocess.run([*command, *picture], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert len(answer["pes"]) == PES
    assert (run.path / "trace.json.gz").stat().st_size > 0


def test_a_stopped_run_leaves_it_and_the_next_part_its_own(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    stopped = finegrain.run(job, out, pes=PES, stop_after=20, trace=True)
    assert not stopped.finished
    before = read_trace(out)
    assert before.seconds > 0
    finegrain.resume(out, pes=1, trace=True)
    after = read_trace(out)
    assert after.start > before.start
    assert len(after.pes) == 1
    again = finegrain.run(job, out, pes=1, steps=10, overwrite=True)
    assert not again.directory.traces()  # it would be of another run


def test_a_run_that_fails_leaves_it(job: Job, run: finegrain.Run, tmp_path: Path) -> None:
    """A water is shot at its neighbours, so that the run works for a while first."""
    state = state_of(run.directory.checkpoint)
    state["velocity"][:3] += np.array([0.4, 0.0, 0.0])
    shot = job_from_state(job, tmp_path / "shot.h5", state)
    out = tmp_path / "out"
    with pytest.raises(_engine.EngineError):
        _engine.run(str(shot.path), str(out), pes=PES, trace=True)
    calls = {row.name: row.calls for row in summarise(read_trace(out)).entries}
    assert calls["PairCompute::work"] > 0


def test_the_executable_leaves_it_too(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = engine(job.path, "--out", out, "--trace", "--quiet", "--no-profile", "--pes", PES)
    assert done.returncode == 0, done.stderr
    assert len(read_trace(out).pes) == PES


@pytest.fixture(scope="module", params=first_mpi)
def processes(
    job: Job, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    """Run with a trace on two processes of one PE each; return the folder."""
    out = tmp_path_factory.mktemp("processes") / "run"
    return finegrain.run(job, out, pes=1, ranks=2, mpi=request.param, trace=True).path


def test_messages_between_processes_are_matched_with_what_sent_them(processes: Path) -> None:
    """All records are kept and there is one clock, so every message must have its sender."""
    trace = read_trace(processes)
    assert [pe.name for pe in trace.pes] == ["process 0 / PE 0", "process 1 / PE 1"]
    assert trace.pes[0].clock == trace.pes[1].clock
    for number, pe in enumerate(trace.pes):
        assert pe.lost == 0
        came = sent(trace, pe, pe.records)
        other = trace.pes[1 - number]
        across = np.flatnonzero(came.pe == 1 - number)
        # A few messages in each of the 100 steps.
        assert len(across) > 200
        slot = np.searchsorted(other.begins, came.ticks[across], side="right") - 1
        sender = other.records[slot]
        end = other.begins[slot] + sender["duration"].astype(np.int64)
        assert np.all((sender["kind"] != IDLE) & (came.ticks[across] <= end))
        assert np.all(came.ticks[across] <= pe.begins[across])


def test_the_critical_path_crosses_processes(processes: Path) -> None:
    trace = read_trace(processes)
    path = critical_path(trace)
    # Each step needs the forces of both sides, but the slower side's own may come last.
    assert path.between_processes >= 5
    assert path.between_processes == path.between_pes
    assert path.seconds <= trace.seconds


def test_arrows_go_from_process_to_process(processes: Path, tmp_path: Path) -> None:
    with gzip.open(write_perfetto(read_trace(processes), tmp_path / "view.json.gz")) as file:
        events = json.load(file)["traceEvents"]
    begins = {e["id"]: (e["pid"], e["ts"]) for e in events if e["ph"] == "s"}
    ends = {e["id"]: (e["pid"], e["ts"]) for e in events if e["ph"] == "f"}
    assert begins.keys() == ends.keys()
    assert len(begins) > 400
    for arrow, (process, time) in begins.items():
        assert ends[arrow][0] == 1 - process
        assert ends[arrow][1] >= time


def test_a_run_in_one_process_leaves_one_trace(processes: Path, job: Job, tmp_path: Path) -> None:
    out = shutil.copytree(processes, tmp_path / "out")
    assert len(read_trace(out).files) == 2
    words = ("--out", out, "--trace", "--quiet", "--overwrite", "--steps", 10)
    done = engine(job.path, *words)
    assert done.returncode == 0, done.stderr
    assert len(read_trace(out).files) == 1


def test_it_continues_after_objects_were_moved(job: Job, tmp_path: Path) -> None:
    """Three times in this run; all records are kept, not only those after the last move."""
    out = tmp_path / "out"
    words = ("--trace", "--quiet", "--pes", PES, "--balance", "random", "--balance-steps", 25)
    done = engine(job.path, "--out", out, *words)
    assert done.returncode == 0, done.stderr
    trace = read_trace(out)
    steps = set()
    for pe in trace.pes:
        steps |= set(pe.records["step"].tolist())
        assert pe.lost == 0
    assert set(range(1, 100)) <= steps
    assert critical_path(trace).slices >= 100


def test_a_trace_that_cannot_be_written_is_a_warning(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "trace.0.bin" / "something").mkdir(parents=True)
    result = _engine.run(str(job.path), str(out), trace=True)
    assert result["finished"]
    assert any("the trace was not written" in warning for warning in result["warnings"])
