# SPDX-License-Identifier: BSD-3-Clause
"""Libraries that transform a grid, each behind the same two functions.

A contestant is made for one grid. `forward` transforms its own points to its own waves, `backward`
the waves to points again. Each library chooses where points and waves are. Each uses one thread in
each process.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from finegrain.engine import machine
from finegrain.transform_bench.case import Case


@dataclass
class Contestant:
    """One library with its arrays for one grid."""

    program: str
    version: str
    points: Any
    forward: Callable[[], Any]
    backward: Callable[[], Any]


def finegrain(case: Case, comm: Any) -> Contestant:
    """Transform with the objects of this package; over processes with the fastest exchange."""
    from finegrain.fft import Transform

    transform = Transform(
        case.grid,
        comm,
        real=case.real,
        dtype=case.dtype,
        batch=case.batch if case.batch > 1 else None,
        travel="measured",
    )
    points, waves = transform.zeros(), transform.zeros(waves=True)
    return Contestant(
        "finegrain",
        machine.version(),
        points,
        lambda: transform.forward(points, waves),
        lambda: transform.backward(waves, points),
    )


def _functions(program: str, case: Case, there: Any, back: Any, **options: Any) -> Contestant:
    """Return a library with functions in the manner of numpy.fft."""
    axes = (-3, -2, -1)
    points = np.zeros(case.shape, case.point_type)
    waves = there(points, axes=axes, **options)
    sizes = {"s": case.grid} if case.real else {}
    return Contestant(
        program,
        machine.package_version(program.split(".")[0]) or "",
        points,
        lambda: there(points, axes=axes, **options),
        lambda: back(waves, axes=axes, **sizes, **options),
    )


def scipy(case: Case, _comm: Any) -> Contestant:
    """Transform with scipy.fft."""
    fft = importlib.import_module("scipy.fft")
    pair = (fft.rfftn, fft.irfftn) if case.real else (fft.fftn, fft.ifftn)
    return _functions("scipy.fft", case, *pair, workers=1)


def numpy(case: Case, _comm: Any) -> Contestant:
    """Transform with numpy.fft."""
    pair = (np.fft.rfftn, np.fft.irfftn) if case.real else (np.fft.fftn, np.fft.ifftn)
    return _functions("numpy.fft", case, *pair)


def mkl(case: Case, _comm: Any) -> Contestant:
    """Transform with Intel's library."""
    os.environ.setdefault("MKL_NUM_THREADS", "1")  # read when it is loaded
    fft = importlib.import_module("mkl_fft")
    return _functions(
        "mkl_fft", case, *((fft.rfftn, fft.irfftn) if case.real else (fft.fftn, fft.ifftn))
    )


def ducc(case: Case, _comm: Any) -> Contestant:
    """Transform with ducc0, whose output arrays are given."""
    fft = importlib.import_module("ducc0").fft
    axes = [len(case.shape) - 3 + k for k in range(3)]
    points = np.zeros(case.shape, case.point_type)
    waves = np.zeros(case.wave_shape, case.wave_type)
    scale = {"inorm": 2, "nthreads": 1}  # 1/N
    if case.real:
        there = lambda: fft.r2c(points, axes, out=waves, nthreads=1)  # noqa: E731
        back = lambda: fft.c2r(waves, axes, case.grid[2], False, out=points, **scale)  # noqa: E731
    else:
        there = lambda: fft.c2c(points, axes, out=waves, nthreads=1)  # noqa: E731
        back = lambda: fft.c2c(waves, axes, False, out=points, **scale)  # noqa: E731
    return Contestant("ducc0", machine.package_version("ducc0") or "", points, there, back)


def mpi4py_fft(case: Case, comm: Any) -> Contestant:
    """Transform with mpi4py-fft, planned with FFTW's MEASURE as it does by default."""
    module = importlib.import_module("mpi4py_fft")
    if case.batch > 1:
        raise NotImplementedError("it has no batches")
    plan = module.PFFT(comm, case.grid, dtype=case.point_type)
    points, waves = module.newDistArray(plan, False), module.newDistArray(plan, True)
    return Contestant(
        "mpi4py-fft",
        machine.package_version("mpi4py-fft") or "",
        points,
        lambda: plan.forward(points, waves),
        lambda: plan.backward(waves, points),
    )


def dtfft(case: Case, comm: Any) -> Contestant:
    """Transform with dtFFT on FFTW, which chooses its exchange by measurement."""
    module = importlib.import_module("dtfft")
    if case.batch > 1:
        raise NotImplementedError("it has no batches")
    kind = module.PlanR2C if case.real else module.PlanC2C
    precision = module.Precision.SINGLE if case.single else module.Precision.DOUBLE
    plan = kind(
        list(case.grid),
        comm=comm,
        precision=precision,
        effort=module.Effort.PATIENT,
        executor=module.Executor.FFTW3,
    )
    points, waves, aux = (plan.get_ndarray(plan.alloc_size) for _ in range(3))
    for array in (points, waves, aux):
        array[...] = 0
    names = ("dtfft", "dtfft-fftw-openmpi", "dtfft-fftw-mpich")
    versions = [v for v in map(machine.package_version, names) if v]
    return Contestant(
        "dtFFT",
        versions[0] if versions else "",
        points,
        lambda: plan.execute(points, waves, module.Execute.FORWARD, aux),
        lambda: plan.execute(waves, points, module.Execute.BACKWARD, aux),
    )
