# SPDX-License-Identifier: BSD-3-Clause
"""A list of columns makes a table: templates, formats, rows of several entries."""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[3] / "tools"))

from table_maker import NOT_YET, Table, column, first_of

ENTRIES = [
    {"grid": 8, "part": "local", "error": 1.5e-6, "threads": 1, "ns": {"median": 12.34}},
    {"grid": 4, "part": "local", "error": 2.5e-6, "threads": 1, "ns": {"median": 7}},
    {"grid": 8, "part": "nonlocal", "error": 0.5, "threads": 2, "ns": {"median": 9}},
]


@pytest.fixture
def lines(tmp_path):
    """Return the lines of a table of some entries."""

    def made(columns, entries=ENTRIES, rows="entries", **given):
        (tmp_path / "x.json").write_text(json.dumps({"date": "today", "entries": entries}))
        return Table("x", "x.json", rows, columns, **given).lines(tmp_path)

    return made


def test_each_entry_is_a_row_and_texts_stand_at_the_left(lines):
    assert lines("""
        < part  | {part}
        a grid  | {grid}³
    """) == [
        "| part | a grid |",
        "|---|---:|",
        "| local | 8³ |",
        "| local | 4³ |",
        "| nonlocal | 8³ |",
    ]  # fmt: skip


def test_a_column_without_a_heading_has_an_empty_one(lines):
    assert lines("< | {part}", where={"grid": 4}) == ["| |", "|---|", "| local |"]


def test_entries_of_a_row_are_chosen_by_values(lines):
    columns = """
        grid  | {grid}
        local | {error:.1e} | part=local & grid=4
        rest  | {error:.1e} | part=nonlocal
    """
    entries = [{**entry, "grid": str(entry["grid"])} for entry in ENTRIES]
    assert lines(columns, entries, by=("grid",)) == [
        "| grid | local | rest |",
        "|---:|---:|---:|",
        "| 8 | | 5.0e-01 |",
        "| 4 | 2.5e-06 | |",
    ]
    assert lines(columns, entries, by=("grid",), ordered=True)[2].startswith("| 4 |")


def test_columns_below_each_are_repeated_for_each_value(lines):
    columns = """
        grid | {grid}
        each threads
        {threads} threads | {ns:spread 1}
        error of {threads} | {error:1e6*.0f}
    """
    assert lines(columns, by=("grid",)) == [
        "| grid | 1 threads | error of 1 | 2 threads | error of 2 |",
        "|---:|---:|---:|---:|---:|",
        "| 8 | 12.3 (one run) | 2 | 9.0 (one run) | 500000 |",
        "| 4 | 7.0 (one run) | 2 | | |",
    ]
    # A value that no entry of this table has keeps its columns, so that tables stay alike.
    assert "2 threads" in lines(columns, by=("grid",), where={"part": "local"})[0]


def test_entries_that_lack_a_key_can_be_asked_for(lines):
    entries = [*ENTRIES, {**ENTRIES[1], "senders": 8}]
    assert len(lines("grid | {grid}", entries, where={"senders": None})) == 2 + len(ENTRIES)


def test_words_stand_above_and_below(lines):
    found = lines("grid | {grid}", above="Of {date}:", below=lambda report: f"* {report['date']}")
    assert found[:2] == ["Of today:", ""]
    assert found[-2:] == ["", "* today"]


def test_a_result_that_is_not_there_is_an_error_unless_it_may_be(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"y\.json"):
        Table("x", "y.json", "entries", "grid | {grid}").lines(tmp_path)
    may_lack = Table("x", "y.json", "entries", "grid | {grid}", may_lack=True)
    assert may_lack.lines(tmp_path) == NOT_YET


def test_a_table_of_several_reports_has_a_part_for_each(lines, tmp_path):
    lines("grid | {grid}")
    source = [{"entries": ENTRIES[:1], "n": 1}, {"entries": [], "n": 2}, {"entries": ENTRIES[1:2]}]
    table = Table("x", lambda _: source, "entries", "grid | {grid}", above=lambda _: "Next:")
    part = ["Next:", "", "| grid |", "|---:|"]
    assert table.lines(tmp_path) == [*part, "| 8 |", "", *part, "| 4 |"]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("{a:.1f} s", "2.5 s"),
        ("{a:100*.0f} %", "250 %"),
        ("{a:1e-1*+.2f}", "+0.25"),
        ("{of[x][1]}", "4"),
        ("{time:spread}", "30 (28 to 33)"),
        ("{time:spread 2}", "30.00 (28.00 to 33.00)"),
        ("{sizes:list}", "2, 3"),
        ("{sizes:list  x }", "2 x 3"),
        ("{bytes:size} and {a:size}", "2 KiB and 2.5 B"),
        ("{a:ms}", "2500"),
        ("{short:ms}", "2.5"),
        ("{flag:either on / off}", "off"),
        ("{bytes:many # bytes / one}, {one:many # runs / one run}", "2048 bytes, one run"),
        ("{a/slope:.0f} and {a/of[x][1]:100*.1f}", "625 and 62.5"),
        ("{a/nothing:.0f} or", ""),
        ("{shares:share mesh + pairs + none}", "75.0 %"),
        ("{mean:±.1f}", "1.0"),
        ("{slope:1e3*.0f}", "4"),
        ("{nothing} or {a:.2f}", "2.50"),
        ("{nothing} or {null} or", ""),
        ("{null} or 1 Da", "1 Da"),
        ("{cpu:machine}", "A CPU (family 6, model 2)"),
        ("{none:machine}", "a machine that the result does not name"),
    ],
)
def test_templates(cell, text):
    entry = {
        "a": 2.5,
        "of": {"x": [3, 4]},
        "time": {"median": 30, "range": [28, 33]},
        "sizes": [2, 3],
        "bytes": 2048,
        "one": 1,
        "short": 0.0025,
        "flag": False,
        "shares": {"mesh": 0.25, "pairs": 0.5},
        "null": None,
        "mean": 1.0,
        "slope": 0.004,
        "cpu": {"cpu": "A CPU", "cpu_family": "6", "cpu_model": "2"},
        "none": {},
    }
    assert column(f"heading | {cell}").text([entry]) == text
    assert column(f"heading | {cell}").right


def test_an_error_stands_beside_its_figure():
    entry = {"drift": 2.4e-6, "drift_error": 1e-7}
    assert column("drift | {drift:±1e6*.1f}").text([entry]) == "2.4 ± 0.1"


def test_a_key_that_an_entry_lacks_is_an_error():
    with pytest.raises(KeyError, match="density"):
        first_of("{density:.1f}", {"pressure": 1.0})
