# SPDX-License-Identifier: BSD-3-Clause
"""FFTW, and FFTW over MPI, as contestants: called in their shared libraries, planned with MEASURE.

FFTW's library for MPI is linked with one MPI, in Debian with Open MPI. Waves stay divided along the
second axis, which saves two exchanges.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.transform_bench.case import Case
from finegrain.transform_bench.contestants import Contestant

_FORWARD, _BACKWARD = -1, 1  # signs of the exponent
_MEASURE = 0
_TRANSPOSED_IN, _TRANSPOSED_OUT = 1 << 29, 1 << 30


def fftw(case: Case, _comm: Any) -> Contestant:
    """Transform in one process."""
    library = _library("fftw3", case)
    points = np.zeros(case.grid, case.point_type)
    waves = np.zeros(case.wave_shape, np.complex128)
    there, back = (points.ctypes.data, waves.ctypes.data), (waves.ctypes.data, points.ctypes.data)
    if case.real:
        plans = (
            _plan(library.fftw_plan_dft_r2c_3d, *case.grid, *there, _MEASURE),
            _plan(library.fftw_plan_dft_c2r_3d, *case.grid, *back, _MEASURE),
        )
    else:
        make = library.fftw_plan_dft_3d
        plans = (
            _plan(make, *case.grid, *there, _FORWARD, _MEASURE),
            _plan(make, *case.grid, *back, _BACKWARD, _MEASURE),
        )
    return _contestant("FFTW", library, plans, points, waves)


def fftw_mpi(case: Case, comm: Any) -> Contestant:
    """Transform over the processes of Open MPI."""
    from mpi4py import MPI

    if "Open MPI" not in MPI.Get_library_version():
        raise NotImplementedError("it is linked with Open MPI")
    serial, library = _library("fftw3", case), _library("fftw3_mpi", case)
    # Another library may have cleaned up FFTW, which leaves it without its solvers for MPI. Plans
    # that are no longer used must go before the next call.
    gc.collect()
    library.fftw_mpi_cleanup()
    library.fftw_mpi_init()
    handle = ctypes.c_void_p(MPI._handleof(comm))
    size = ctypes.c_ssize_t
    n = [size(length) for length in case.grid]
    depth = size(case.wave_shape[-1])
    of_ranks = [size() for _ in range(4)]
    local = library.fftw_mpi_local_size_3d_transposed
    local.restype = size
    room = local(n[0], n[1], depth, handle, *(ctypes.byref(one) for one in of_ranks))
    points, waves = _aligned(room), _aligned(room)
    there, back = (points.ctypes.data, waves.ctypes.data), (waves.ctypes.data, points.ctypes.data)
    out, into = _MEASURE | _TRANSPOSED_OUT, _MEASURE | _TRANSPOSED_IN
    if case.real:
        plans = (
            _plan(library.fftw_mpi_plan_dft_r2c_3d, *n, *there, handle, out),
            _plan(library.fftw_mpi_plan_dft_c2r_3d, *n, *back, handle, into),
        )
    else:
        make = library.fftw_mpi_plan_dft_3d
        plans = (
            _plan(make, *n, *there, handle, _FORWARD, out),
            _plan(make, *n, *back, handle, _BACKWARD, into),
        )
    return _contestant("FFTW", serial, plans, points, waves)


def _aligned(count: int) -> NDArray[Any]:
    """Return zeros at a multiple of 64 bytes; FFTW refuses arrays that lie otherwise elsewhere."""
    room = np.zeros(16 * count + 64, np.uint8)
    skip = -room.ctypes.data % 64
    return room[skip : skip + 16 * count].view(np.complex128)


def _library(name: str, case: Case) -> ctypes.CDLL:
    if case.single or case.batch > 1:
        raise NotImplementedError("only single fields in double precision are compared")
    found = ctypes.util.find_library(name)
    if found is None:
        raise ImportError(name)
    return ctypes.CDLL(found)


def _plan(make: Any, *words: Any) -> int:
    """Return a plan; addresses are the words that do not fit an int."""
    make.restype = ctypes.c_void_p
    plan = make(*(ctypes.c_void_p(w) if isinstance(w, int) and w > 2**31 else w for w in words))
    if not plan:
        raise RuntimeError("FFTW made no plan")
    return int(plan)


def _contestant(
    program: str,
    library: ctypes.CDLL,
    plans: tuple[int, int],
    points: NDArray[Any],
    waves: NDArray[Any],
) -> Contestant:
    points[...], waves[...] = 0, 0  # planning has written there
    execute = library.fftw_execute
    execute.restype, execute.argtypes = None, [ctypes.c_void_p]

    def run(plan: int, result: NDArray[Any]) -> Callable[[], NDArray[Any]]:
        def work() -> NDArray[Any]:
            execute(plan)
            return result

        return work

    version = ctypes.c_char.in_dll(library, "fftw_version")
    name = ctypes.string_at(ctypes.addressof(version)).decode()
    return Contestant(
        program,
        name.removeprefix("fftw-").split("-")[0],
        points,
        run(plans[0], waves),
        run(plans[1], points),
    )
