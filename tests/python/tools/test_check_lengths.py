# SPDX-License-Identifier: BSD-3-Clause
"""Long files warn, very long ones fail."""

import pytest


@pytest.mark.parametrize(
    ("lines", "status", "said"),
    [(400, 0, ""), (401, 0, "warning"), (700, 0, "warning"), (701, 1, "the limit is 700")],
)
def test_the_limits_are_400_and_700(checkout, lines, status, said):
    checkout.write("engine/base/long.cpp", "int x;\n" * lines)
    done = checkout.run("check_lengths")
    assert done.returncode == status
    assert said in done.stderr
    assert bool(done.stderr) == bool(said)


def test_data_may_be_long(checkout):
    checkout.write("tests/reference/data/table.csv", "1\n" * 5000)
    assert checkout.run("check_lengths").returncode == 0
