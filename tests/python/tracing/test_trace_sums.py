# SPDX-License-Identifier: BSD-3-Clause
"""The sums over traces made by hand are those that were put into them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from trace_files import LIFE, START_TICKS, entry, idle, resume, two_pes, write_trace

from finegrain.errors import InputError
from finegrain.tracing import critical_path, read_trace, summarise, write_perfetto
from finegrain.tracing.picture import shares_over_time
from finegrain.tracing.records import sent

EXACT = 1e-12  # seconds: rounding in sums of a few whole microseconds


def test_names_are_short_and_elements_have_their_index(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    trace = read_trace(tmp_path)
    assert trace.entries == ("PairCompute::positions", "Patch::life")
    assert trace.arrays[0].element(3) == "PairCompute[1,1]"
    assert [pe.name for pe in trace.pes] == ["process 0 / PE 0", "process 0 / PE 1"]
    assert trace.seconds == pytest.approx(100e-6, abs=EXACT)


def test_pes_add_up(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    summary = summarise(read_trace(tmp_path))
    first, second = summary.pes
    assert first.busy == pytest.approx(40e-6, abs=EXACT)
    assert first.idle == pytest.approx(48e-6, abs=EXACT)
    assert second.utilisation == pytest.approx(0.35)
    for pe in summary.pes:
        assert pe.busy + pe.idle + pe.runtime == pytest.approx(100e-6, abs=EXACT)
    assert summary.utilisation == pytest.approx(0.375)


def test_entries_are_counted_and_resumed_lives_are_separate(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    table = {row.name: row for row in summarise(read_trace(tmp_path)).entries}
    assert list(table) == ["PairCompute::positions", "Patch::life", "Patch::life, resumed"]
    positions = table["PairCompute::positions"]
    assert positions.calls == 2
    assert positions.seconds == pytest.approx(45e-6, abs=EXACT)
    assert positions.mean == pytest.approx(22.5e-6, abs=EXACT)
    assert positions.longest == pytest.approx(35e-6, abs=EXACT)
    assert positions.share == pytest.approx(0.225)


def test_messages_are_counted_by_size(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    sizes = {size.limit: size for size in summarise(read_trace(tmp_path)).messages}
    assert {limit: size.messages for limit, size in sizes.items()} == {0: 2, 256: 1, 4096: 1}
    assert sizes[4096].bytes == 3000
    assert sizes[4096].between_pes == 1
    assert sizes[4096].mean_wait == pytest.approx(15e-6, abs=EXACT)
    assert sizes[0].mean_wait == pytest.approx(30e-6, abs=EXACT)  # of the one with a sender


def test_the_critical_path_goes_through_messages_and_objects(tmp_path: Path) -> None:
    """15 of the life until it sends, 30 on PE 1 until it answers, 2 and 8 at the end."""
    write_trace(tmp_path, two_pes(), end=100)
    path = critical_path(read_trace(tmp_path))
    assert path.seconds == pytest.approx(55e-6, abs=1e-9)  # it uses whole nanoseconds
    assert path.share == pytest.approx(0.55)
    assert (path.slices, path.messages, path.between_pes) == (4, 2, 2)
    spent = {row.name: (row.slices, round(1e6 * row.seconds)) for row in path.entries}
    assert spent == {
        "PairCompute::positions": (1, 30),
        "Patch::life": (2, 17),
        "Patch::life, resumed": (1, 8),
    }


def test_work_of_one_object_is_one_chain_though_no_message_joins_it(tmp_path: Path) -> None:
    slices = [entry(10 * i, 5, element=1) for i in range(5)] + [entry(60, 20, element=2)]
    write_trace(tmp_path, [slices], end=100)
    path = critical_path(read_trace(tmp_path))
    assert path.seconds == pytest.approx(25e-6, abs=1e-9)
    assert (path.slices, path.messages) == (5, 0)


def test_work_of_one_object_is_one_chain_though_it_moves_to_another_process(tmp_path: Path) -> None:
    write_trace(tmp_path, [[entry(0, 20, element=1)]], end=100)
    write_trace(
        tmp_path,
        [[entry(5, 5, element=2), entry(30, 7, element=1)]],
        end=100,
        process=1,
        first_pe=1,
    )
    path = critical_path(read_trace(tmp_path))
    assert path.seconds == pytest.approx(27e-6, abs=1e-9)
    assert (path.slices, path.messages) == (2, 0)


def test_a_message_whose_sender_is_lost_begins_a_path(tmp_path: Path) -> None:
    write_trace(tmp_path, [[entry(50, 5, sent=(0, 3), of=LIFE)]], end=100, lost=12)
    trace = read_trace(tmp_path)
    assert trace.lost == 12
    assert trace.seconds == pytest.approx(50e-6, abs=EXACT)  # from the first record that is kept
    assert critical_path(trace).slices == 1


def test_a_clock_that_is_ahead_gives_no_time_before_sending(tmp_path: Path) -> None:
    write_trace(tmp_path, [[entry(50, 5, sent=(0, 52))]], end=100)
    trace = read_trace(tmp_path)
    came = sent(trace, trace.pes[0], trace.pes[0].records)
    assert came.pe.tolist() == [0]
    assert came.ticks.tolist() == trace.pes[0].begins.tolist()
    assert came.waited.tolist() == [0]


def test_shares_over_time_add_up_to_what_the_summary_has(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    trace = read_trace(tmp_path)
    edges, shares = shares_over_time(trace, bins=7)
    seconds = shares.sum(axis=2) * (edges[1] - edges[0])
    assert seconds[0] == pytest.approx([10e-6, 30e-6, 48e-6], abs=EXACT)
    assert seconds[1] == pytest.approx([35e-6, 0, 58e-6], abs=EXACT)
    assert np.all(shares.sum(axis=1) <= 1 + 1e-9)


def test_processes_are_put_on_one_axis(tmp_path: Path) -> None:
    write_trace(tmp_path, [[resume(0, 10)]], end=100)
    write_trace(
        tmp_path, [[idle(0, 10)]], end=100, process=1, first_pe=1, start=1.7e9 + 1, host="node b"
    )
    trace = read_trace(tmp_path)
    assert [pe.name for pe in trace.pes] == ["process 0 / PE 0", "process 1 / PE 1"]
    # Seconds since 1970 have seven decimals.
    assert trace.pes[1].at(trace.pes[1].begin) == pytest.approx(1.0, abs=1e-6)


def test_processes_of_one_host_are_compared_by_its_counter(tmp_path: Path) -> None:
    """Their own times of the start and of a tick differ by the error of the system's clock."""
    first, second = two_pes()
    write_trace(tmp_path, [first], end=100)
    write_trace(
        tmp_path,
        [second],
        end=100,
        process=1,
        first_pe=1,
        start=1.7e9 + 0.5,
        start_ticks=START_TICKS + 40,
        seconds_per_tick=1.0001e-6,
    )
    trace = read_trace(tmp_path)
    assert trace.pes[0].clock == trace.pes[1].clock
    assert trace.seconds == pytest.approx(100e-6, abs=EXACT)


@pytest.fixture(params=["one host", "two hosts"])
def two_processes(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Write the run on two PEs with one process for each; the two hosts start at other times."""
    first, second = two_pes()
    write_trace(tmp_path, [first], end=100)
    other: dict[str, Any] = {"process": 1, "first_pe": 1}
    if request.param == "two hosts":
        # Its counter has another number, and half the rate, at the same time.
        other |= {"host": "node b", "start_ticks": 500, "seconds_per_tick": 2e-6}
        second = [(500 + (at - START_TICKS) // 2, lasts // 2, *rest) for at, lasts, *rest in second]
        # Sent at 60 us by the clock of the other process.
        first[4] = (*first[4][:2], 2 << 48 | 530, *first[4][3:])
        write_trace(tmp_path, [first], end=100)
        pes = [{"pe": 1, "begin": 500, "end": 550, "records": len(second), "lost": 0}]
        other["pes"] = pes
    write_trace(tmp_path, [second], end=100, **other)
    return tmp_path


def test_messages_between_processes_have_their_sender(two_processes: Path) -> None:
    trace = read_trace(two_processes)
    came = sent(trace, trace.pes[1], trace.pes[1].records)
    assert came.pe.tolist() == [-1, 0, -1]
    assert came.ticks[1] == START_TICKS + 15
    assert came.waited[1] == pytest.approx(15e-6, abs=EXACT)
    back = sent(trace, trace.pes[0], trace.pes[0].records)
    assert back.pe.tolist() == [-1, -1, 0, -1, 1, -1]
    assert trace.pes[1].at(back.ticks[4]) == pytest.approx(60e-6, abs=EXACT)
    sizes = {size.limit: size for size in summarise(trace).messages}
    assert sizes[256].between_pes == sizes[4096].between_pes == 1
    assert sizes[256].mean_wait == pytest.approx(20e-6, abs=EXACT)


def test_the_critical_path_crosses_processes(two_processes: Path) -> None:
    """As on two PEs of one process, except for an odd microsecond lost by half the rate."""
    path = critical_path(read_trace(two_processes))
    assert path.seconds == pytest.approx(55e-6, abs=1e-9)
    assert (path.messages, path.between_pes, path.between_processes) == (2, 2, 2)


def test_the_sender_in_a_process_that_left_no_trace_is_unknown(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes()[:1], end=100)
    trace = read_trace(tmp_path)
    came = sent(trace, trace.pes[0], trace.pes[0].records)
    assert came.rank[4] == 1
    assert came.pe[4] == -1
    sizes = {size.limit: size for size in summarise(trace).messages}
    assert sizes[256].between_pes == 1
    assert critical_path(trace).between_pes == 0


def test_hosts_whose_clocks_disagree_give_no_negative_wait(tmp_path: Path) -> None:
    """Received 5 us before it was sent: the other host's clock is ahead."""
    write_trace(tmp_path, [[entry(0, 20, of=LIFE)]], end=100)
    write_trace(
        tmp_path, [[entry(10, 5, sent=(0, 15))]], end=100, process=1, first_pe=1, host="node b"
    )
    trace = read_trace(tmp_path)
    came = sent(trace, trace.pes[1], trace.pes[1].records)
    assert came.ticks.tolist() == [START_TICKS + 15]
    assert came.waited.tolist() == [0]
    view = json.loads(write_perfetto(trace, tmp_path / "view.json").read_text())
    assert not [event for event in view["traceEvents"] if event["ph"] in "sf"]


def test_a_trace_without_records_is_read(tmp_path: Path) -> None:
    write_trace(tmp_path, [[], []], end=100)
    trace = read_trace(tmp_path)
    assert critical_path(trace).slices == 0
    assert summarise(trace).utilisation == 0


def test_a_part_of_a_trace_is_cut_at_no_record(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    part = read_trace(tmp_path).between(45e-6, 81e-6)
    summary = summarise(part)
    # PE 0: 40 to 50 is under way, idling to 80, then 80 to 82. PE 1: 30 to 65, idling to 100.
    assert [pe.records for pe in summary.pes] == [3, 2]
    assert [pe.seconds for pe in summary.pes] == pytest.approx([42e-6, 70e-6], abs=EXACT)
    assert [pe.busy for pe in summary.pes] == pytest.approx([12e-6, 35e-6], abs=EXACT)


def test_a_part_of_nothing_is_refused(tmp_path: Path) -> None:
    write_trace(tmp_path, two_pes(), end=100)
    trace = read_trace(tmp_path)
    for begin, end in ((1.0, 2.0), (-2.0, -1.0), (60e-6, 40e-6), (float("nan"), 1.0)):
        with pytest.raises(InputError, match="nothing between"):
            trace.between(begin, end)


def test_a_part_where_a_pe_has_no_record_is_read(tmp_path: Path) -> None:
    write_trace(tmp_path, [[entry(0, 5)], [entry(0, 90)]], end=100)
    summary = summarise(read_trace(tmp_path).between(20e-6, 30e-6))
    assert [pe.records for pe in summary.pes] == [0, 1]
    assert summary.pes[0].busy == 0
