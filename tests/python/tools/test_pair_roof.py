# SPDX-License-Identifier: BSD-3-Clause
"""The bound of the pair kernel: operations of a compiled loop, counted as a core takes them."""

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "bench/micro/forces/pair"


@pytest.fixture
def roof(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("roof")


def code(*lines, start=0x100):
    """Return instructions as objdump prints them, four bytes each."""
    return [
        (start + 4 * number, *[*line.split(maxsplit=1), ""][:2])
        for number, line in enumerate(lines)
    ]


def test_moves_are_free_and_a_load_counts_beside_its_operation(roof):
    body = code(
        "vmovaps 0x40(%rsp),%zmm0",  # a load
        "vmovaps %zmm0,%zmm1",
        "vmovaps %zmm1,0x80(%rsp)",  # a store
        "vsubps 0xc0(%rsp),%zmm0,%zmm2",  # a load and an operation
        "vinsertf32x4 $0x1,(%rax),%zmm2,%zmm2",
        "vmulps %zmm2,%zmm2,%zmm3{%k1}{z}",
        "vfmadd231ps %zmm2,%zmm2,%zmm3",
        "vextractf128 $0x1,%ymm3,(%rax)",  # an operation and a store
        "prefetcht0 (%rdx)",
        "lea 0x4(%rdx),%rdx",
        "add $0x10,%rdx",
        "jb 100",
    )
    found = roof.operations(body)
    assert found == {"multiply": 2 / 4, "vector": 5 / 4, "load": 3 / 4, "instruction": 12 / 4}


def test_loops_without_masks_are_found_one_for_each_form(roof):
    """In the order of their multiplications; a loop that holds another is not taken for it."""
    text = []
    for products in (3, 0, 2, 1):  # compilers put forms in any order
        begin = 0x100 + 4 * len(text)
        text += ["vrsqrt14ps %zmm0,%zmm1"] * 4 + ["vmulps %zmm0,%zmm1,%zmm2"] * products
        text += [f"jb {begin:x}"]
        text += ["vptestmd %zmm0,%zmm1,%k1", "vrsqrt14ps %zmm0,%zmm1", f"jb {begin + 4:x}"]
    found = roof.loops(code(*text))
    assert [sum(name == "vmulps" for _, name, _ in body) for body in found] == [0, 1, 2, 3]
    assert all(body[-1][1] == "jb" for body in found)


def test_a_program_without_these_loops_is_an_error(roof):
    with pytest.raises(SystemExit, match="0 loops found instead of 4"):
        roof.loops(code("add $0x1,%rax", "jb 100"))
