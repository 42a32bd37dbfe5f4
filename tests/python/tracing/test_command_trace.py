# SPDX-License-Identifier: BSD-3-Clause
"""``finegrain trace``: its files and output, and its messages for bad traces."""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trace_files import two_pes, write_trace
from typer.testing import Result

from finegrain.tracing import read_trace

pytestmark = pytest.mark.pictures


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Make the folder of a traced run."""
    write_trace(tmp_path / "run", two_pes(), end=100)
    return tmp_path / "run"


def check_events(events: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Check the rules of the format; return the events by phase."""
    by_phase = defaultdict(list)
    for event in events:
        assert isinstance(event["pid"], int)
        by_phase[event["ph"]].append(event)
    assert set(by_phase) <= {"M", "X", "s", "f"}
    ends: dict[tuple[int, int], float] = defaultdict(float)
    for event in by_phase["X"]:
        track = (event["pid"], event["tid"])
        assert event["dur"] >= 0
        # In order and without overlap: half a nanosecond is the rounding of the last digit.
        assert event["ts"] >= ends[track] - 5e-4
        ends[track] = event["ts"] + event["dur"]
    named = {(e["pid"], e["tid"]) for e in by_phase["M"] if e["name"] == "thread_name"}
    assert set(ends) <= named
    leaving = {event["id"]: event for event in by_phase["s"]}
    arriving = {event["id"]: event for event in by_phase["f"]}
    assert len(leaving) == len(by_phase["s"])
    assert leaving.keys() == arriving.keys()
    for number, event in leaving.items():
        assert event["ts"] <= arriving[number]["ts"]
        assert (event["pid"], event["tid"]) != (arriving[number]["pid"], arriving[number]["tid"])
        assert any(
            e["tid"] == event["tid"] and e["ts"] <= event["ts"] <= e["ts"] + e["dur"]
            for e in by_phase["X"]
        )
        assert any(
            e["tid"] == arriving[number]["tid"] and e["ts"] == arriving[number]["ts"]
            for e in by_phase["X"]
        )
    return by_phase


def test_the_view_is_as_perfetto_wants_it(accepted: Callable[..., Result], run: Path) -> None:
    accepted("trace", run)
    with gzip.open(run / "trace.json.gz", "rt") as file:
        content = json.load(file)
    events = check_events(content["traceEvents"])
    assert len(events["X"]) == 9
    assert len(events["s"]) == 2
    names = [e["args"]["name"] for e in events["M"] if e["name"] == "thread_name"]
    assert names == ["process 0 / PE 0", "process 0 / PE 1"]
    work = [e for e in events["X"] if e["tid"] == 1]
    assert [(e["name"], e["ts"], e["dur"]) for e in work] == [
        ("idle", 0, 29),
        ("PairCompute::positions", 30, 35),
        ("idle", 71, 29),
    ]
    assert work[1]["args"] == {"object": "PairCompute[1,0]", "bytes": 3000}
    answer = next(e for e in events["X"] if e["ts"] == 80)
    assert answer["args"] == {"object": "Patch[1]", "step": 7, "bytes": 64}


def test_a_plain_file_is_written_where_it_is_wanted(
    accepted: Callable[..., Result], refused: Callable[..., str], run: Path, tmp_path: Path
) -> None:
    out = tmp_path / "view.json"
    accepted("trace", run, "--out", out)
    check_events(json.loads(out.read_text())["traceEvents"])
    assert "is there already" in refused("trace", run, "--out", out)
    accepted("trace", run, "--out", out, "--overwrite")
    assert not list(tmp_path.glob("**/*.part"))


def test_it_prints_tables(command: Callable[..., Result], run: Path) -> None:
    text = command("trace", run).stdout
    assert "process 0 / PE 1" in text
    assert "utilisation 37.5 %" in text
    assert "critical path 0.000 s, 55.0 % of the time" in text
    assert "trace.json.gz" in text


def test_json_has_all_of_it(accepted: Callable[..., Result], run: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = accepted("trace", run, "--plot", picture, "--json")
    answer = json.loads(done.stdout)
    assert answer["files"] == [str(run / "trace.json.gz"), str(picture)]
    assert answer["utilisation"] == pytest.approx(0.375)
    assert [pe["pe"] for pe in answer["pes"]] == [0, 1]
    assert answer["critical_path"]["slices"] == 4
    assert {"entries", "messages", "seconds", "lost"} <= answer.keys()
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_many_pes_are_drawn_as_a_map(accepted: Callable[..., Result], tmp_path: Path) -> None:
    write_trace(tmp_path / "run", 20 * two_pes()[1:], end=100)
    picture = tmp_path / "picture.png"
    done = accepted("trace", tmp_path / "run", "--plot", picture)
    assert "and 4 more" in done.stdout
    assert picture.exists()


def test_what_is_lost_is_reported(command: Callable[..., Result], tmp_path: Path) -> None:
    write_trace(tmp_path / "run", two_pes(), end=100, lost=1234)
    assert "2,468 earlier records were overwritten" in command("trace", tmp_path / "run").stdout


def test_for_a_run_without_a_trace_the_message_says_how_to_make_one(
    command: Callable[..., Result], refused: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "run.log").touch()
    said = refused("trace", tmp_path)
    assert "has no trace" in said
    assert "finegrain run INPUT --trace" in said
    answer = json.loads(command("trace", tmp_path, "--json").stdout)
    assert answer["error"]["exit_status"] == 1


def test_a_folder_that_is_no_run_is_refused(refused: Callable[..., str], tmp_path: Path) -> None:
    refused("trace", tmp_path / "absent")
    refused("trace", tmp_path)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "another format": lambda whole: b"\x89HDF" + whole[4:],
    "cut in the heading": lambda whole: whole[:100],
    "cut in the records": lambda whole: whole[:-48],
    "cut in a record": lambda whole: whole[:-1],
    "too long": lambda whole: whole + b"\0",
    "no heading": lambda whole: whole.replace(b'"format"', b'"farmat"'),
    "not JSON": lambda whole: whole.replace(b'{"format"', b'["format"'),
    "not text": lambda whole: whole.replace(b"PairCompute", b"Pair\xff\xfe\xfdpute"),
    "a newer version": lambda whole: whole.replace(b'"format": 1', b'"format": 2'),
    "an unknown entry": lambda whole: whole[: -4 - 2] + b"\xff\xff" + whole[-4:],
    "times out of order": lambda whole: whole[:-48] + bytes(8) + whole[-40:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_named(refused: Callable[..., str], run: Path, damage: str) -> None:
    file = run / "trace.0.bin"
    whole = file.read_bytes()
    file.write_bytes(DAMAGE[damage](whole))
    assert file.read_bytes() != whole
    assert str(file) in refused("trace", run)
    assert not (run / "trace.json.gz").exists()


def test_files_of_two_runs_are_refused(refused: Callable[..., str], run: Path) -> None:
    write_trace(run, two_pes(), end=100, process=1, first_pe=2, entries=["fg::a", "fg::b"])
    assert "trace.1.bin" in refused("trace", run)


def test_a_pe_in_two_files_is_refused(refused: Callable[..., str], run: Path) -> None:
    write_trace(run, two_pes(), end=100, process=1, first_pe=1)
    assert "trace.1.bin" in refused("trace", run)


def test_arrows_go_from_process_to_process(accepted: Callable[..., Result], tmp_path: Path) -> None:
    first, second = two_pes()
    write_trace(tmp_path, [first], end=100)
    write_trace(tmp_path, [second], end=100, process=1, first_pe=1)
    done = accepted("trace", tmp_path)
    assert "2 of them between PEs, 2 between processes" in done.stdout
    with gzip.open(tmp_path / "trace.json.gz", "rt") as file:
        events = check_events(json.load(file)["traceEvents"])
    names = [e["args"]["name"] for e in events["M"] if e["name"] == "thread_name"]
    assert names == ["process 0 / PE 0", "process 1 / PE 1"]
    assert {(e["pid"], e["tid"], e["ts"]) for e in events["s"]} == {(0, 0, 15), (1, 1, 60)}
    assert {(e["pid"], e["tid"], e["ts"]) for e in events["f"]} == {(1, 1, 30), (0, 0, 80)}


def test_the_trace_itself_is_never_replaced(refused: Callable[..., str], run: Path) -> None:
    before = (run / "trace.0.bin").read_bytes()
    for option in ("--out", "--plot"):
        refused("trace", run, option, run / "trace.0.bin", "--overwrite")
    assert (run / "trace.0.bin").read_bytes() == before


def test_unwritable_files_are_the_machines_fault(command: Callable[..., Result], run: Path) -> None:
    (run / ".trace.json.gz.part").mkdir()
    done = command("trace", run)
    assert done.exit_code in (1, 2)
    assert "trace.json.gz" in done.stderr
    assert not (run / "trace.json.gz").exists()


def test_records_stay_on_the_disk(run: Path) -> None:
    """Otherwise the trace of a long run would not fit into memory."""
    assert type(read_trace(run).pes[0].records).__name__ == "memmap"


def test_a_part_can_be_looked_at(
    accepted: Callable[..., Result], refused: Callable[..., str], run: Path
) -> None:
    accepted("trace", run, "--from", 40e-6, "--to", 70e-6)
    with gzip.open(run / "trace.json.gz", "rt") as file:
        events = check_events(json.load(file)["traceEvents"])
    assert [event["ts"] for event in events["X"]] == [40, 50, 30]
    assert not events["s"]  # the sender of PE 1's messages is not in this part
    assert "0 to 0.0001 seconds" in refused("trace", run, "--from", 3)
