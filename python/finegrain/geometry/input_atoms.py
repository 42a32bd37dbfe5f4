# SPDX-License-Identifier: BSD-3-Clause
"""The atoms of an ab initio input, with the calculator that the input describes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.ab_initio.input.load import AbInitioInput, load_source
from finegrain.ab_initio.preparation.prepare import prepare_input
from finegrain.base.arguments import PathOrObject, as_path, input_path
from finegrain.errors import InputError, InputNote
from finegrain.kinds.registry import kind_of_input
from finegrain.runs.preparation import our_errors
from finegrain.toml_input.source import read_toml
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_of_settings = ("cutoff", "functional", "pseudopotentials", "pseudopotential_folders")


def ab_initio_input(given: PathOrObject, what: str) -> Path:
    """Return the file of an ab initio input; refuse one of another kind, or a job.

    Parameters
    ----------
    what : str
        What it is wanted for, such as "a relaxation".
    """
    path = input_path(given)
    if path.suffix == ".h5":
        hint = "give the TOML input"
        raise InputError(f"{what} starts from an input", where=str(path), hint=hint)
    kind = kind_of_input(path)
    if kind.name != "ab-initio":
        hint = "a classical input minimises its energy by a section [minimise]; then: finegrain run"
        raise InputError(
            f"{what} is for electrons",
            where=str(path),
            value=f'kind = "{kind.name}"',
            limit='kind = "ab-initio"',
            hint=hint,
        )
    return path


def atoms_of(path: Path, structure_file: PathOrObject | None, pes: int | None) -> Atoms:
    """Return the atoms of an input with their calculator; nothing is computed yet.

    The sum of the forces, which the grid leaves, is removed unless the input says otherwise: it
    would move all atoms together.

    Parameters
    ----------
    path : Path
        An ab initio TOML input. Its [dynamics] and [output] have no meaning here.
    structure_file : path, optional
        Atoms, and their cell if it has one, in place of those of the input.
    pes : int or None
        Worker threads.

    Raises
    ------
    InputError
        With every problem of the input.
    """
    from ase import Atoms as AseAtoms

    from finegrain.ase import Finegrain  # importing ASE's calculators takes a while

    with our_errors():
        given = _input(path, structure_file)
        prepared = prepare_input(given)
    for note in dict.fromkeys(given.notes):
        warnings.warn(note, InputNote, stacklevel=3)
    structure, data = prepared.structure, given.source.data
    isolated = given.model.system.boundary == "isolated"
    atoms = AseAtoms(
        structure.symbols,
        structure.position * bohr_in_angstrom,
        cell=structure.vectors * bohr_in_angstrom,
        pbc=not isolated,
    )
    atoms.set_masses(structure.mass * electron_mass_in_dalton)
    atoms.set_initial_magnetic_moments(structure.moments)
    electrons = {"net_force": "remove", **data.get("electrons", {})}
    files = {one: str(pseudo.path.resolve()) for one, pseudo in prepared.species.items()}
    search = dict(data.get("ground_state", {}))
    if search.get("start") not in (None, "atomic", "random"):
        search.pop("start")  # orbitals of another run; those of the last geometry are nearer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)  # said already
        atoms.calc = Finegrain(
            cutoff=electrons["cutoff"],
            functional=electrons["functional"],
            pseudopotentials=files,
            electrons={key: one for key, one in electrons.items() if key not in _of_settings},
            ground_state=search,
            objects=data.get("objects", {}),
            boundary=given.model.system.boundary,
            pes=pes,
        )
    return atoms


def _input(path: Path, structure_file: PathOrObject | None) -> AbInitioInput:
    """Read an input, with another structure in place of its own."""
    source = read_toml(path)
    system = source.data.get("system")
    if structure_file is not None and isinstance(system, dict):
        file = as_path(structure_file)
        system["structure"] = str(file.resolve())
        system.pop("frame", None)
        if _has_cell(file):
            system.pop("cell", None)
    return load_source(source, strict=False)


def _has_cell(file: Path) -> bool:
    """Return whether a file of atoms has a cell; a file that is none is told later."""
    from ase.io import read

    try:
        atoms = read(file, do_not_split_by_at_sign=True)
    except Exception:  # readers of ASE raise errors of any kind
        return False
    return not isinstance(atoms, list) and atoms.cell.rank == 3


def new_folder(
    out: PathOrObject | None, source: Path, ending: str, own: tuple[str, ...], *, overwrite: bool
) -> Path:
    """Return the folder for results, made; complain if it has files that would be replaced.

    Parameters
    ----------
    ending : str
        What the usual name ends with: runs/NAME-ENDING.
    own : tuple of str
        Names of the files that will be written.
    """
    folder = as_path(out) if out is not None else Path("runs") / f"{source.stem}-{ending}"
    if folder.is_file():
        raise InputError("is a file, not a folder", where=str(folder), hint="name a folder")
    there = [name for name in own if (folder / name).exists()]
    if there and not overwrite:
        raise InputError(
            "holds results already",
            where=str(folder),
            value=", ".join(there),
            hint="choose another folder with --out, or replace them with --overwrite",
        )
    for name in there:
        (folder / name).unlink()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "choose another folder with --out"
        raise InputError(
            "cannot be made", where=str(folder), value=error.strerror or "", hint=hint
        ) from None
    return folder
