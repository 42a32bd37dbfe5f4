# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of bonded terms are the same in Python and in the engine."""

from finegrain import _engine
from finegrain.classical.system.terms import kinds


def test_python_and_the_engine_know_the_same_terms() -> None:
    known = [
        (
            kind.table,
            kind.atoms,
            [(c.name, c.whole, c.low, c.high) for c in kind.columns],
            (kind.shared.table, list(kind.shared.arrays.items())) if kind.shared else ("", []),
        )
        for kind in kinds
    ]
    assert known == _engine.bonded_terms()
