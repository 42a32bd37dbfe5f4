# SPDX-License-Identifier: BSD-3-Clause
"""The contestants in one process and in many, finegrain first."""

from finegrain.transform_bench import contestants, fftw

IN_ONE = {
    "finegrain": contestants.finegrain,
    "scipy": contestants.scipy,
    "numpy": contestants.numpy,
    "FFTW": fftw.fftw,
    "ducc0": contestants.ducc,
    "mkl_fft": contestants.mkl,
}
IN_MANY = {
    "finegrain": contestants.finegrain,
    "FFTW": fftw.fftw_mpi,
    "mpi4py-fft": contestants.mpi4py_fft,
    "dtFFT": contestants.dtfft,
}
