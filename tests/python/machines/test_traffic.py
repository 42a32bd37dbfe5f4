# SPDX-License-Identifier: BSD-3-Clause
"""Communication matrices from files and from traces."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from machine_texts import problems_of, written

from finegrain.machines import Traffic, read_matrix, traffic_of_trace
from finegrain.tracing import read_trace

PLAIN = """\
# from to bytes messages
0 1 1000 2
1 0 500 1
0 1 24 1   # a second time: added up
2 2 99 1   # to itself: left out
3 0 1.5e3
"""


def as_lists(traffic: Traffic) -> list[tuple[float, ...]]:
    """Return sender, receiver, bytes and messages of each pair."""
    columns = traffic.sender, traffic.receiver, traffic.bytes, traffic.messages
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_plain_text(tmp_path):
    traffic = read_matrix(written(tmp_path, PLAIN))
    assert traffic.ranks == 4
    assert as_lists(traffic) == [(0, 1, 1024, 3), (1, 0, 500, 1), (3, 0, 1500, 1)]
    assert read_matrix(written(tmp_path, PLAIN), 9).ranks == 9


def test_the_matrix_market(tmp_path):
    text = "%%MatrixMarket matrix coordinate real general\n% made\n3 3 2\n1 2 7.5\n3 1 1e3\n"
    traffic = read_matrix(written(tmp_path, text, "m.mtx"))
    assert traffic.ranks == 3
    assert as_lists(traffic) == [(0, 1, 7.5, 1), (2, 0, 1000, 1)]


def test_half_of_a_symmetric_matrix_stands_for_both_directions(tmp_path):
    text = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 8\n3 3 5\n"
    traffic = read_matrix(written(tmp_path, text, "m.mtx"))
    assert as_lists(traffic) == [(0, 1, 8, 1), (1, 0, 8, 1)]


def test_what_scipy_writes_is_read(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    from scipy.io import mmwrite

    full = np.random.default_rng(7).integers(0, 3, (6, 6)) * 1000
    np.fill_diagonal(full, 0)
    text = io.BytesIO()
    mmwrite(text, sparse.coo_matrix(full), symmetry="general")
    traffic = read_matrix(written(tmp_path, text.getvalue().decode(), "m.mtx"))
    found = np.zeros((6, 6))
    found[traffic.sender, traffic.receiver] = traffic.bytes
    assert np.array_equal(found, full)


MARKET = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "has no line of traffic"),
        ("# nothing\n", None, "has no line of traffic"),
        ("0 1\n", 1, "has 2 words"),
        ("0 1 2 3 4\n", 1, "has 5 words"),
        ("0 1 5\n0 x 5\n", 2, "is no rank"),
        ("0 -1 5\n", 1, "is no rank"),
        ("0 1.0 5\n", 1, "is no rank"),
        ("0 99999999 5\n", 1, "is no rank of this matrix"),
        ("0 1 -5\n", 1, "is no number of bytes"),
        ("0 1 nan\n", 1, "is no number of bytes"),
        ("0 1 1e999\n", 1, "is no number of bytes"),
        ("0 1 1_0\n", 1, "is no number of bytes"),
        ("0 1 5 many\n", 1, "is no number of messages"),
        ("%%MatrixMarket matrix array real general\n", 1, "is a matrix in array format"),
        (MARKET.replace("real", "complex"), 1, "has entries that are complex, not bytes"),
        (MARKET.replace("real", "pattern"), 1, "has entries that are pattern, not bytes"),
        (MARKET.replace("general", "hermitian"), 1, "is a hermitian matrix"),
        ("%%MatrixMarket vector\n", 1, "is no heading of a matrix"),
        (MARKET, None, "has no line of sizes"),
        (MARKET + "3 3\n", 2, "is no line of sizes"),
        (MARKET + "3 4 1\n1 1 1\n", 2, "is no matrix between ranks"),
        (MARKET + "0 0 0\n", 2, "is no matrix between ranks"),
        (MARKET + "9 9 999999999\n", 2, "has too many entries"),
        (MARKET + "3 3 2\n1 2 5\n", 3, "ends 1 entries too early"),
        (MARKET + "3 3 1\n1 2 5\n2 1 5\n", 4, "is an entry too many"),
        (MARKET + "3 3 1\n1 4 5\n", 3, "is no rank of this matrix"),
        (MARKET + "3 3 1\n0 1 5\n", 3, "is no rank of this matrix"),
        (MARKET + "3 3 1\n1 2\n", 3, "has 2 words"),
    ],
)
def test_wrong_matrices_are_refused_with_their_line(tmp_path, text, line, what):
    found = problems_of(read_matrix, written(tmp_path, text, "m"))[0]
    assert found.where == ("m" if line is None else f"m:{line}")
    assert found.what == what
    assert found.hint


def test_all_wrong_lines_are_named_up_to_twenty(tmp_path):
    found = problems_of(read_matrix, written(tmp_path, "0 1 5\n0 1 x\n1 0 y\n", "m"))
    assert [one.where for one in found] == ["m:2", "m:3"]
    assert len(problems_of(read_matrix, written(tmp_path, "x\n" * 99, "m"))) == 20


def test_a_matrix_of_more_ranks_than_the_job_has(tmp_path):
    (found,) = problems_of(read_matrix, written(tmp_path, PLAIN, "m"), 3)
    assert (found.what, found.limit) == ("is of 4 ranks", "3")


def test_other_files_are_no_matrices(tmp_path):
    (tmp_path / "b").write_bytes(b"\xff\xfe")
    assert problems_of(read_matrix, tmp_path / "b")[0].what == "is not UTF-8 text"
    assert problems_of(read_matrix, tmp_path)[0].what == "is a folder, not a plain file"
    assert problems_of(read_matrix, tmp_path / "none")[0].what.startswith("cannot be read")


def test_the_messages_of_a_trace(tmp_path):
    sys.path.append(str(Path(__file__).parents[1] / "tracing"))
    from trace_files import entry, write_trace

    # PE 0 gets 100 + 20 bytes from PE 1 and a message from itself; PE 1 gets 7 bytes from PE 2.
    first = [
        [
            entry(10, 2, sent=(1, 5), size=100),
            entry(20, 2, sent=(1, 6), size=20),
            entry(30, 2, sent=(0, 7), size=64),
            entry(40, 2, size=64),  # nobody is known to have sent it
        ],
        [entry(10, 2, sent=(2, 3), size=7)],
    ]
    write_trace(tmp_path, first, end=100)
    write_trace(tmp_path, [[]], end=100, process=1, first_pe=2)
    trace = read_trace(tmp_path)
    assert as_lists(traffic_of_trace(trace)) == [(1, 0, 120, 2), (2, 1, 7, 1)]
    between = traffic_of_trace(trace, processes=True)
    assert between.ranks == 2
    assert as_lists(between) == [(1, 0, 7, 1)]
