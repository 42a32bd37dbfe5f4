# SPDX-License-Identifier: BSD-3-Clause
"""Exchange-correlation energy densities by libxc, called in its shared library."""

import ctypes
import ctypes.util
from functools import cache

import numpy as np

# Numbers of libxc, exchange and correlation.
_parts = {
    "PZ": (1, 9),
    "PW92": (1, 12),
    "PW92 modified": (1, 13),  # with the digits of PBE
    "VWN": (1, 7),
    "PADE": (20,),
    "PBE": (101, 130),
    "revPBE": (102, 130),
    "PBEsol": (116, 133),
    "BLYP": (106, 131),
}
GRADIENT = ("PBE", "revPBE", "PBEsol", "BLYP")
_least_density = 1e-14  # electrons/bohr^3; below it energy and potential count as zero
_as_doubles = ctypes.POINTER(ctypes.c_double)


@cache
def _library() -> ctypes.CDLL:
    name = ctypes.util.find_library("xc")
    if name is None:
        raise ImportError("libxc is not installed (Debian: libxc9)")
    library = ctypes.CDLL(name)
    library.xc_func_alloc.restype = ctypes.c_void_p
    library.xc_func_init.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    pointers = [_as_doubles] * 5
    library.xc_lda_exc_vxc.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *pointers[:3]]
    library.xc_gga_exc_vxc.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *pointers]
    return library


@cache
def _functional(number: int, spins: int = 1) -> int:
    handle = _library().xc_func_alloc()
    if _library().xc_func_init(handle, number, spins) != 0:
        raise ValueError(f"libxc has no functional {number}")
    return int(handle)


def evaluate(
    name: str, rho: np.ndarray, sigma: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the energy per volume and its derivatives by rho and sigma, each shape (n,).

    Parameters
    ----------
    name : str
        Such as "PBE".
    rho : float64, shape (n,)
        Electrons/bohr^3.
    sigma : float64, shape (n,), or None
        The square of the density's gradient; not needed for an LDA.
    """
    inside = rho > _least_density
    density = np.ascontiguousarray(rho[inside])
    gradient = None if sigma is None else np.ascontiguousarray(sigma[inside])
    e, by_rho, by_sigma = (np.zeros_like(density) for _ in range(3))
    for number in _parts[name]:
        zk, vrho, vsigma = (np.zeros_like(density) for _ in range(3))
        count, arrays = len(density), [density, zk, vrho]
        call = _library().xc_lda_exc_vxc
        if number > 100:
            assert gradient is not None
            arrays, call = [density, gradient, zk, vrho, vsigma], _library().xc_gga_exc_vxc
        call(_functional(number), count, *(one.ctypes.data_as(_as_doubles) for one in arrays))
        e += density * zk
        by_rho += vrho
        by_sigma += vsigma
    whole = [np.zeros_like(rho) for _ in range(3)]
    for target, part in zip(whole, (e, by_rho, by_sigma), strict=True):
        target[inside] = part
    return whole[0], whole[1], whole[2]


def terms(name: str) -> tuple[int, ...]:
    """Return libxc's numbers of exchange and correlation."""
    return _parts[name]


def evaluate_spins(
    name: str | tuple[int, ...], rho: np.ndarray, sigma: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the energy per volume, shape (n,), and its derivatives by rho and sigma.

    Parameters
    ----------
    name : str or tuple of int
        Such as "PBE", or numbers of `terms`.
    rho : float64, shape (2, n)
        The densities of spin up and down, electrons/bohr^3.
    sigma : float64, shape (3, n), or None
        Products of the gradients: up with up, up with down, down with down.
    """
    inside = rho.sum(axis=0) > _least_density
    density = np.ascontiguousarray(np.maximum(rho[:, inside], 0).T)
    gradient = None if sigma is None else np.ascontiguousarray(sigma[:, inside].T)
    count = len(density)
    e, by_rho, by_sigma = np.zeros(count), np.zeros((count, 2)), np.zeros((count, 3))
    for number in terms(name) if isinstance(name, str) else name:
        zk, vrho, vsigma = np.zeros(count), np.zeros((count, 2)), np.zeros((count, 3))
        arrays = [density, zk, vrho]
        call = _library().xc_lda_exc_vxc
        if number > 100:
            assert gradient is not None
            arrays, call = [density, gradient, zk, vrho, vsigma], _library().xc_gga_exc_vxc
        call(_functional(number, 2), count, *(one.ctypes.data_as(_as_doubles) for one in arrays))
        e += density.sum(axis=1) * zk
        by_rho += vrho
        by_sigma += vsigma
    whole = np.zeros(rho.shape[1]), np.zeros_like(rho), np.zeros((3, rho.shape[1]))
    for target, part in zip(whole, (e, by_rho.T, by_sigma.T), strict=True):
        target[..., inside] = part
    return whole
