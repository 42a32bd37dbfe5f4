# SPDX-License-Identifier: BSD-3-Clause
"""The settings of a transform, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import DTypeLike

from finegrain.base.arguments import one_of
from finegrain.errors import InputError
from finegrain.fft import engine
from finegrain.fft.boxes import Box, as_box, whole_numbers, yes_or_no
from finegrain.fft.distributed import require_batch
from finegrain.fft.exchange_choice import TRAVELS

WIRES = ("exact", "float")


class Common(NamedTuple):
    """What all processes have in common."""

    grid: tuple[int, int, int]
    real: bool
    parts: tuple[int, int] | None
    single: bool
    batch: int | None
    norm: str | None
    travel: str
    wire: str

    def text(self) -> str:
        """Return what decides how long a transform takes, in words."""
        x, y, z = self.grid
        kind, precision = "real" if self.real else "complex", "float" if self.single else "double"
        words = f"{x} x {y} x {z} {kind} {precision}, batch {self.batch or 1}"
        if self.parts is not None:
            words += f", parts {self.parts[0]} x {self.parts[1]}"
        return words + (", float on the wire" if self.wire == "float" else "")


def checked_settings(
    grid: tuple[int, int, int],
    ranks: int,
    *,
    real: bool,
    points: Any,
    waves: Any,
    parts: Sequence[int] | None,
    dtype: DTypeLike,
    batch: int | None,
    norm: str | None,
    travel: str,
    wire: str,
) -> tuple[Common, Box | None, Box | None]:
    """Return what all processes have in common, and this one's boxes."""
    require_batch(batch)
    engine.scale(norm, 1, forward=True)
    counts = None if parts is None else tuple(whole_numbers("parts", parts))
    if counts is not None and (
        len(counts) != 2 or min(counts) < 1 or counts[0] * counts[1] != ranks
    ):
        raise InputError(
            "parts are two numbers whose product is the number of processes",
            value=str(counts),
            limit=str(ranks),
        )
    travels = (*TRAVELS, "measured")
    one_of(travel, travels, "travel", "parcels do not travel so", "messages are usual")
    one_of(wire, WIRES, "wire", "numbers do not travel so", "exact keeps all bits")
    engine.real_type(dtype)
    common = Common(
        grid,
        yes_or_no("real", real),
        None if counts is None else (counts[0], counts[1]),
        engine.single(dtype),
        batch,
        norm,
        travel,
        wire,
    )
    return (
        common,
        None if points is None else as_box(points),
        None if waves is None else as_box(waves),
    )
