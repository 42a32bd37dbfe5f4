# SPDX-License-Identifier: BSD-3-Clause
"""What the transforms need of the compiled engine, and the types of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from finegrain.engine.engine import load_engine
from finegrain.errors import InputError
from finegrain.words.report import as_finegrain_error

NORMS = ("backward", "ortho", "forward")


def call(name: str, *arguments: Any) -> Any:
    """Call a function of the engine; its errors become those of finegrain."""
    try:
        return getattr(load_engine(), name)(*arguments)
    except Exception as error:
        raise as_finegrain_error(error) from error


def single(dtype: DTypeLike) -> bool:
    """Return whether numbers of this type are transformed in single precision, as in scipy.fft."""
    kind = np.dtype(dtype).newbyteorder("=")
    return kind in (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.complex64))


def real_type(dtype: DTypeLike) -> type[np.floating[Any]]:
    """Return float32 or float64, in which numbers of this type are transformed."""
    kind = np.dtype(dtype)
    if kind.kind not in "biufc" or kind.itemsize > (16 if kind.kind == "c" else 8):
        raise InputError(
            "numbers of this type cannot be transformed",
            value=str(kind),
            limit="integers, and floating-point numbers of at most double precision",
            hint="convert the array first, for example with .astype(float)",
        )
    return np.float32 if single(kind) else np.float64


def complex_type(dtype: DTypeLike) -> type[np.complexfloating[Any, Any]]:
    """Return complex64 or complex128, in which numbers of this type are transformed."""
    return np.complex64 if real_type(dtype) is np.float32 else np.complex128


def scale(norm: str | None, points: int, *, forward: bool) -> float:
    """Return the factor of a transform: 1/N backward, or 1/sqrt(N) both ways, or 1/N forward."""
    if norm is None:
        norm = "backward"
    if norm not in NORMS:
        raise InputError(
            "unknown norm", value=repr(norm), limit=", ".join(NORMS), hint="leave it out for 1/N"
        )
    if norm == "ortho":
        return float(1 / np.sqrt(points))
    return 1 / points if (norm == "forward") == forward else 1.0
