# SPDX-License-Identifier: BSD-3-Clause
"""Relaxation: atoms, and on request their cell, are moved until no force is left."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain import units
from finegrain.base.arguments import PathOrObject, checked_count, checked_pes, gathered
from finegrain.errors import InputError, NumericsError, Problem
from finegrain.files.whole import replace_file
from finegrain.geometry.input_atoms import ab_initio_input, atoms_of
from finegrain.geometry.quantities import Limits, checked_quantity
from finegrain.geometry.result_folder import held, refuse_results, result_folder
from finegrain.kinds.python_input import AnyInput, opened_input
from finegrain.page.charts import Chart, Curve, Level, figure_of, png_of

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

RELAXED, PATH, TABLE, PICTURE = "relaxed.xyz", "path.xyz", "relaxation.csv", "relaxation.png"
COLUMNS = ("geometry", "energy (eV)", "largest force (eV/Å)", "volume (Å^3)", "iterations")
_ev_per_angstrom = units.hartree_in_ev / units.bohr_in_angstrom
_most_stress = 0.1  # GPa, of a cell that is relaxed
_forces = Limits("--force", "limit of forces", "1e-5 eV/Å", "10 eV/Å", "0.02 eV/Å")
_gpa = 160.2176634  # eV/Å^3
Row = tuple[int, float, float, float, int]


@dataclass(frozen=True)
class Relaxation:
    """A relaxed geometry, and the way to it.

    Attributes
    ----------
    path : Path
        The folder: `relaxed.xyz` (with its cell; an input can name it as its structure), `path.xyz`
        (all geometries with energies and forces), `relaxation.csv`, `relaxation.png`.
    atoms : ase.Atoms
        The last geometry, Å.
    rows : list of tuple
        Number of the geometry from 0, energy (eV), largest force (eV/Å), volume (Å^3), iterations
        of the ground state.
    """

    path: Path
    atoms: Atoms
    rows: list[Row]

    def text(self) -> str:
        """Return a summary for reading."""
        first, last = self.rows[0], self.rows[-1]
        lines = [
            f"geometries     {len(self.rows)}",
            f"energy         {last[1]:.5f} eV, {last[1] - first[1]:+.5f} eV since the first",
            f"largest force  {last[2]:.5f} eV/Å, at the start {first[2]:.5f}",
        ]
        if last[3] != first[3]:
            lines.append(f"volume         {last[3]:.3f} Å^3, at the start {first[3]:.3f}")
        return "\n".join([*lines, f"structure      {self.path / RELAXED}"]) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for programs."""
        return {
            "directory": str(self.path),
            "structure": str(self.path / RELAXED),
            "geometries": len(self.rows),
            "energy": self.rows[-1][1],
            "energy_unit": "eV",
            "largest_force": self.rows[-1][2],
            "largest_force_unit": "eV/Å",
            "volume": self.rows[-1][3],
            "volume_unit": "Å^3",
        }


def relax(
    input: AnyInput,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    structure: PathOrObject | None = None,
    force: str = "0.02 eV/Å",
    cell: bool = False,
    steps: int = 200,
    pes: int | None = None,
    overwrite: bool = False,
    on_geometry: Callable[[Row], object] | None = None,
) -> Relaxation:
    """Move the atoms of an ab initio input until no force is larger than a limit.

    Parameters
    ----------
    input : path or dict
        An ab initio TOML input, or a dict with its keys, see `run`; its [dynamics] and [output] are
        not read.
    out : path, optional
        Folder of the results, by default ``runs/NAME-relaxed``.
    structure : path, optional
        A file of atoms, and of their cell if it has one, in place of the input's structure.
        ``path.xyz`` continues a relaxation.
    force : str
        The largest force on an atom that may be left, with its unit.
    cell : bool
        Move the vectors of the cell, too, until its stress is below 0.1 GPa.
    steps : int
        Most steps of the atoms.
    pes : int, optional
        Worker threads; by default all cores that this process may use.
    overwrite : bool
        Replace the results of an earlier relaxation; otherwise they are an error.
    on_geometry : callable, optional
        Called with each row of `Relaxation.rows` when it is known.

    Returns
    -------
    Relaxation

    Raises
    ------
    InputError
        With every problem of the input and of the arguments.
    NumericsError
        If the forces are still larger after so many steps, or a ground state was not found. All
        geometries until then are in ``path.xyz``.

    Notes
    -----
    BFGS of ASE moves the atoms, with steps of at most 0.2 Å; a cell moves with them by the
    exponential of its strain (`ase.filters.FrechetCellFilter`). The stress is that of a constant
    number of waves, so a cell needs a cutoff that is high enough. Atoms that the file of the
    structure holds fixed (`FixAtoms` of ASE, selective dynamics of VASP) stay. Each ground state
    starts from the orbitals of the one before. Unless the input says otherwise (``net_force`` in
    [electrons]) or atoms are fixed, the sum of the forces, which the grid leaves, is removed: it
    would move all atoms together. If a call is broken off, all geometries until then are in
    ``path.xyz``.
    """
    from ase.filters import FrechetCellFilter
    from ase.io import write
    from ase.optimize import BFGS

    with opened_input(input) as opened:
        source = ab_initio_input(opened, "a relaxation")
        limit, most, threads = _checked(force, steps, pes)
        folder = result_folder(out, source, "relaxed")
        own = (RELAXED, PATH, TABLE, PICTURE)
        refuse_results(folder, own, source, structure, overwrite=overwrite)
        atoms = atoms_of(source, structure, threads)
    if cell and not atoms.pbc.all():
        hint = "leave --cell out, or make the boundary periodic"
        raise InputError(
            "a molecule without images has no cell to relax",
            where=str(source),
            value='system.boundary = "isolated"',
            hint=hint,
        )
    with held(folder):
        atoms.get_forces()  # whatever the engine refuses leaves earlier results as they are
        for name in own:
            (folder / name).unlink(missing_ok=True)
        rows: list[Row] = []

        def note() -> None:
            rows.append(_row(len(rows), atoms))
            write(folder / PATH, atoms, format="extxyz", append=len(rows) > 1)
            _write_table(folder / TABLE, rows)
            if on_geometry is not None:
                on_geometry(rows[-1])

        moved: Any = FrechetCellFilter(atoms) if cell else atoms
        left = ""
        with BFGS(moved, logfile=None) as optimiser:
            optimiser.attach(note)
            # ASE's own test is of the filter's gradients, whose unit is none of a stress.
            for _ in optimiser.irun(fmax=0, steps=most):
                if not (left := _left(atoms, limit, cell)):
                    break
        replace_file(folder / PICTURE, png_of(figure_of(_charts(rows, limit), source.stem)))
        if left:
            done = len(rows) - 1
            raise NumericsError(
                f"the geometry is not relaxed after {done} step{'s' * (done != 1)}",
                where=str(folder / PATH),
                value=left,
                limit=f"{limit:.4g} eV/Å" + (f", {_most_stress} GPa" if cell else ""),
                hint=f"continue with --structure {folder / PATH} --out NEW, or a larger --force",
            )
        write(folder / RELAXED, atoms.copy(), format="extxyz")  # no input reads results
    return Relaxation(folder, atoms, rows)


def _row(number: int, atoms: Atoms) -> Row:
    energy = float(atoms.get_potential_energy())
    volume, iterations = float(atoms.get_volume()), int(atoms.calc.iterations)
    return (number, energy, _largest(atoms), volume, iterations)


def _largest(atoms: Atoms) -> float:
    """Return the largest force on an atom that may move, eV/Å."""
    return float(np.linalg.norm(atoms.get_forces(), axis=1).max())


def _left(atoms: Atoms, limit: float, cell: bool) -> str:
    """Return the force and the stress that are left, or nothing if both are within their limits."""
    force, stress = _largest(atoms), _stress(atoms) if cell else 0.0
    if force <= limit and stress <= _most_stress:
        return ""
    return f"{force:.4g} eV/Å" + (f", {stress:.3g} GPa" if cell else "")


def _checked(force: str, steps: int, pes: int | None) -> tuple[float, int, int | None]:
    """Return the limit of forces (eV/Å), the number of steps, and that of threads."""
    problems: list[Problem] = []
    limit = gathered(problems, checked_quantity, force, units.force, _forces)
    most = gathered(problems, checked_count, steps, "--steps", "steps", 1)
    threads = gathered(problems, checked_pes, pes)
    if limit is None or most is None or problems:
        raise InputError(problems)
    return limit * _ev_per_angstrom, most, threads


def _stress(atoms: Atoms) -> float:
    """Return the largest component of the stress, GPa."""
    return float(np.abs(atoms.get_stress()).max()) * _gpa


def _write_table(file: Path, rows: list[Row]) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def _charts(rows: list[Row], limit: float) -> list[Chart]:
    columns = np.array(rows, float).T
    x, energy, force = columns[0], columns[1], columns[2]
    fall = np.maximum(energy - energy.min(), 0)
    last = "geometry"
    return [
        Chart("energy above the\nlowest / eV", last, [Curve("", x, fall, "C0")], whole=True),
        Chart(
            "largest force\n/ eV/Å",
            last,
            [Curve("", x, force, "C3")],
            logarithmic=True,
            levels=[Level("limit", limit)],
            whole=True,
        ),
    ]
