# SPDX-License-Identifier: BSD-3-Clause
"""Turbulence from a Taylor-Green vortex: the Navier-Stokes equations in a periodic cube of side 2π.

    python navier_stokes.py
    mpiexec -n 4 python navier_stokes.py

Velocities live as waves û(k). The equation without pressure, in rotational form, is

    dû/dt = P [ (u × ω)^ ] - ν k² û,        P a = a - k (k·a) / k²,   ω = ∇ × u

where P removes what has a divergence. Products are formed at the points; waves above 2/3 of the
highest are removed from them, since they would be counted as longer ones. The steps in time are
those of the classical Runge-Kutta method of fourth order. All three components are one batch: they
share each message.

Source: M. Mortensen, H. P. Langtangen, Comput. Phys. Commun. 203, 53 (2016), with its test case:
32³ points, ν = 1/1600, ten steps of 0.01; the kinetic energy is then 0.124953117517.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from finegrain.fft import Transform

try:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
except ImportError:  # one process
    comm = None

parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
parser.add_argument("--points", type=int, default=32, help="points along each axis")
parser.add_argument("--steps", type=int, default=10, help="time steps of 0.01")
options = parser.parse_args()
n, dt, viscosity = options.points, 0.01, 1 / 1600

transform = Transform((n, n, n), comm, real=True, batch=3)

side = 2 * np.pi * np.arange(n) / n
x, y, z = np.meshgrid(*(side[s] for s in transform.point_slices), indexing="ij")
whole, half = np.fft.fftfreq(n, 1 / n), np.fft.rfftfreq(n, 1 / n)
k = np.array(
    np.meshgrid(
        *(w[s] for w, s in zip((whole, whole, half), transform.wave_slices, strict=True)),
        indexing="ij",
    )
)
k2 = (k**2).sum(axis=0)
k_over_k2 = k / np.where(k2 == 0, 1, k2)
kept = (np.abs(k) < 2 / 3 * (n // 2 + 1)).all(axis=0)


def cross(a: NDArray, b: NDArray) -> NDArray:
    """Return the vector product of two fields, [3, ...]."""
    return np.cross(a, b, axis=0)


def change(velocity: NDArray) -> NDArray:
    """Return dû/dt."""
    u = transform.backward(velocity)
    vorticity = transform.backward(1j * cross(k, velocity))
    result = transform.forward(cross(u, vorticity)) * kept
    result -= k_over_k2 * (k * result).sum(axis=0)
    return result - viscosity * k2 * velocity


def energy(velocity: NDArray) -> float:
    """Return the mean of u²/2 over the cube."""
    u = transform.backward(velocity)
    total = 0.5 * float((u**2).sum()) / n**3
    return total if comm is None else comm.allreduce(total)


velocity = transform.forward(
    np.array([np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * z])
)
for step in range(options.steps + 1):
    if step > 0:
        first = change(velocity)
        second = change(velocity + 0.5 * dt * first)
        third = change(velocity + 0.5 * dt * second)
        fourth = change(velocity + dt * third)
        velocity += dt / 6 * (first + 2 * second + 2 * third + fourth)
    now = energy(velocity)
    if transform.rank == 0:
        print(f"t = {step * dt:4.2f}   kinetic energy {now:.12f}")
