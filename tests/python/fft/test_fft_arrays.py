# SPDX-License-Identifier: BSD-3-Clause
"""Transforms in one process: random cases against scipy.fft, and what is refused."""

from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings, strategies as st

import finegrain as fg
from finegrain import fft

TYPES = (np.float32, np.float64, np.complex64, np.complex128)
COMPLEX = ("<c8", ">c8", "<c16", ">c16")
NORMS = (None, "backward", "ortho", "forward")


@st.composite
def cases(draw: Any) -> tuple[np.ndarray, tuple[int, ...] | None, list[int] | None, str | None]:
    """Draw an array in any order of memory, axes, lengths, and a norm."""
    shape = tuple(draw(st.lists(st.integers(1, 40), min_size=1, max_size=3)))
    kind = np.dtype(draw(st.sampled_from(TYPES)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = rng.standard_normal(shape)
    if kind.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    values = values.astype(kind, order=draw(st.sampled_from("CF")))
    axes = draw(st.permutations(range(len(shape))))[: draw(st.integers(1, len(shape)))]
    lengths = None
    if draw(st.booleans()):
        lengths = tuple(draw(st.integers(1, 45)) for _ in axes)
    return values, lengths, axes, draw(st.sampled_from(NORMS))


def assert_close(got: np.ndarray, expected: np.ndarray, points: int) -> None:
    """Both have an error of at most 2 eps log2 N in the norm."""
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    eps = np.finfo(got.dtype).eps
    limit = 4 * eps * max(1.0, np.log2(points)) * np.linalg.norm(expected)
    assert np.linalg.norm(got - expected) <= limit


@settings(max_examples=500, deadline=None)
@given(cases())
def test_complex_transforms_are_those_of_scipy(case: Any) -> None:
    values, lengths, axes, norm = case
    points = int(np.prod(lengths or [values.shape[a] for a in axes]))
    for ours, theirs in ((fft.fftn, scipy.fft.fftn), (fft.ifftn, scipy.fft.ifftn)):
        before = values.copy()
        assert_close(ours(values, lengths, axes, norm), theirs(values, lengths, axes, norm), points)
        assert np.array_equal(values, before)


@settings(max_examples=500, deadline=None)
@given(cases())
def test_real_transforms_are_those_of_scipy(case: Any) -> None:
    values, lengths, axes, norm = case
    values = values.real
    sizes = lengths or [values.shape[a] for a in axes]
    waves = fft.rfftn(values, lengths, axes, norm)
    assert_close(waves, scipy.fft.rfftn(values, lengths, axes, norm=norm), int(np.prod(sizes)))
    # scipy ignores the same imaginary parts only along the last axis: compare on its own waves.
    theirs = scipy.fft.rfftn(values, lengths, axes, norm=norm)
    assert_close(
        fft.irfftn(theirs, sizes, axes, norm),
        scipy.fft.irfftn(theirs, sizes, axes, norm=norm),
        int(np.prod(sizes)),
    )


@pytest.mark.parametrize("n", [1, 2, 3, 16, 30, 97, 128, 331])
def test_shift_theorem_parseval_and_symmetry(n: int) -> None:
    x = np.random.default_rng(n).standard_normal(n)
    waves = fft.fft(x)
    turned = waves * np.exp(-2j * np.pi * 3 * np.arange(n) / n)
    assert np.allclose(fft.fft(np.roll(x, 3)), turned, rtol=0, atol=1e-13 * n)
    assert np.isclose(np.vdot(waves, waves).real / n, np.dot(x, x), rtol=1e-14)
    half = fft.rfft(x)
    assert half[0].imag == 0
    if n % 2 == 0:
        assert half[-1].imag == 0
    assert np.allclose(half, waves[: n // 2 + 1], rtol=0, atol=1e-13 * n)


def test_a_line_has_the_same_bits_with_any_neighbours() -> None:
    rng = np.random.default_rng(5)
    for n in (12, 35, 64, 74, 97):
        lines = rng.standard_normal((37, n)) + 1j * rng.standard_normal((37, n))
        together = fft.fft(lines)
        across = fft.fft(np.asfortranarray(lines.T), axis=0).T
        for k in (0, 5, 36):
            assert np.array_equal(fft.fft(lines[k]), together[k])
            assert np.array_equal(across[k], together[k])
        assert np.array_equal(fft.rfft(lines.real)[5], fft.rfft(lines[5].real))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fft.fft(np.ones(4), axis=1), "no such axis"),
        (lambda: fft.fft(np.ones(4), n=0), "at least one point"),
        (lambda: fft.fft(np.ones(0)), "at least one point"),
        (lambda: fft.fft(3.0), "no such axis"),
        (lambda: fft.fftn(np.ones((4, 4)), axes=(0, 0)), "named twice"),
        (lambda: fft.fftn(np.ones((4, 4)), s=(4,), axes=(0, 1)), "as many lengths as axes"),
        (lambda: fft.rfftn(np.ones((4, 4)), axes=()), "no axis"),
        (lambda: fft.irfftn(np.ones((4, 4)), axes=()), "no axis"),
        (lambda: fft.fftn(np.ones(4), s=(4, 4)), "more lengths than the array has axes"),
        (lambda: fft.fft(np.ones(4), n=-1), "at least one point"),
        (lambda: fft.fft(np.ones(4), n=2**31), "too long"),
        (lambda: fft.fft(np.ones(4), n=2**70), "too long"),
        (lambda: fft.fft(np.ones(4), norm="backwards"), "unknown norm"),
        (lambda: fft.rfft(np.ones(4, complex)), "complex"),
        (lambda: fft.fft(np.array(["a", "b"])), "cannot be transformed"),
        (lambda: fft.fft(np.ones(4, np.longdouble)), "cannot be transformed"),
    ],
)
def test_what_makes_no_sense_is_refused(call: Any, message: str) -> None:
    with pytest.raises(fg.InputError, match=message):
        call()


def test_an_array_without_lines_gives_one() -> None:
    assert fft.fft(np.ones((0, 4))).shape == (0, 4)
    assert fft.rfft(np.ones((0, 4))).shape == (0, 3)
    assert fft.irfft(np.ones((0, 3)), 4).shape == (0, 4)


@pytest.mark.parametrize("value", [2.5, 2.0, "3", "n", (2.0,), np.float64(2), np.array([2.5]), {}])
@pytest.mark.parametrize("name", ["n", "axis", "s", "axes"])
def test_lengths_and_axes_are_whole_numbers(name: str, value: Any) -> None:
    """Nothing is rounded or read from text, as in scipy."""
    several = name in ("s", "axes")
    for call in (fft.fftn, fft.rfftn, fft.irfftn) if several else (fft.fft, fft.rfft, fft.irfft):
        if isinstance(value, dict) and several:
            continue  # a list without numbers
        with pytest.raises(fg.InputError, match="whole numbers"):
            call(np.ones((4, 4)), **{name: value})


@pytest.mark.parametrize("value", [3, np.int32(3), np.uint8(3), np.array(3)])
def test_whole_numbers_of_any_type_are_lengths(value: Any) -> None:
    x = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(fft.fft(x, value), fft.fft(x, 3))
    assert np.array_equal(fft.fftn(x, value), fft.fftn(x, (3,)))


def test_lengths_of_minus_one_and_no_axes_are_those_of_scipy() -> None:
    x = np.random.default_rng(1).standard_normal((5, 6))
    for name in ("fftn", "ifftn", "rfftn", "irfftn"):
        got, expected = (getattr(m, name)(x, (-1, 4)) for m in (fft, scipy.fft))
        assert_close(got, expected, 30)
        got, expected = (getattr(m, name)(x, (4, -1)) for m in (fft, scipy.fft))
        assert_close(got, expected, 30)
    # scipy returns the array itself; here the result is complex as always.
    assert_close(fft.fftn(x, axes=()), x.astype(complex), 1)
    assert_close(fft.fftn(2.0), np.array(2.0 + 0j), 1)


@pytest.mark.parametrize(
    "kind",
    [
        "?",
        "i1",
        "u2",
        ">i4",
        "<i8",
        "u8",
        "<f2",
        ">f2",
        "<f4",
        ">f4",
        "<f8",
        ">f8",
        "<c8",
        ">c8",
        "<c16",
        ">c16",
    ],
)
def test_numbers_of_any_type_have_the_precision_of_scipy(kind: str) -> None:
    """Also where the processor has the other order of bytes."""
    x = (np.arange(60).reshape(3, 4, 5) % 7).astype(kind)
    names = ["fftn", "ifftn", "irfftn"] + ([] if "c" in kind else ["rfftn"])
    # scipy 1.17 cannot read half precision in the other order.
    same = x.astype("<f2") if kind == ">f2" else x
    for name in names:
        assert_close(getattr(fft, name)(x), getattr(scipy.fft, name)(same), 60)


@pytest.mark.parametrize("kind", ["O", "S1", "U1", "M8[s]", "g", "G", "V4"])
def test_numbers_of_other_types_are_refused(kind: str) -> None:
    for call in (fft.fft, fft.rfft, fft.irfft):
        with pytest.raises(fg.InputError, match=r"cannot be transformed|complex"):
            call(np.zeros(4, kind))


def test_arrays_of_any_layout_are_read() -> None:
    """Negative and odd strides, copies of one number, read-only memory, and unaligned numbers."""
    x = np.random.default_rng(3).standard_normal((6, 8))
    raw = np.zeros(x.nbytes + 1, np.uint8)
    unaligned = raw[1:].view(np.float64).reshape(x.shape)
    unaligned[...] = x
    fixed = x.copy()
    fixed.flags.writeable = False
    for values in (
        x[::-1, ::-2],
        x.T,
        x[1::2, 1::3],
        np.broadcast_to(x[0], (4, 8)),
        unaligned,
        fixed,
    ):
        for name in ("fftn", "rfftn", "irfftn"):
            expected = getattr(fft, name)(np.array(values, order="C"))
            assert np.array_equal(getattr(fft, name)(values), expected)


def test_a_number_that_is_none_spoils_its_own_line_only() -> None:
    x = np.ones((3, 97))
    x[1, 5] = np.nan
    waves = fft.fft(x)
    assert np.isnan(waves[1]).all()
    assert np.array_equal(waves[[0, 2]], fft.fft(x[[0, 2]]))
