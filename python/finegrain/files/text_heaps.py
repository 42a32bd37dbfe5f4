# SPDX-License-Identifier: BSD-3-Clause
"""The texts of an HDF5 file, which are looked at before the library follows them.

HDF5 keeps texts of variable length in global heaps, and trusts their sizes. A damaged size makes it
read beyond its memory, or walk for ever. The engine's side is engine/records/hdf5/text_heaps.hpp,
which has the layout of a heap.
"""

from __future__ import annotations

import struct
from pathlib import Path

from finegrain.errors import InputError
from finegrain.files.plain import opened_plain

_SIGNATURE = b"GCOL\1"  # and three bytes that nobody reads
_HEADER = 16  # bytes, of a heap and of an object in it
_SMALLEST = 4096
_LOOKED_AT = 64 << 20


def refuse_damaged_texts(path: str | Path) -> None:
    """Complain about the first damaged heap in the first 64 MiB of a file.

    Virtual tables keep the names of other files in such a heap, among numbers, so they are refused.
    HDF5 makes heaps together with the first texts, which all files of finegrain have before their
    tables.

    Raises
    ------
    InputError
        If the sizes of texts do not fit into each other.
    """
    with opened_plain(path) as file:
        start = file.read(_LOOKED_AT)
        whole = not file.read(1)
    refuse_damaged_texts_in(start, path, whole=whole)


def refuse_damaged_texts_in(contents: bytes, path: str | Path, *, whole: bool = True) -> None:
    """Do the same with the bytes of a file, or with its first ones if these are not the whole."""
    at = first_damaged(contents, whole=whole)
    if at is not None:
        raise InputError(
            "the file is damaged, or leads to other files, which finegrain never reads",
            where=str(path),
            value=f"the texts at byte {at:,}",
            hint="copy the file again from its origin, or make it again",
        )


def first_damaged(contents: bytes, *, whole: bool = True) -> int | None:
    """Return where the first damaged heap begins; None if all are sound.

    A heap that ends beyond these bytes counts as damaged if they are the whole file.
    """
    at = contents.find(_SIGNATURE)
    while at >= 0:
        header = contents[at : at + _HEADER]
        size = struct.unpack("<8xQ", header)[0] if len(header) == _HEADER else 0
        heap = contents[at + _HEADER : at + size]
        cut = len(header) < _HEADER or len(heap) < size - _HEADER
        if cut and not whole:
            return None
        if cut or size < _SMALLEST or not _is_sound(heap):
            return at
        at = contents.find(_SIGNATURE, at + 1)
    return None


def _is_sound(heap: bytes) -> bool:
    at = 0
    while len(heap) - at >= _HEADER:
        number, size = struct.unpack_from("<H6xQ", heap, at)
        if number == 0:  # the free space, which comes last
            return bool(size == len(heap) - at)
        text = heap[at + _HEADER : at + _HEADER + size]
        # No text has a zero in it: one comes from the bytes beyond a text that claims too many.
        if len(text) < size or 0 in text:
            return False
        at += _HEADER + (size + 7) // 8 * 8
    return at <= len(heap)
