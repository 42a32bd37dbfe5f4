# SPDX-License-Identifier: BSD-3-Clause
"""The advisor's model against values worked out by hand, and what it says."""

import math

import pytest

import finegrain as fg
from finegrain.fft import MachineFigures, advise


def figures(**changed: float) -> MachineFigures:
    """A machine on which everything costs a round number."""
    values = {"message_s": 1e-7, "byte_s": 1e-9, "copy_byte_s": 0.0, "cores": 4, "point_s": 1e-9}
    return MachineFigures(**{**values, **changed})  # type: ignore[arg-type]


def test_the_terms_of_slabs_are_those_of_the_model() -> None:
    """512 points, 9 factors of two; each of 4 ranks sends 3/4 of its 128 points."""
    four = advise((8, 8, 8), 4, machine=figures()).divisions[-1]
    assert (four.name, four.exchanges, four.messages) == ("slabs 4 x 1", 1, 3)
    assert four.arithmetic_us == pytest.approx(512 * 9e-3 / 4, rel=1e-12)
    assert four.messages_us == pytest.approx(0.3, rel=1e-12)
    assert four.bytes_us == pytest.approx(96 * 16e-3, rel=1e-12)
    assert four.us == pytest.approx(1.152 + 0.3 + 1.536, rel=1e-12)


def test_batches_real_points_and_single_precision_change_bytes_but_no_messages() -> None:
    grid, machine = (8, 8, 8), figures(copy_byte_s=1e-9)
    one = advise(grid, 4, machine=machine).divisions[-1]
    batch = advise(grid, 4, batch=32, machine=machine).divisions[-1]
    real = advise(grid, 4, real=True, machine=machine).divisions[-1]
    single = advise(grid, 4, single=True, machine=machine).divisions[-1]
    assert batch.messages == one.messages == real.messages
    assert batch.bytes_us == pytest.approx(32 * one.bytes_us, rel=1e-12)
    assert real.bytes_us == pytest.approx(one.bytes_us * 5 / 8, rel=1e-12)  # waves 0 to 4 of 8
    assert single.bytes_us == pytest.approx(one.bytes_us / 2, rel=1e-12)
    # A byte is packed and unpacked besides.
    assert one.bytes_us == pytest.approx(3 * 96 * 16e-3, rel=1e-12)


def test_a_network_without_cost_makes_all_cores_help_and_no_more() -> None:
    free = figures(message_s=0.0, byte_s=0.0)
    advice = advise((16, 16, 16), 16, machine=free)
    assert advice.best.ranks == 4
    assert "use 4 processes" in str(advice)
    assert "4.0 times as fast as one" in str(advice)
    assert [one.ranks for one in advice.divisions] == [1, 2, 4, 8, 16]
    assert advice.divisions[-1].arithmetic_us == pytest.approx(advice.best.arithmetic_us)


def test_slow_messages_make_one_process_the_best() -> None:
    advice = advise((16, 16, 16), 4, machine=figures(message_s=1e-3))
    assert advice.best.ranks == 1
    assert "one process is best" in advice.reason
    assert "messages take" in advice.reason
    assert "times as long" in advice.reason


def test_squarer_pencils_win_where_messages_are_dear() -> None:
    """64 ranks: 63 messages in slabs, 2 x 7 in pencils."""
    advice = advise((64, 64, 64), 64, machine=figures(cores=64, message_s=1e-5, byte_s=1e-12))
    last = advice.divisions[-1]
    assert (last.parts, last.exchanges, last.messages) == ((8, 8), 2, 14)


@pytest.mark.parametrize("ranks", [3, 5, 7, 100])
def test_any_number_of_processes_has_an_answer(ranks: int) -> None:
    advice = advise((6, 10, 15), ranks, machine=figures())
    assert advice.divisions[-1].ranks == ranks
    assert math.prod(advice.divisions[-1].parts) == ranks
    assert advice.as_dict()["best"]["us"] == min(one.us for one in advice.divisions) or (
        advice.best.us <= min(one.us for one in advice.divisions) / 0.9
    )


def test_without_a_figure_for_arithmetic_the_grid_is_timed() -> None:
    small = advise((8, 8, 8), 1, machine=figures(point_s=None))
    assert small.best.arithmetic_us > 0
    assert small.reason.startswith("one process takes")
    assert advise((256, 256, 256), 1, machine=figures(point_s=None)).best.us > small.best.us


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"grid": (8, 8)}, "three numbers"),
        ({"grid": (8, 8, 0)}, "three numbers"),
        ({"ranks": 0}, "from 1 to 4096"),
        ({"ranks": 5000}, "from 1 to 4096"),
        ({"ranks": 2.5}, "from 1 to 4096"),
        ({"batch": 0}, "at least one field"),
    ],
)
def test_what_makes_no_sense_is_refused(words: dict, message: str) -> None:
    with pytest.raises(fg.InputError, match=message):
        advise(**{"grid": (8, 8, 8), "ranks": 2, "machine": figures(), **words})


@pytest.mark.parametrize("changed", [{"message_s": -1.0}, {"byte_s": math.nan}, {"cores": 0}])
def test_figures_without_sense_are_refused(changed: dict) -> None:
    with pytest.raises(fg.InputError, match="figures of a machine"):
        figures(**changed)
