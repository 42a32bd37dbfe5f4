# SPDX-License-Identifier: BSD-3-Clause
"""The seal after the end of an HDF5 file, which lets the engine detect damage.

HDF5 ignores what comes after its own end, and drops it when it changes the file: seal last. The
engine's side, with the format, is engine/records/seal.hpp.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from finegrain.plain_file import opened_plain, plain_bytes

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
    return _has_mark(path) and not is_whole(path)


def is_whole(path: str | Path) -> bool:
    """Return whether the file has a seal that fits its contents."""
    if not _has_mark(path):
        return False
    with opened_plain(path) as file:
        left = os.fstat(file.fileno()).st_size - _SIZE
        digest = hashlib.sha256()
        while left > 0 and (part := file.read(min(left, _AT_ONCE))):
            digest.update(part)
            left -= len(part)
        return left == 0 and file.read() == _MARK + digest.hexdigest().encode()


def _has_mark(path: str | Path) -> bool:
    """Return whether the file ends like one with a seal; nothing else of it is read."""
    with opened_plain(path) as file:
        file.seek(max(os.fstat(file.fileno()).st_size - _SIZE, 0))
        return file.read(_SIZE).startswith(_MARK)
