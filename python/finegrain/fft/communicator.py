# SPDX-License-Identifier: BSD-3-Clause
"""One duplicate of a communicator for all transforms over it, since MPI has few communicators."""

from __future__ import annotations

import weakref
from functools import cache
from typing import Any

_TAGS = 32768  # MPI promises that many


class CommunicatorCopy:
    """A duplicate; every transform has its own tag.

    The communicator holds it as an attribute, and so does each transform. It is freed when all of
    them are gone, so the owner may free the communicator before the transforms.
    """

    def __init__(self, comm: Any) -> None:
        self.comm = comm.Dup()
        self.in_collective = False
        self._next_tag = 0
        # Not at exit: then mpi4py ends MPI, which frees all there is.
        weakref.finalize(self, _free, self.comm).atexit = False

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


def _free(duplicate: Any) -> None:
    """Free a duplicate, unless MPI is over; no process waits for another in this."""
    from mpi4py import MPI

    if not MPI.Is_finalized():
        duplicate.Free()


@cache
def _key() -> int:
    """Return the key of the attribute that is the duplicate."""
    from mpi4py import MPI

    # MPI drops its reference when the communicator is freed.
    return int(MPI.Comm.Create_keyval())
