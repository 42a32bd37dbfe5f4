# SPDX-License-Identifier: BSD-3-Clause
"""``bench fft``: times of transforms, and advice."""

from __future__ import annotations

from typing import Any

from finegrain import transform_bench
from finegrain.base.arguments import checked_count, checked_ranks
from finegrain.engine.mpi import checked_mpi
from finegrain.errors import InputError
from finegrain.fft import advice
from finegrain.terminal.commands.bench_options import BenchOptions

_MOST_FIELDS = 4096


def _checked(asked: BenchOptions) -> list[tuple[int, int, int]]:
    """Return the grids; complain about what makes no sense."""
    checked_ranks(asked.ranks)
    checked_mpi(asked.mpi)
    checked_count(asked.repeats, "--repeats", "rounds", 1)
    checked_count(asked.batch, "--batch", "fields", 1)
    if asked.batch > _MOST_FIELDS:
        raise InputError(
            "too many fields", where="--batch", value=str(asked.batch), limit=str(_MOST_FIELDS)
        )
    words = asked.grid or transform_bench.USUAL_GRIDS
    return [transform_bench.parsed_grid(word) for word in words]


def time(asked: BenchOptions) -> tuple[dict[str, Any], str]:
    """Time transforms; return the report and its text."""
    report = transform_bench.time_transforms(
        _checked(asked),
        real=asked.real,
        single=asked.single,
        batch=asked.batch,
        ranks=asked.ranks,
        mpi=asked.mpi,
        repeats=asked.repeats,
    )
    return report, transform_bench.report_text(report)


def advise(asked: BenchOptions) -> tuple[dict[str, Any], str]:
    """Say how many processes help; return the report and its text."""
    grids = _checked(asked)
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
