# SPDX-License-Identifier: BSD-3-Clause
"""The seal after the end of an HDF5 file, which lets the engine detect damage.

HDF5 ignores what comes after its own end, and drops it when it changes the file: seal last. The
engine's side, with the format, is engine/records/seal.hpp.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from finegrain.plain_file import plain_bytes

_MARK = b"finegrain-sha256:"
_SIZE = len(_MARK) + 64


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
    return plain_bytes(path)[-_SIZE:].startswith(_MARK) and not is_whole(path)


def is_whole(path: str | Path) -> bool:
    """Return whether the file has a seal that fits its contents."""
    bytes_ = plain_bytes(path)
    contents, tail = bytes_[:-_SIZE], bytes_[-_SIZE:]
    return tail == _MARK + hashlib.sha256(contents).hexdigest().encode()
