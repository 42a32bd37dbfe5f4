# SPDX-License-Identifier: BSD-3-Clause
"""What `finegrain.convert` is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from finegrain.base.arguments import PathOrObject, as_path


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

    def target(self, usual: Path) -> Path:
        """Return the new file; `usual` is where it goes if nothing else is asked for."""
        return usual if self.out is None else as_path(self.out)

    @property
    def replaces(self) -> bool:
        """Whether the new file may replace an earlier one."""
        return self.overwrite or self.out is None
