# SPDX-License-Identifier: BSD-3-Clause
"""Solve the Poisson equation -∇²φ = ρ in a periodic cube of side 2π.

Run it in one process, or in many:

    python poisson.py
    mpiexec -n 4 python poisson.py

A wave exp(i k·r) is an eigenfunction of the Laplacian, so the solution is φ(k) = ρ(k) / k², and
φ(0) = 0 fixes the mean. For ρ = 3 sin x sin y cos z + 8 cos 2x sin 2z it is known.
"""

from __future__ import annotations

import argparse

import numpy as np

from finegrain.fft import Transform

try:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
except ImportError:  # one process
    comm = None

parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
parser.add_argument("--points", type=int, default=64, help="points along each axis")
n = parser.parse_args().points

transform = Transform((n, n, n), comm, real=True)

# This process's points, and its wave numbers; those above n/2 are the negative ones.
side = 2 * np.pi * np.arange(n) / n
x, y, z = np.meshgrid(*(side[s] for s in transform.point_slices), indexing="ij")
whole, half = np.fft.fftfreq(n, 1 / n), np.fft.rfftfreq(n, 1 / n)
kx, ky, kz = np.meshgrid(
    *(k[s] for k, s in zip((whole, whole, half), transform.wave_slices, strict=True)),
    indexing="ij",
)

density = 3 * np.sin(x) * np.sin(y) * np.cos(z) + 8 * np.cos(2 * x) * np.sin(2 * z)
waves = transform.forward(density)
k2 = kx**2 + ky**2 + kz**2
waves *= np.where(k2 == 0, 0, 1 / np.where(k2 == 0, 1, k2))
potential = transform.backward(waves)

exact = np.sin(x) * np.sin(y) * np.cos(z) + np.cos(2 * x) * np.sin(2 * z)
error = np.max(np.abs(potential - exact), initial=0)
if comm is not None:
    error = comm.allreduce(error, op=MPI.MAX)
if transform.rank == 0:
    print(f"largest error of the potential: {error:.1e}")
if not error < 1e-13:
    raise SystemExit("the solution is wrong")
