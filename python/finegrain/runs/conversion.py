# SPDX-License-Identifier: BSD-3-Clause
"""What `finegrain.convert` is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError, Problem


@dataclass(frozen=True)
class ConversionOptions:
    """The options of `finegrain.convert`, where they are described."""

    to: str
    out: PathOrObject | None
    frame: int | None
    unwrap: bool
    wrap: bool
    orbital: str | int | None
    overwrite: bool
    first: int | None = None
    last: int | None = None
    stride: int | None = None
    select: str | None = None
    center: str | None = None
    fit: str | None = None

    def target(self, usual: Path) -> Path:
        """Return the new file; `usual` is where it goes if nothing else is asked for."""
        return usual if self.out is None else as_path(self.out)

    def refuse(self, names: Iterable[str], what: str, hint: str = "leave it out") -> None:
        """Complain about those of these options that are given."""
        problems = [
            Problem(what, where=f"--{name}", value=str(value), hint=hint)
            for name in names
            if (value := getattr(self, name)) is not None
        ]
        if problems:
            raise InputError(problems)

    @property
    def replaces(self) -> bool:
        """Whether the new file may replace an earlier one."""
        return self.overwrite or self.out is None
