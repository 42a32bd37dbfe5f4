# SPDX-License-Identifier: BSD-3-Clause
"""Fast Fourier transforms with the same bits on any number of processes.

``fft``, ``ifft``, ``fftn``, ``ifftn``, ``rfft``, ``irfft``, ``rfftn``, ``irfftn``
    transforms of arrays in this process, with the parameters of ``scipy.fft``
``Transform``
    a three-dimensional transform over the processes of an mpi4py communicator
``SphereTransform``
    the same for orbitals that consist of the plane waves up to a cut-off
``bricks``, ``pencils``, ``slabs``
    ways to divide a grid among processes
``advise``
    how many processes, and which division, make a transform fast
``remembered_exchanges``, ``forget_exchanges``, ``exchange_file``
    what ``Transform(..., travel="measured")`` has found on this machine

The transform of a line does not depend on what else is transformed with it, and axes are
transformed in a fixed order. So a result has the same bits for any division of the grid, on one
kind of processor.

Examples
--------
>>> import numpy as np
>>> from finegrain import fft
>>> x = np.cos(2 * np.pi * np.arange(8) / 8)
>>> np.round(np.abs(fft.rfft(x)), 12)
array([0., 4., 0., 0., 0.])
"""

from finegrain.fft.advice import Advice, Division, MachineFigures, advise, measured_machine
from finegrain.fft.arrays import fft, fftn, ifft, ifftn, irfft, irfftn, rfft, rfftn
from finegrain.fft.boxes import Box, bricks, pencils, slabs
from finegrain.fft.exchange_choice import (
    exchange_file,
    forget_exchanges,
    remembered_exchanges,
)
from finegrain.fft.sphere import SphereTransform
from finegrain.fft.transform import Transform

__all__ = [
    "Advice",
    "Box",
    "Division",
    "MachineFigures",
    "SphereTransform",
    "Transform",
    "advise",
    "bricks",
    "exchange_file",
    "fft",
    "fftn",
    "forget_exchanges",
    "ifft",
    "ifftn",
    "irfft",
    "irfftn",
    "measured_machine",
    "pencils",
    "remembered_exchanges",
    "rfft",
    "rfftn",
    "slabs",
]
