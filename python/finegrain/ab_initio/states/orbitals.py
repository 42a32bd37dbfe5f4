# SPDX-License-Identifier: BSD-3-Clause
"""The orbitals that an ab initio run has kept: the file ``checkpoint.h5`` in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.readable import readable
from finegrain.files.seal import is_whole
from finegrain.runs.job import text_of

_format = "finegrain-orbitals"
_remedy = "run the job again"
_chunk = 1 << 16  # waves that are turned at once


class Orbitals:
    """Occupied orbitals, each with an energy of its own, from the lowest to the highest.

    With spin those of spin up come first, then those of spin down.

    Parameters
    ----------
    path : path
        The file ``checkpoint.h5``, or the folder of the run.

    Attributes
    ----------
    energies : float64, shape (bands,)
        Hartree, rising; with spin rising in each spin.
    spin : str
        "none" or "collinear".
    up : int
        Orbitals of spin up; without spin all of them, with two electrons each.
    waves : int32, shape (waves, 3)
        The indices of each wave G = x b1 + y b2 + z b3. Only one of G and -G is there: orbitals are
        real, so c(-G) is the complex conjugate of c(G).
    grid : tuple of int
        Points of the run's grid along the vectors of the cell.
    cell : float64, shape (3, 3)
        The vectors in rows, bohr.
    iteration : int
    converged : bool
        Whether the ground state was found.

    Raises
    ------
    InputError
        If the file is missing, damaged, or not that of an ab initio run.
    """

    def __init__(self, path: PathOrObject) -> None:
        given = as_path(path)
        self.path: Path = given / "checkpoint.h5" if given.is_dir() else given
        if not self.path.exists():
            hint = "give the folder of an ab initio run with [output] orbitals = true"
            raise InputError("no such file of orbitals", where=str(self.path), hint=hint)
        if not is_whole(self.path):
            what = "is damaged: its SHA-256 does not fit its contents"
            raise InputError(what, where=str(self.path), hint=_remedy)
        with readable(self.path, _remedy), open_hdf5(self.path) as file:
            if text_of(file.attrs.get("format", "")) != _format:
                raise InputError("holds no orbitals of finegrain", where=str(self.path))
            self.waves: NDArray[np.int32] = np.asarray(file["waves"][...], np.int32)
            self.cell: NDArray[np.float64] = np.asarray(file["cell"][...], np.float64)
            x, y, z = map(int, file.attrs["grid"])
            self.grid: tuple[int, int, int] = (x, y, z)
            self.iteration = int(file.attrs["step"])
            self.converged = bool(file.attrs["converged"])
            hamiltonian = np.asarray(file["hamiltonian"][...], np.float64)
            shape = file["orbitals"].shape
            spins, bands = int(file.attrs["spins"]), len(hamiltonian)
            self.spin = "none" if spins == 1 else "collinear"
            self.up = bands if spins == 1 else int(file.attrs["bands_up"])
        if shape != (bands, len(self.waves), 2) or not 0 <= self.up <= bands:
            raise InputError("is damaged: orbitals", where=str(self.path), hint=_remedy)
        # The file has them as the search left them, which may be mixed with those of their spin.
        self.energies: NDArray[np.float64] = np.empty(bands)
        self._mixture = np.zeros((bands, bands))
        for some in (slice(0, self.up), slice(self.up, bands)):
            self.energies[some], self._mixture[some, some] = np.linalg.eigh(hamiltonian[some, some])

    def __repr__(self) -> str:
        return f"Orbitals({str(self.path)!r}: {len(self.energies):,} of {len(self.waves):,} waves)"

    def __len__(self) -> int:
        return len(self.energies)

    @property
    def volume(self) -> float:
        """The volume of the cell, bohr^3."""
        return float(abs(np.linalg.det(self.cell)))

    def coefficients(self) -> NDArray[np.complex128]:
        """Return all of them.

        Returns
        -------
        complex128, shape (bands, waves)
            The sum of |c|^2 over all waves, those that are not there included, is 1.
        """
        everything = np.empty((len(self), len(self.waves)), np.complex128)
        with readable(self.path, _remedy), open_hdf5(self.path) as file:
            table = file["orbitals"]
            for first in range(0, len(self.waves), _chunk):
                part = np.asarray(table[:, first : first + _chunk, :], np.float64)
                mixed = part[..., 0] + 1j * part[..., 1]
                everything[:, first : first + _chunk] = self._mixture.T @ mixed
        return everything

    def coefficients_of(self, orbital: int) -> NDArray[np.complex128]:
        """Return those of one orbital, counted from 0: complex128, shape (waves,)."""
        if not 0 <= orbital < len(self):
            limit = f"0 to {len(self) - 1:,}"
            raise InputError("there is no such orbital", value=str(orbital), limit=limit)
        total = np.zeros(len(self.waves), np.complex128)
        with readable(self.path, _remedy), open_hdf5(self.path) as file:
            for share, row in zip(self._mixture[:, orbital], file["orbitals"], strict=True):
                total += share * (row[:, 0] + 1j * row[:, 1])
        return total

    def on_grid(self, orbital: int) -> NDArray[np.float64]:
        """Return an orbital, counted from 0, at the points of the run's grid.

        Returns
        -------
        float64, shape (nx, ny, nz)
            1/bohr^(3/2); the sum of squares times the volume of a point is 1, and the largest
            value is positive. The point (i, j, k) is at i/nx a1 + j/ny a2 + k/nz a3.
        """
        whole = np.zeros(self.grid, np.complex128)
        coefficients = self.coefficients_of(orbital)
        x, y, z = (self.waves[:, axis] % self.grid[axis] for axis in range(3))
        whole[-x, -y, -z] = coefficients.conj()
        whole[x, y, z] = coefficients
        # psi(r) = V^(-1/2) sum of c(G) exp(i G r)
        field: NDArray[np.float64] = np.fft.ifftn(whole).real * (whole.size / self.volume**0.5)
        return field if field.max() >= -field.min() else -field


def orbital_number(name: str, orbitals: Orbitals) -> int:
    """Return the place of an orbital in the list, counted from 0.

    Parameters
    ----------
    name : str
        "homo", or a number counted from 1 from the lowest energy on; with spin with the spin, such
        as "homo-up" or "3-down".

    Raises
    ------
    InputError
        For "lumo", because no empty orbitals are kept, and for other words and numbers.
    """
    word, _, spin = name.strip().lower().partition("-")
    some = _of_spin(orbitals, spin)
    limit = f"1 to {orbitals.up:,}, or homo"
    if orbitals.spin == "collinear":
        down = len(orbitals) - orbitals.up
        limit = f"homo-up, 1-up to {orbitals.up:,}-up"
        limit += f", homo-down, 1-down to {down:,}-down" if down else ""
    where = "--orbital"
    if word == "lumo":
        what = "empty orbitals are not kept"
        hint = f"occupied ones are {limit}"
        raise InputError(what, where=where, value=name, hint=hint)
    if some and word == "homo":
        return some[-1]
    if not (word.isascii() and word.isdigit()) or not 1 <= int(word) <= len(some):
        raise InputError("there is no such orbital", where=where, value=name, limit=limit)
    return some[int(word) - 1]


def orbital_name(orbitals: Orbitals, number: int) -> str:
    """Return what `orbital_number` understands: "16", or with spin "3-up"."""
    if orbitals.spin == "none":
        return str(number + 1)
    if number < orbitals.up:
        return f"{number + 1}-up"
    return f"{number - orbitals.up + 1}-down"


def _of_spin(orbitals: Orbitals, spin: str) -> range:
    """Return the places of the orbitals of a spin; none if this is no name of a spin."""
    names = {"": range(len(orbitals))}
    if orbitals.spin == "collinear":
        names = {"up": range(orbitals.up), "down": range(orbitals.up, len(orbitals))}
    return names.get(spin, range(0))


def stored_start(path: Path) -> dict[str, Any]:
    """Return the tables with which another job starts from these orbitals."""
    found = Orbitals(path)
    coefficients = found.coefficients()
    return {
        "waves": found.waves,
        "orbitals": coefficients.view(np.float64).reshape(*coefficients.shape, 2),
    }
