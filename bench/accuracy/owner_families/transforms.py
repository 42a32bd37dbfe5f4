# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms against those of numpy in extended precision (80 bits).

Random numbers of both kinds and precisions, in one to three dimensions; the error is the largest
one of an element over the root mean square of the exact result.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain import fft
from owner_families.family import Compared, Family, MissingOwnerError, Term

SHAPES: dict[str, list[tuple[int, ...]]] = {
    "lengths of 2, 3, 5 and 7": [(1024,), (729,), (3125,), (2401,), (5040,), (65536,)],
    "lengths of 11 and 13": [(1331,), (2197,), (1716,)],
    "prime lengths": [(17,), (31,), (61,), (127,), (509,), (1009,)],
    "powers of primes above 13": [(289,), (529,), (4913,), (29791,)],
    "long prime lengths": [(10007,), (100003,), (1000003,)],
    "multiples of long primes": [(2 * 10007,), (12 * 1009,), (101 * 103,)],
    "planes and boxes": [(48, 60), (17, 32), (101, 13), (24, 30, 36), (16, 17, 22)],
}
# Errors grow as the square root of the logarithm of the length; a prime has two transforms of a
# longer length inside.
LIMITS = {"double": 40 * 2.0**-53, "single": 40 * 2.0**-24}


def version() -> str:
    """Return the version of numpy, if its long double is longer than a double."""
    if np.finfo(np.longdouble).eps > 2e-19:
        raise MissingOwnerError("the long double of this machine is no longer than a double")
    return str(np.__version__)


def _error(found: NDArray[Any], exact: NDArray[Any]) -> float:
    size = np.sqrt(np.mean(np.abs(exact) ** 2))
    return float(np.abs(found - exact).max() / size)


def _errors(shape: tuple[int, ...], single: bool, random: np.random.Generator) -> dict[str, float]:
    """Return the errors of each kind of transform."""
    real, complex_ = (np.float32, np.complex64) if single else (np.float64, np.complex128)
    numbers = random.standard_normal(shape).astype(real)
    pairs = (numbers + 1j * random.standard_normal(shape)).astype(complex_)
    long = np.clongdouble
    half = np.fft.rfftn(numbers.astype(np.longdouble)).astype(complex_)
    exact: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {
        "complex, forward": (fft.fftn(pairs), np.fft.fftn(pairs.astype(long))),
        "complex, backward": (fft.ifftn(pairs), np.fft.ifftn(pairs.astype(long))),
        "real to complex": (fft.rfftn(numbers), np.fft.rfftn(numbers.astype(np.longdouble))),
        "complex to real": (
            fft.irfftn(half, s=shape),
            np.fft.irfftn(half.astype(long), s=shape, axes=range(len(shape))),
        ),
    }
    for name, (found, right) in exact.items():
        wanted = real if name == "complex to real" else complex_
        if found.dtype != wanted or right.dtype.itemsize < 16:
            raise TypeError(f"{name}: {found.dtype} and {right.dtype}")
    return {name: _error(found, right) for name, (found, right) in exact.items()}


def _compare(shapes: list[tuple[int, ...]]) -> Callable[[Path], Compared]:
    def compare(folder: Path) -> Compared:
        del folder
        random = np.random.default_rng(7)
        largest: dict[str, float] = {}
        for shape in shapes:
            for precision in LIMITS:
                for kind, error in _errors(shape, precision == "single", random).items():
                    name = f"{kind}, {precision} precision"
                    largest[name] = max(error, largest.get(name, 0.0))
        terms = {
            name: Term(error, 0.0, LIMITS[name.split()[-2]], "of the root mean square")
            for name, error in largest.items()
        }
        return Compared(terms=terms)

    return compare


FAMILY = Family(
    name="transforms",
    owner="numpy, long double,",
    unit="",
    version=version,
    inputs={name: _compare(shapes) for name, shapes in SHAPES.items()},
)
