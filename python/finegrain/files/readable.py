# SPDX-License-Identifier: BSD-3-Clause
"""Damage inside an HDF5 file, in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finegrain.errors import InputError


@contextmanager
def readable(path: Path, hint: str) -> Iterator[None]:
    """Turn what h5py and NumPy raise for a damaged file into an `InputError` with its path."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except (OSError, KeyError, RuntimeError) as error:  # in the words of HDF5
        raise InputError(
            "is damaged: part of it cannot be read",
            where=str(path),
            value=" ".join(str(error).split())[:120],
            hint=hint,
        ) from None
    except Exception:  # of Python and NumPy, which speak of types and not of the file
        what = "is damaged: part of it has another shape or type than it should"
        raise InputError(what, where=str(path), hint=hint) from None
