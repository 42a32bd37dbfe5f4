# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of DHFR in water, repeated along the vectors of its cell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_mesh = 64  # points an axis of one copy
_system_and_forces = """\
[system]
kind = "classical"
topology = "{files}/JAC.prmtop"
coordinates = "{files}/JAC.inpcrd"
repeat = {repeat}

[forces]
cutoff = "9 Å"
electrostatics = "pme"
mesh = {mesh}
spline_order = 4

"""


def input_text(files: Path, copies: Sequence[int], rest: str) -> str:
    """Return an input for files in a folder; `rest` are the other sections."""
    mesh = [_mesh * count for count in copies]
    head = _system_and_forces.format(files=files.resolve(), repeat=list(copies), mesh=mesh)
    return head + rest
