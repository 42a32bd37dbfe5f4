# SPDX-License-Identifier: BSD-3-Clause
"""The results of an ab initio calculation: the file ``ground_state.h5`` in the folder of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from numpy.typing import NDArray

from finegrain import units
from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.readable import readable
from finegrain.runs.job import text_of

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

Floats = NDArray[np.float64]
_format = "finegrain-ground-state"
hartree_in_ev = units.hartree_in_ev
bohr_in_angstrom = units.bohr_in_angstrom
# The debye is 1e-21 C m^2/s over the speed of light.
ebohr_in_debye = 1.602176634e-19 * units.bohr_in_angstrom * 1e-10 * 299792458.0 / 1e-21


class GroundState:
    """Energies, forces and stress of electrons in their ground state.

    Parameters
    ----------
    path : path
        The file ``ground_state.h5``, or the folder of the run.

    Attributes
    ----------
    converged : bool
        Whether residual and change of the energy came below their tolerances.
    iterations : int
    residual : float
        The largest residual of a coefficient, hartree.
    energy : float
        The energy of the cell, hartree.
    energies : dict of str to float
        By term, and "total", hartree.
    forces : float64, shape (atoms, 3)
        Hartree/bohr, atoms in the input's order.
    boundary : str
        "periodic", or "isolated" for a molecule without images.
    stress : float64, shape (3, 3), or None
        The derivative of the energy by strain over the volume, hartree/bohr^3; negative if the cell
        wants to grow. A molecule without images has none.
    net_force : float64, shape (3,)
        Sum of the forces, hartree/bohr, which the grid leaves; with `net_force = "remove"` in
        [electrons] it is no longer in `forces`.
    dipole : float64, shape (3,), or None
        The dipole moment, e bohr, from negative to positive charge. None if there is no vacuum
        round the ions, because then it depends on where a cell begins.
    electrons_outside : float or None
        For a molecule without images, the electrons outside the middle half of the cell.
    eigenvalues : float64, shape (bands,)
        The energies of the occupied orbitals, rising, hartree; with spin first those of spin up.
    spin : str
        "none" or "collinear".
    eigenvalues_up, eigenvalues_down : float64, shape (bands of the spin,)
        With spin those of each spin, rising, hartree; without spin both are `eigenvalues`.
    magnetization, absolute_magnetization : float
        The integrals of the spin density and of its absolute value, Bohr magnetons; 0 without spin.
    empty_eigenvalues : float64, shape (empty,), or None
        The energies of empty orbitals, if they were asked for (`bands`), hartree; rising, with spin
        first up.
    gap : float or None
        The lowest empty energy less the highest occupied one, hartree; negative if electrons are
        not in the lowest orbitals.
    empty_converged : bool
        Whether the empty orbitals were found; if not, their energies are too high.
    cell : float64, shape (3, 3)
        The vectors in rows, bohr.
    positions : float64, shape (atoms, 3)
        Bohr.
    symbols : tuple of str
    history : float64, shape (iterations, 3)
        Energy (hartree), residual (hartree) and seconds since the start.
    state_digest : str
        SHA-256 of the orbitals and of these results: equal bits, equal digests.

    Raises
    ------
    InputError
        If the file is missing, damaged, or not a ground state of finegrain.
    """

    def __init__(self, path: PathOrObject) -> None:
        given = as_path(path)
        self.path: Path = given / "ground_state.h5" if given.is_dir() else given
        if not self.path.exists():
            hint = "give the folder of an ab initio run that has ended"
            raise InputError("no such file", where=str(self.path), hint=hint)
        with readable(self.path, "copy it again, or run the job again"), self._opened() as file:
            root = file.attrs
            self.converged = bool(root["converged"])
            self.iterations = int(root["iterations"])
            self.residual = float(root["residual"])
            self.energy = float(root["energy"])
            self.state_digest = text_of(root["state_digest"])
            self.energies = {name: float(item[()]) for name, item in file["energies"].items()}
            self.forces: Floats = self._table(file, "forces", (-1, 3))
            self.net_force: Floats = (
                self._table(file, "net_force", (3,))
                if "net_force" in file
                else self.forces.sum(axis=0)
            )
            self.boundary = text_of(root["boundary"])
            isolated = self.boundary == "isolated"
            self.stress: Floats | None = None if isolated else self._table(file, "stress", (3, 3))
            self.dipole: Floats | None = (
                self._table(file, "dipole", (3,)) if "dipole" in file else None
            )
            self.electrons_outside = float(root["electrons_outside"]) if isolated else None
            self.eigenvalues: Floats = self._table(file, "eigenvalues", (-1,))
            self._read_spin(file)
            self._read_empty(file)
            self.cell: Floats = self._table(file, "cell/vectors", (3, 3))
            self.positions: Floats = self._table(file, "ions/position", (-1, 3))
            self.history: Floats = self._table(file, "history", (-1, 3))
            self.symbols = tuple(text_of(symbol) for symbol in file["ions/symbol"][...])
            self.has_density = "density" in file
            self.has_spin_density = "spin_density" in file
        if not len(self.symbols) == len(self.positions) == len(self.forces):
            raise self._damaged("forces", f"{len(self.symbols):,} rows are expected")

    def _read_spin(self, file: h5py.File) -> None:
        both = self.eigenvalues
        self.spin = "none"
        self.eigenvalues_up, self.eigenvalues_down = both, both
        self.magnetization = self.absolute_magnetization = 0.0
        if int(file.attrs["spins"]) == 1:
            return
        up = int(file.attrs["bands_up"])
        self.spin = "collinear"
        self.eigenvalues_up, self.eigenvalues_down = both[:up], both[up:]
        total, absolute = self._table(file, "magnetization", (2,))
        self.magnetization, self.absolute_magnetization = float(total), float(absolute)

    def _read_empty(self, file: h5py.File) -> None:
        self.empty_eigenvalues: Floats | None = None
        self.gap: float | None = None
        self._empty_up, self.empty_converged = 0, False
        if "empty_eigenvalues" not in file:
            return
        self.empty_eigenvalues = self._table(file, "empty_eigenvalues", (-1,))
        self.gap = float(file.attrs["gap"])
        self._empty_up = int(file.attrs["empty_up"])
        self.empty_converged = bool(file.attrs["empty_converged"])

    @property
    def empty_eigenvalues_up(self) -> Floats | None:
        """The empty eigenvalues of spin up; without spin all of them. None if not asked for."""
        found = self.empty_eigenvalues
        return None if found is None else found[: self._empty_up]

    @property
    def empty_eigenvalues_down(self) -> Floats | None:
        """The empty eigenvalues of spin down; without spin all of them. None if not asked for."""
        found = self.empty_eigenvalues
        if found is None or self.spin == "none":
            return found
        return found[self._empty_up :]

    def __repr__(self) -> str:
        state = "converged" if self.converged else "not converged"
        return f"GroundState({str(self.path)!r}: {self.energy:.8f} hartree, {state})"

    @property
    def volume(self) -> float:
        """The volume of the cell, bohr^3."""
        return float(abs(np.linalg.det(self.cell)))

    def density(self) -> Floats:
        """Return the density of the valence electrons at the points of the grid.

        Returns
        -------
        float64, shape (nx, ny, nz)
            Electrons/bohr^3; the point (i, j, k) is at i/nx a1 + j/ny a2 + k/nz a3.

        Raises
        ------
        InputError
            If the run did not write it.
        """
        if not self.has_density:
            hint = "run it again with [output] density = true"
            raise InputError("holds no density", where=str(self.path), hint=hint)
        return self._field("density")

    def spin_density(self) -> Floats:
        """Return the density of up electrons less that of down electrons.

        Returns
        -------
        float64, shape (nx, ny, nz)
            Electrons/bohr^3, at the points of `density`.

        Raises
        ------
        InputError
            If the run did not write it, or had no spin.
        """
        if self.spin == "none":
            hint = 'run it again with [electrons] spin = "collinear"'
            raise InputError("is of a run without spin", where=str(self.path), hint=hint)
        if not self.has_spin_density:
            hint = "run it again with [output] density = true"
            raise InputError("holds no spin density", where=str(self.path), hint=hint)
        return self._field("spin_density")

    def _field(self, name: str) -> Floats:
        with readable(self.path, "copy it again, or run the job again"), self._opened() as file:
            return self._table(file, name, (-1, -1, -1))

    def atoms(self) -> Atoms:
        """Return the structure for ASE, with energy, forces, stress, dipole and magnetic moment.

        Returns
        -------
        ase.Atoms
            In Å and eV, with a `SinglePointCalculator`; the stress is that of ASE, in eV/Å^3.
        """
        from ase import Atoms
        from ase.calculators.singlepoint import SinglePointCalculator

        atoms = Atoms(
            self.symbols,
            self.positions * bohr_in_angstrom,
            cell=self.cell * bohr_in_angstrom,
            pbc=self.boundary == "periodic",
        )
        atoms.calc = SinglePointCalculator(atoms, **ase_results(self))
        return atoms

    def _opened(self) -> h5py.File:
        try:
            file = open_hdf5(self.path)
        except OSError as error:
            hint = "run the job again"
            what = "cannot be read as HDF5"
            raise InputError(
                what, where=str(self.path), value=str(error).strip(), hint=hint
            ) from None
        if text_of(file.attrs.get("format", "")) != _format:
            file.close()
            raise InputError("is not a ground state of finegrain", where=str(self.path))
        return file

    def _table(self, file: h5py.File, name: str, shape: tuple[int, ...]) -> Floats:
        values = np.asarray(file[name][...])
        fits = values.ndim == len(shape) and all(
            wanted in (-1, size) for wanted, size in zip(shape, values.shape, strict=True)
        )
        if values.dtype.kind != "f" or not fits:
            words = " x ".join("any" if size == -1 else str(size) for size in shape)
            raise self._damaged(name, f"numbers, {words}, are expected")
        return values.astype(np.float64)

    def _damaged(self, name: str, limit: str) -> InputError:
        hint = "copy it again, or run the job again"
        return InputError(f"is damaged: {name}", where=str(self.path), limit=limit, hint=hint)


def ase_results(found: Any) -> Mapping[str, Any]:
    """Return the results as ASE names them, in eV and Å.

    Energy in eV, forces in eV/Å, stress in eV/Å^3 in Voigt's order, dipole in e Å.

    Parameters
    ----------
    found : GroundState or Energies
        With `energies` or `energy`, `forces`, `stress` and `dipole` in Hartree atomic units. ASE
        gets a stress or a dipole moment only if there is one.
    """
    total = found.energies["total"] * hartree_in_ev
    results = {
        "energy": total,
        "free_energy": total,
        "forces": found.forces * hartree_in_ev / bohr_in_angstrom,
    }
    if found.stress is not None:
        stress = found.stress * hartree_in_ev / bohr_in_angstrom**3
        results["stress"] = stress[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]]
    if getattr(found, "spin", "none") == "collinear":
        results["magmom"] = found.magnetization
    if found.dipole is not None:
        results["dipole"] = found.dipole * bohr_in_angstrom
    return results
