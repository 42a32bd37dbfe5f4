# SPDX-License-Identifier: BSD-3-Clause
"""One duplicate of a communicator for all transforms over it, since MPI has few communicators."""

from __future__ import annotations

from functools import cache
from typing import Any

_TAGS = 32768  # MPI promises that many


class CommunicatorCopy:
    """A duplicate, freed with the original; every transform has its own tag."""

    def __init__(self, comm: Any) -> None:
        self.comm = comm.Dup()
        self.in_collective = False
        self._next_tag = 0

    def take_tag(self) -> int:
        """Return the next tag; the same on all processes, which call this in the same order."""
        tag = self._next_tag % _TAGS
        self._next_tag += 1
        return tag


def copy_of(comm: Any) -> CommunicatorCopy:
    """Return the duplicate of a communicator; all processes call this together."""
    key = _key()
    copy = comm.Get_attr(key)
    if not isinstance(copy, CommunicatorCopy):
        copy = CommunicatorCopy(comm)
        comm.Set_attr(key, copy)
    return copy


@cache
def _key() -> int:
    """Return the key of the attribute that is the duplicate."""
    from mpi4py import MPI

    def free(_comm: Any, _key: int, copy: CommunicatorCopy) -> None:
        copy.comm.Free()

    return int(MPI.Comm.Create_keyval(delete_fn=free))
