# SPDX-License-Identifier: BSD-3-Clause
"""Files that are written whole or not at all, HDF5 among them.

HDF5 is put together in memory first. When the disk is full, it cannot close a file that it has
begun, and the interpreter crashes.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import h5py

from finegrain.errors import ResourceError
from finegrain.files.hdf5 import refuse_ways_out
from finegrain.files.plain import plain_bytes
from finegrain.files.seal import sealed
from finegrain.files.text_heaps import refuse_damaged_texts_in

_HINTS = {
    errno.ENOSPC: "free some disk space or choose another --out",
    errno.EDQUOT: "free some of your quota or choose another --out",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f) or choose another --out",
    errno.EACCES: "check the permissions or choose another --out",
    errno.EPERM: "check the permissions or choose another --out",
    errno.EROFS: "choose another --out",
}


def disk_hint(error: OSError) -> str:
    """Return what a user can do about a failure to write; empty where that is not known."""
    return _HINTS.get(error.errno or 0, "")


def replace_file(path: str | Path, contents: bytes) -> None:
    """Put `contents` in the place of a file once they are on the disk.

    Raises
    ------
    ResourceError
        If they cannot be written; what was there stays as it was.
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(contents)
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        what = f"cannot be written: {(error.strerror or str(error)).lower()}"
        raise ResourceError(what, where=str(target), hint=disk_hint(error)) from error


@contextlib.contextmanager
def changed_sealed_hdf5(path: str | Path) -> Iterator[h5py.File]:
    """Yield an HDF5 file to change; the changes take effect, sealed, when the block ends well."""
    contents = plain_bytes(path)
    refuse_damaged_texts_in(contents, path)
    image = io.BytesIO(contents)  # HDF5 itself would ask for the right to write
    with h5py.File(image, "r+") as file:
        refuse_ways_out(file, path)
        yield file
    replace_file(path, sealed(image.getvalue()))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
