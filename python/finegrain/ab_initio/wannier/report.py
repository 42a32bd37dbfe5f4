# SPDX-License-Identifier: BSD-3-Clause
"""Maximally localised orbitals of a run: a table, and a file with their centres beside the ions."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.ions.molecules import Molecule, find_molecules
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.states.ground_state import GroundState, ebohr_in_debye
from finegrain.ab_initio.states.orbitals import Orbitals
from finegrain.ab_initio.wannier.centres import wannier_centres
from finegrain.base.arguments import PathOrObject, as_path, run_folder
from finegrain.base.cells import Floats
from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.runs.folder.directory import WANNIER_FILE, RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.units import bohr_in_angstrom

if TYPE_CHECKING:
    from ase import Atoms

_most_rows = 40  # of a table that is printed


class Wannier:
    """Centres, spreads and dipole moments of an ab initio run, at its last step.

    Parameters
    ----------
    run : path or Run
        The folder of a run with [output] orbitals = true.

    Attributes
    ----------
    ground_state : GroundState
    centres : float64, shape (orbitals, 3)
        Bohr, each at the image that is nearest to an ion.
    spreads : float64, shape (orbitals,)
        <r^2> - <r>^2, bohr^2.
    charges : float64, shape (orbitals,)
        Electrons in each orbital.
    nearest : int, shape (orbitals,)
        The ion that is nearest, counted from 0.
    distances : float64, shape (orbitals,)
        From there, bohr.
    molecules : list of Molecule
        Atoms that are bonded by their distances, with charge and dipole moment.
    dipole : float64, shape (3,)
        The dipole moment of the cell, e bohr. It is known up to multiples of two electrons times a
        vector of the cell, except for a molecule in vacuum.

    Raises
    ------
    InputError
        If the folder has no ground state or no orbitals, or if they are of different steps.
    NumericsError
        If the localisation does not come to an end.
    """

    def __init__(self, run: PathOrObject) -> None:
        folder = RunDirectory(run_folder(run)).held_inside()
        self.ground_state = GroundState(folder.ground_state)
        orbitals = Orbitals(folder.checkpoint)
        job = AbInitioJob(folder.job)
        if len(orbitals) != len(self.ground_state.eigenvalues):
            what = "has orbitals and a ground state of different runs"
            raise InputError(what, where=str(folder.path), hint="run the job again")
        found = wannier_centres(orbitals)
        self.spreads, self.charges = found.spreads, found.charges
        atoms = self.ground_state.atoms()
        self.centres, self.nearest, self.distances = _beside_ions(atoms, found.centres)
        charge_of = {str(one["symbol"]): float(one["charge"]) for one in job.species}
        ion_charges = np.array([charge_of[symbol] for symbol in self.ground_state.symbols])
        self.molecules: list[Molecule] = find_molecules(
            atoms, ion_charges, self.centres, self.charges
        )
        positions = self.ground_state.positions
        self.dipole: Floats = ion_charges @ positions - self.charges @ self.centres

    def atoms(self) -> Atoms:
        """Return ions and centres for ASE, in Å: centres are of the element X.

        The array "spread" has the square root of the spread (Å), 0 for ions.
        """
        from ase import Atoms

        ions = self.ground_state.atoms()
        ions.calc = None
        every: Atoms = ions + Atoms(["X"] * len(self.centres), self.centres * bohr_in_angstrom)
        spreads = np.sqrt(self.spreads) * bohr_in_angstrom
        every.set_array("spread", np.concatenate([np.zeros(len(ions)), spreads]))
        return every

    def xyz_text(self) -> str:
        """Return `atoms` as extended XYZ."""
        from ase.io import write

        text = io.StringIO()
        write(text, self.atoms(), format="extxyz")
        return text.getvalue()

    def figures(self) -> Mapping[str, Any]:
        """Return everything for ``--json``."""
        return {
            "centres_angstrom": self.centres * bohr_in_angstrom,
            "spreads_angstrom2": self.spreads * bohr_in_angstrom**2,
            "charges": self.charges,
            "nearest_atoms": self.nearest + 1,
            "distances_angstrom": self.distances * bohr_in_angstrom,
            "dipole_debye": self.dipole * ebohr_in_debye,
            "molecules": [
                {
                    "atoms": [atom + 1 for atom in one.atoms],
                    "formula": one.formula,
                    "charge": one.charge,
                    "dipole_debye": None if one.dipole is None else one.dipole * ebohr_in_debye,
                }
                for one in self.molecules
            ],
        }

    def __str__(self) -> str:
        symbols = self.ground_state.symbols
        lines = ["localised orbitals", "", "  orbital  nearest    distance (Å)  spread (Å²)"]
        rows = zip(self.nearest, self.distances, self.spreads, strict=True)
        lines += [
            f"  {number:7d}  {symbols[ion]:>2s} {ion + 1:<6d}  {apart * bohr_in_angstrom:10.4f}"
            f"  {spread * bohr_in_angstrom**2:11.4f}"
            for number, (ion, apart, spread) in enumerate(rows, start=1)
            if number <= _most_rows
        ]
        lines += _rest(len(self.nearest), "orbitals")
        total = float(self.spreads.sum()) * bohr_in_angstrom**2
        lines += [f"  sum of spreads {total:.4f} Å²", ""]
        lines += ["molecules", "", "  molecule            charge (e)  dipole moment (debye)"]
        lines += [
            f"  {one.formula:<18s}  {one.charge:10.3f}  {_dipole_in_words(one.dipole)}"
            for one in self.molecules[:_most_rows]
        ]
        lines += _rest(len(self.molecules), "molecules")
        return visible("\n".join(lines))


def write_wannier(
    wannier: Wannier, run: PathOrObject, out: PathOrObject | None = None, *, overwrite: bool = False
) -> Path:
    """Write ions and centres as extended XYZ.

    Parameters
    ----------
    out : path, optional
        By default ``wannier.xyz`` in the folder of the run, which replaces an earlier one.
    overwrite : bool
        Replace the file `out` if it exists.

    Raises
    ------
    InputError
        If the file cannot be written there.
    """
    folder = RunDirectory(run_folder(run)).held_inside()
    target = folder.path / WANNIER_FILE if out is None else as_path(out)
    if target.suffix.lower() not in ("", ".xyz", ".extxyz"):
        what, hint = "the name is of another format", f"--out {target.with_suffix('.xyz')}"
        raise InputError(what, where=str(target), hint=hint)
    refuse_to_replace(
        target,
        overwrite=overwrite or out is None,
        inputs=(folder.ground_state, folder.job, folder.checkpoint),
    )
    replace_file(target, wannier.xyz_text().encode())
    return target


def _dipole_in_words(dipole: Floats | None) -> str:
    if dipole is None:
        return "none: bonded to its own images"
    return f"{float(np.linalg.norm(dipole)) * ebohr_in_debye:10.4f}"


def _rest(count: int, what: str) -> list[str]:
    more = count - _most_rows
    return [f"  and {more:,} {what} more: see --json"] if more > 0 else []


def _beside_ions(atoms: Atoms, centres: Floats) -> tuple[Floats, np.ndarray, Floats]:
    """Return centres at the images that are nearest to an ion, these ions, and the distances."""
    from ase.geometry import find_mic

    # Images of isolated molecules are sought too, because a phase gives a position in the cell.
    positions = atoms.get_positions()
    apart = (centres * bohr_in_angstrom)[:, None, :] - positions[None]
    ways, lengths = find_mic(apart.reshape(-1, 3), atoms.cell, pbc=True)
    nearest = lengths.reshape(len(centres), -1).argmin(axis=1)
    every = np.arange(len(centres))
    way = ways.reshape(len(centres), -1, 3)[every, nearest]
    moved = (positions[nearest] + way) / bohr_in_angstrom
    return moved, nearest, np.linalg.norm(way, axis=1) / bohr_in_angstrom
