# SPDX-License-Identifier: BSD-3-Clause
"""Vibrations about a minimum: normal modes by differences of forces, and their infrared lines."""

from __future__ import annotations

import csv
import hashlib
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain import units
from finegrain.base.arguments import PathOrObject, checked_pes, gathered
from finegrain.engine.machine import version
from finegrain.errors import InputError, InputNote, Problem
from finegrain.files.whole import replace_file
from finegrain.geometry.input_atoms import ab_initio_input, atoms_of
from finegrain.geometry.quantities import Limits, checked_quantity
from finegrain.geometry.result_folder import held, refuse_results, result_folder
from finegrain.kinds.python_input import AnyInput, opened_input
from finegrain.page.charts import Chart, Curve, figure_of, png_of
from finegrain.words.report import table_text

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

Floats = NDArray[np.float64]
TABLE, PICTURE, MODES, STATE = "modes.csv", "spectrum.png", "modes.xyz", "displacements.json"
DISPLACEMENTS = "displacements"
COLUMNS = ("mode", "wavenumber (1/cm)", "intensity (km/mol)", "rigid motion (share)")
_wave_per_ev = 8065.543937349212  # 1/cm: 1 eV over h c, CODATA 2018
# 1/cm: the root of 1 eV/(Å^2 Da) over 2 pi c, CODATA 2018.
_wave_per_root = (
    1e-2 / (2 * np.pi * 299792458.0) * np.sqrt(1.602176634e-19 / 1.66053906660e-27) * 1e10
)
_vacuum = 8 * units.bohr_in_angstrom  # that the engine asks for where there is to be a dipole
_displacements = Limits("--displacement", "displacement", "0.001 Å", "0.1 Å", "0.01 Å")
_much_force = 0.05  # eV/Å, at a geometry whose vibrations are asked for
_width = 10.0  # 1/cm, half the width of a line of the picture at half its height
_rigid = 0.5
"""The share of a motion of the whole molecule above which a mode is no vibration."""


@dataclass(frozen=True)
class Vibrations:
    """Normal modes about a geometry.

    Attributes
    ----------
    path : Path
        The folder: `modes.csv`, `modes.xyz` (each mode as displacements, for viewers),
        `spectrum.png`, and `displacements`, what was computed, from which a second call continues.
    atoms : ase.Atoms
        The geometry, Å.
    wavenumbers : float64, shape (modes,)
        1/cm, rising; negative if the energy falls along the mode.
    intensities : float64, shape (modes,), or None
        They are of infrared lines, km/mol; None if the atoms have no dipole moment.
    modes : float64, shape (modes, atoms, 3)
        Displacements, Å Da^(1/2), such that those of a mode times the root of the mass have the
        length 1.
    rigid : float64, shape (modes,)
        The share of each mode that is motion of the whole molecule, or of the whole crystal.
    largest_force : float
        On an atom at the geometry, eV/Å.
    """

    path: Path
    atoms: Atoms
    wavenumbers: Floats
    intensities: Floats | None
    modes: Floats
    rigid: Floats
    largest_force: float

    @property
    def vibrations(self) -> NDArray[np.bool_]:
        """Which modes are vibrations, and no motion of the whole."""
        return self.rigid < _rigid

    @property
    def zero_point_energy(self) -> float:
        """Half of the quanta of all vibrations, eV."""
        real = self.vibrations & (self.wavenumbers > 0)
        return float(self.wavenumbers[real].sum()) / 2 / _wave_per_ev

    def text(self) -> str:
        """Return a table for reading."""
        rows = [["mode", "wavenumber / 1/cm", "infrared / km/mol", ""]]
        for number, wave in enumerate(self.wavenumbers):
            bright = "" if self.intensities is None else f"{self.intensities[number]:.2f}"
            what = "motion of the whole" if not self.vibrations[number] else ""
            if not what and wave < 0:
                what = "the energy falls along it: no minimum"
            rows.append([str(number), f"{wave:.1f}", bright, what])
        return (
            table_text(rows, numbers=(0, 1, 2))
            + f"\nzero-point energy {self.zero_point_energy:.4f} eV\n"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for programs."""
        return {
            "directory": str(self.path),
            "wavenumbers": self.wavenumbers,
            "wavenumbers_unit": "1/cm",
            "intensities": self.intensities,
            "intensities_unit": "km/mol",
            "vibrations": self.vibrations,
            "zero_point_energy": self.zero_point_energy,
            "zero_point_energy_unit": "eV",
            "largest_force": self.largest_force,
            "largest_force_unit": "eV/Å",
        }


def vibrations(
    input: AnyInput,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    structure: PathOrObject | None = None,
    displacement: str = "0.01 Å",
    pes: int | None = None,
    overwrite: bool = False,
    on_geometry: Callable[[int, int], object] | None = None,
) -> Vibrations:
    """Find the normal modes of the atoms of an ab initio input, and their infrared lines.

    Parameters
    ----------
    input : path or dict
        An ab initio TOML input, or a dict with its keys, see `run`. Its structure is a minimum
        (`relax` finds it).
    out : path, optional
        Folder of the results, by default ``runs/NAME-vibrations``. If a call with the same input
        was broken off there, this one continues it.
    structure : path, optional
        A file of atoms, and of their cell if it has one, in place of the input's structure, such as
        ``relaxed.xyz``.
    displacement : str
        How far each atom is moved along each axis, both ways, with its unit.
    pes : int, optional
        Worker threads; by default all cores that this process may use.
    overwrite : bool
        Replace results of another input or displacement; otherwise they are an error. What was
        computed for the same ones is always kept.
    on_geometry : callable, optional
        Called with the number of geometries that are done and that of all.

    Returns
    -------
    Vibrations

    Raises
    ------
    InputError
        With every problem of the input and of the arguments.
    NumericsError
        If a ground state was not found.

    Notes
    -----
    The second derivatives are central differences of forces at 6 N + 1 geometries of N atoms
    (`ase.vibrations`). Intensities are the squares of the derivatives of the dipole moment along a
    mode, as in Porezag and Pederson, Phys. Rev. B 54, 7830 (1996). They need 8 bohr (4.3 Å) and
    twice the displacement without ions along each vector of the cell. Without that, turns of a
    molecule are counted as vibrations. Unless the input says otherwise, the sum of the forces is
    removed. Atoms that the file of the structure holds fixed are not displaced.
    """
    from ase.vibrations import Infrared, Vibrations as Displaced

    with opened_input(input) as opened:
        source = ab_initio_input(opened, "a search for vibrations")
        delta, threads = _checked(displacement, pes)
        folder = result_folder(out, source, "vibrations")
        refuse_results(folder, (TABLE, PICTURE, MODES), source, structure, overwrite=True)
        atoms = atoms_of(source, structure, threads)
    state = _state(atoms, delta)
    keeps = _keeps(folder, state, overwrite=overwrite)
    with held(folder):
        force = float(np.linalg.norm(atoms.get_forces(), axis=1).max())
        if not keeps:
            _clear(folder)
            replace_file(folder / STATE, json.dumps({"input": state}).encode())
        if force > _much_force:
            warnings.warn(
                f"the structure is no minimum: a force of {force:.3f} eV/Å is left; relax it "
                "first (finegrain relax)",
                InputNote,
                stacklevel=2,
            )
        free = np.flatnonzero(~fixed_atoms(atoms))
        bright = _is_bright(atoms, delta)
        calculation = (Infrared if bright else Displaced)(
            atoms, indices=free.tolist(), name=str(folder / DISPLACEMENTS), delta=delta
        )
        _count(calculation, 6 * len(free) + 1, on_geometry)
        calculation.clean(empty_files=True)  # of a geometry at which a call was broken off
        calculation.run()
        calculation.read(method="standard", direction="central")
        result = _result(folder, atoms, calculation, bright, force)
        _write(result, source.stem)
    return result


def fixed_atoms(atoms: Atoms) -> NDArray[np.bool_]:
    """Return which atoms a constraint of ASE holds."""
    fixed = np.zeros(len(atoms), bool)
    for constraint in atoms.constraints:
        fixed[constraint.get_indices()] = True
    return fixed


def _checked(displacement: str, pes: int | None) -> tuple[float, int | None]:
    """Return the displacement (Å) and the number of threads."""
    problems: list[Problem] = []
    delta = gathered(problems, checked_quantity, displacement, units.length, _displacements)
    threads = gathered(problems, checked_pes, pes)
    if delta is None or problems:
        raise InputError(problems)
    return delta * units.bohr_in_angstrom, threads


def _state(atoms: Atoms, delta: float) -> str:
    """Return a digest of all on which the forces depend; masses change the modes only."""
    settings = atoms.calc.todict()
    for name in ("pes", "companion_seconds"):
        settings.pop(name)
    files = {
        element: hashlib.sha256(Path(file).read_bytes()).hexdigest()
        for element, file in settings.pop("pseudopotentials").items()
    }
    moments = atoms.get_initial_magnetic_moments().tolist()
    places = [atoms.numbers.tolist(), atoms.positions.tolist(), atoms.cell.array.tolist(), moments]
    fixed = fixed_atoms(atoms).tolist()
    asked = json.dumps([version(), settings, files, delta, places, fixed], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()


def _keeps(folder: Path, state: str, *, overwrite: bool) -> bool:
    """Return whether the folder has displacements of this state; refuse those of another."""
    try:
        before = json.loads((folder / STATE).read_text(encoding="utf-8"))["input"]
    except (OSError, ValueError, TypeError, KeyError):
        before = None
    if before == state:
        return True
    own = [name for name in (TABLE, PICTURE, MODES, STATE) if (folder / name).exists()]
    if any((folder / DISPLACEMENTS).glob("*")):
        own.append(DISPLACEMENTS)
    if own and not overwrite:
        raise InputError(
            "holds results of another input, structure or displacement",
            where=str(folder),
            value=", ".join(own),
            hint="choose another folder with --out, or replace them with --overwrite",
        )
    return False


def _clear(folder: Path) -> None:
    """Remove what an earlier call has written."""
    for name in (TABLE, PICTURE, MODES, STATE):
        (folder / name).unlink(missing_ok=True)
    for file in (folder / DISPLACEMENTS).glob("cache.*.json"):
        file.unlink()


def _is_bright(atoms: Atoms, delta: float) -> bool:
    """Return whether the dipole moment exists at all geometries.

    The engine asks for 8 bohr without ions along each vector of a periodic cell.
    """
    if "dipole" not in atoms.calc.results:
        return False
    if not atoms.pbc.all():
        return True
    share, _ = gaps(atoms)
    wide = share * atoms.cell.lengths() - 2 * delta
    if (wide >= _vacuum).all():
        return True
    warnings.warn(
        f"no infrared intensities: they need {_vacuum + 2 * delta:.2f} Å without ions along each "
        f"vector of the cell, and there are {wide.min() + 2 * delta:.2f} Å",
        InputNote,
        stacklevel=3,
    )
    return False


def gaps(atoms: Atoms) -> tuple[Floats, Floats]:
    """Return the largest part of each vector of the cell without atoms, and where it ends.

    Both are fractions of the vector.
    """
    found = np.sort(atoms.get_scaled_positions(wrap=True), axis=0)
    after = np.roll(found, -1, axis=0)
    after[-1] += 1
    at = (after - found).argmax(axis=0), np.arange(3)
    return (after - found)[at], after[at] % 1.0


def whole_molecule(atoms: Atoms) -> Floats:
    """Return positions, Å, in which the atoms are on one side of the largest gap of each vector."""
    if not atoms.pbc.all():
        return np.asarray(atoms.get_positions())
    _, begin = gaps(atoms)
    places = (atoms.get_scaled_positions(wrap=True) - begin + 1e-12) % 1.0
    return np.asarray(places @ atoms.cell.array)


def _count(calculation: Any, number: int, on_geometry: Callable[[int, int], object] | None) -> None:
    """Have the calculation tell how far it is."""
    if on_geometry is None:
        return
    calculate, done = calculation.calculate, 0

    def counted(*words: Any) -> Any:
        nonlocal done
        answer = calculate(*words)
        # The file of this geometry is there, but empty until ASE has the answer.
        done = len(list(Path(calculation.name).glob("*.json")))
        on_geometry(done, number)
        return answer

    calculation.calculate = counted


def _result(folder: Path, atoms: Atoms, calculation: Any, bright: bool, force: float) -> Vibrations:
    free = np.asarray(calculation.indices)
    roots = np.repeat(atoms.get_masses()[free] ** -0.5, 3)
    squares, modes = np.linalg.eigh(roots[:, None] * calculation.H * roots)
    waves = np.sign(squares) * np.sqrt(np.abs(squares)) * _wave_per_root
    intensities = None
    if bright:
        factor, _ = calculation.intensity_prefactor("km/mol")
        intensities = np.asarray(calculation.intensities, np.float64) * factor
    moved = np.zeros((len(waves), len(atoms), 3))
    moved[:, free] = (roots * modes.T).reshape(len(waves), -1, 3)
    rigid = np.zeros(len(waves))
    if len(free) == len(atoms):
        rigid = _rigid_shares(atoms, modes, turns=bright)
    return Vibrations(folder, atoms, waves, intensities, moved, rigid, force)


def _rigid_shares(atoms: Atoms, modes: Floats, *, turns: bool) -> Floats:
    """Return which share of each mode moves all atoms together, or turns them, if they are free."""
    mass = atoms.get_masses()
    roots = np.sqrt(mass)[:, None]
    axes = np.eye(3)
    motions = [np.broadcast_to(roots * axis, (len(mass), 3)) for axis in axes]
    if turns:
        whole = whole_molecule(atoms)
        away = whole - mass @ whole / mass.sum()
        motions += [roots * np.cross(axis, away) for axis in axes]
    columns = np.array(motions).reshape(len(motions), -1).T
    basis, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    basis = basis[:, sizes > 1e-6 * sizes[0]]  # a line has two turns
    return np.asarray(((basis.T @ modes) ** 2).sum(axis=0))


def _write(result: Vibrations, title: str) -> None:
    with (result.path / TABLE).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for number, wave in enumerate(result.wavenumbers):
            bright = "" if result.intensities is None else f"{result.intensities[number]:.6g}"
            writer.writerow([number, f"{wave:.4f}", bright, f"{result.rigid[number]:.4f}"])
    _write_modes(result)
    replace_file(result.path / PICTURE, png_of(figure_of([_chart(result)], title, height=3.0)))


def _write_modes(result: Vibrations) -> None:
    """Write each mode as a frame of an extended xyz file, with its displacements as forces are."""
    from ase.io import write

    frames = []
    for number, wave in enumerate(result.wavenumbers):
        frame = result.atoms.copy()
        frame.set_array("mode", result.modes[number])
        frame.info |= {"mode": number, "wavenumber": round(float(wave), 4)}
        frames.append(frame)
    write(result.path / MODES, frames, format="extxyz", columns=["symbols", "positions", "mode"])


def _chart(result: Vibrations) -> Chart:
    """Return the infrared spectrum; without intensities the density of modes."""
    waves = result.wavenumbers[result.vibrations]
    heights = np.ones(len(waves))
    y = "modes per 1/cm"
    if result.intensities is not None:
        heights, y = result.intensities[result.vibrations], "infrared absorption\n/ km/mol cm"
    end = 1.1 * max(500.0, float(waves.max(initial=0.0)))
    x = np.arange(0.0, end, _width / 5)
    lines = _width / np.pi / ((x[:, None] - waves) ** 2 + _width**2)
    return Chart(y, "wavenumber / 1/cm", [Curve("", x, lines @ heights, "C0")])
