# SPDX-License-Identifier: BSD-3-Clause
"""Lists of names and numbers as Slurm writes them."""

import pytest

from finegrain.machines.host_lists import MOST_NODES, ListError, counts, host_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu12", ["gpu12"]),
        ("nid[001-004,007],gpu12", ["nid001", "nid002", "nid003", "nid004", "nid007", "gpu12"]),
        ("a[9-11]", ["a9", "a10", "a11"]),
        ("a[098-101]", ["a098", "a099", "a100", "a101"]),
        # Several brackets: the last one is counted fastest.
        ("r[0-1]n[1,3]", ["r0n1", "r0n3", "r1n1", "r1n3"]),
        ("c[1-2]-ib.cluster , x-y_z", ["c1-ib.cluster", "c2-ib.cluster", "x-y_z"]),
    ],
)
def test_lists_of_hosts(text, names):
    assert host_names(text) == names


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("nid[001-004", "has a bracket without its other half"),
        ("nid001-004]", "has a bracket without its other half"),
        ("nid[[1-2]]", "has a bracket without its other half"),
        ("nid[4-1]", "has a range that ends before it begins"),
        ("nid[]", "has no number or range in its brackets"),
        ("nid[a-b]", "has no number or range in its brackets"),
        ("nid[1-2-3]", "has no number or range in its brackets"),
        ("a,,b", "has an empty name"),
        ("", "has an empty name"),
        ("a b", "is no name of a host"),
        ("a;rm", "is no name of a host"),
        ("nid١", "is no name of a host"),
        ("x" * 256, "is no name of a host"),
        ("a[0-99999999999]", "names too many hosts"),
        ("a[0-9999]b[0-9999]", "names too many hosts"),
    ],
)
def test_what_is_no_list_of_hosts(text, what):
    with pytest.raises(ListError) as caught:
        host_names(text)
    assert caught.value.what == what
    assert caught.value.hint


def test_as_many_hosts_as_a_machine_has_nodes_and_no_more():
    assert len(host_names(f"a[1-{MOST_NODES // 64}]")) == MOST_NODES // 64
    with pytest.raises(ListError):
        host_names(f"a[1-{MOST_NODES}],b")


def test_lists_of_numbers():
    assert counts("4(x3),2") == [4, 4, 4, 2]
    assert counts("16") == [16]
    assert counts("0(x2), 3") == [0, 0, 3]


@pytest.mark.parametrize("text", ["", "4(x0)", "4(3)", "4x3", "-1", "4,,2", "4(x3", "1.5", "٤"])
def test_what_is_no_list_of_numbers(text):
    with pytest.raises(ListError):
        counts(text)


def test_numbers_are_not_repeated_without_end():
    with pytest.raises(ListError) as caught:
        counts("1(x999999999)")
    assert caught.value.limit == f"at most {MOST_NODES:,}"
