# SPDX-License-Identifier: BSD-3-Clause
"""The note for a run that has more PEs than its job has work for."""

from __future__ import annotations

from collections.abc import Sequence


def note_of_pes(enough: int, pes: int, section: str, fixed: Sequence[str]) -> str:
    """Return what to change in an input so that all PEs have work.

    Parameters
    ----------
    enough : int
        The number of PEs for which the job is divided.
    pes : int
        The number of PEs on which it runs.
    section : str
        The table of the input that divides it.
    fixed : sequence of str
        Keys of this table in the input that stand before `pes`.
    """
    change = f"set pes = {pes} in [{section}]"
    if fixed:
        change = f"take {' and '.join(fixed)} out of [{section}], and {change}"
    places = f"{enough} PEs" if enough > 1 else "one PE"
    return (
        f"the job is divided for {places} and runs on {pes}, of which some will be idle: "
        f"{change}, and start a new run (another division gives other bits)"
    )
