# SPDX-License-Identifier: BSD-3-Clause
"""The seal after the end of an HDF5 file, which lets the engine detect damage.

HDF5 ignores what comes after its own end, and drops it when it changes the file. So the seal is
written last. The engine's side, with the format, is engine/records/files/seal.hpp.
"""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import BinaryIO

from finegrain.files.plain import opened_plain, plain_bytes

_MARK = b"finegrain-sha256:"
_SIZE = len(_MARK) + 64
_AT_ONCE = 1 << 20  # bytes in memory


def seal(path: str | Path) -> None:
    """Append a seal to a closed file, in place of an older one."""
    file = Path(path)
    file.write_bytes(sealed(plain_bytes(file)))


def sealed(contents: bytes) -> bytes:
    """Return the contents of a file with a seal appended, in place of an older one."""
    if contents[-_SIZE:].startswith(_MARK):
        contents = contents[:-_SIZE]
    digest = hashlib.sha256(contents).hexdigest().encode()
    return contents + _MARK + digest


def is_damaged(path: str | Path) -> bool:
    """Return whether the file has a wrong seal; a file without a seal may be whole."""
    with opened_plain(path) as file:
        return _has_wrong_seal(file)


def are_damaged(contents: bytes) -> bool:
    """Return the same of the bytes of a file."""
    return _has_wrong_seal(io.BytesIO(contents))


def is_whole(path: str | Path) -> bool:
    """Return whether the file has a seal that fits its contents."""
    with opened_plain(path) as file:
        return _has_mark(file) and _fits(file)


def _has_wrong_seal(file: BinaryIO) -> bool:
    return _has_mark(file) and not _fits(file)


def _has_mark(file: BinaryIO) -> bool:
    """Return whether the file ends like one with a seal; nothing else of it is read."""
    file.seek(_begin_of_seal(file))
    return file.read(_SIZE).startswith(_MARK)


def _fits(file: BinaryIO) -> bool:
    left, digest = _begin_of_seal(file), hashlib.sha256()
    file.seek(0)
    while left > 0 and (part := file.read(min(left, _AT_ONCE))):
        digest.update(part)
        left -= len(part)
    return left == 0 and file.read() == _MARK + digest.hexdigest().encode()


def _begin_of_seal(file: BinaryIO) -> int:
    return max(file.seek(0, os.SEEK_END) - _SIZE, 0)
