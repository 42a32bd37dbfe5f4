# SPDX-License-Identifier: BSD-3-Clause
"""Python's search for cycles of objects, which takes long while many small objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_search() -> Iterator[None]:
    """Do not look for cycles meanwhile; also a decorator. Objects without cycles go as always."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
