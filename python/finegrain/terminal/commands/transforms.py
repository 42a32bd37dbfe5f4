# SPDX-License-Identifier: BSD-3-Clause
"""``bench fft``: times of transforms, and advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from finegrain import transform_bench
from finegrain.base.arguments import checked_count, checked_ranks
from finegrain.engine.mpi import checked_mpi
from finegrain.errors import InputError
from finegrain.fft import advice

_MOST_FIELDS = 4096


@dataclass
class Asked:
    """The options of the command."""

    grids: Sequence[str]
    real: bool
    single: bool
    batch: int
    ranks: int
    mpi: str
    repeats: int

    def checked(self) -> list[tuple[int, int, int]]:
        """Return the grids; complain about what makes no sense."""
        checked_ranks(self.ranks)
        checked_mpi(self.mpi)
        checked_count(self.repeats, "--repeats", "rounds", 1)
        checked_count(self.batch, "--batch", "fields", 1)
        if self.batch > _MOST_FIELDS:
            raise InputError(
                "too many fields", where="--batch", value=str(self.batch), limit=str(_MOST_FIELDS)
            )
        words = self.grids or transform_bench.USUAL_GRIDS
        return [transform_bench.parsed_grid(word) for word in words]


def time(asked: Asked) -> tuple[dict[str, Any], str]:
    """Time transforms; return the report and its text."""
    report = transform_bench.time_transforms(
        asked.checked(),
        real=asked.real,
        single=asked.single,
        batch=asked.batch,
        ranks=asked.ranks,
        mpi=asked.mpi,
        repeats=asked.repeats,
    )
    return report, transform_bench.report_text(report)


def advise(asked: Asked) -> tuple[dict[str, Any], str]:
    """Say how many processes help; return the report and its text."""
    grids = asked.checked()
    figures = advice.measured_machine(mpi=asked.mpi)
    all_ = [
        advice.advise(
            grid,
            asked.ranks if asked.ranks > 1 else None,
            real=asked.real,
            single=asked.single,
            batch=asked.batch,
            machine=figures,
        )
        for grid in grids
    ]
    report = {"benchmark": "fft advice", "advice": [one.as_dict() for one in all_]}
    return report, "\n".join(str(one) for one in all_)
