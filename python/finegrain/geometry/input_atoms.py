# SPDX-License-Identifier: BSD-3-Clause
"""The atoms of an ab initio input, with the calculator that the input describes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain import units
from finegrain.ab_initio.input.load import AbInitioInput, load_source
from finegrain.ab_initio.ions.built_in import PREFIX
from finegrain.ab_initio.preparation.prepare import prepare_input
from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError, InputNote
from finegrain.kinds.registry import kind_of_input
from finegrain.runs.preparation import our_errors
from finegrain.toml_input.source import InputFile, TomlSource, is_job, read_toml
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_unused = "what the structure has too is not used"  # energies and forces of path.xyz
_frames = "another: [system] frame"
_of_settings = ("cutoff", "functional", "pseudopotentials", "pseudopotential_folders")


def ab_initio_input(path: InputFile, what: str) -> InputFile:
    """Return an ab initio input; refuse one of another kind, or a job.

    Parameters
    ----------
    path : Path or TomlSource
    what : str
        What it is wanted for, such as "a relaxation".
    """
    if is_job(path):
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


def atoms_of(path: InputFile, structure: PathOrObject | None, pes: int | None) -> Atoms:
    """Return the atoms of an input with their calculator; nothing is computed yet.

    Atoms that the file of the structure holds fixed stay so. Without them the sum of the forces,
    which the grid leaves, is removed unless the input says otherwise: it would move all atoms
    together.

    Parameters
    ----------
    path : Path or TomlSource
        An ab initio input. Its [dynamics] and [output] are not read.
    structure : path, optional
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

    source = read_toml(path)
    for section in ("dynamics", "output"):
        source.data.pop(section, None)
    system = source.data.get("system")
    masses = system.pop("masses", None) if isinstance(system, dict) else None
    if structure is not None and isinstance(system, dict):
        _put(system, structure)
    try:
        with our_errors():
            given = load_source(source, strict=False)
            prepared = prepare_input(given)
    except InputError as error:
        raise _said_of(error, structure) from None
    found, data = prepared.structure, source.data
    atoms = AseAtoms(
        found.symbols,
        found.position * bohr_in_angstrom,
        cell=found.vectors * bohr_in_angstrom,
        pbc=given.model.system.boundary != "isolated",
    )
    atoms.set_masses(found.mass * electron_mass_in_dalton)
    _set_masses(atoms, masses, source)
    atoms.set_initial_magnetic_moments(found.moments)
    fixed = _fixed(given)
    atoms.set_constraint(fixed)
    quiet = (_unused, _frames) if structure is not None else ()
    for note in dict.fromkeys(given.notes):
        if not any(part in note for part in quiet) and not (fixed and _unused in note):
            warnings.warn(note, InputNote, stacklevel=3)
    usual = "keep" if fixed else "remove"
    electrons = {"net_force": usual, **data.get("electrons", {})}
    search = dict(data.get("ground_state", {}))
    if search.get("start") not in (None, "atomic", "random"):
        search.pop("start")  # orbitals of another run; those of the last geometry are nearer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)  # said already
        atoms.calc = Finegrain(
            cutoff=electrons["cutoff"],
            functional=electrons["functional"],
            pseudopotentials={one: str(s.path.resolve()) for one, s in prepared.species.items()},
            electrons={key: one for key, one in electrons.items() if key not in _of_settings},
            ground_state=search,
            objects=data.get("objects", {}),
            boundary=given.model.system.boundary,
            least_distance=data["system"].get("least_distance"),
            pes=pes,
        )
    return atoms


def _put(system: dict[str, Any], structure: PathOrObject) -> None:
    """Put another structure into [system]."""
    name = str(structure)
    system.pop("frame", None)
    if name.startswith(PREFIX):
        system["structure"] = name
        return
    file = as_path(structure)
    system["structure"] = str(file.resolve())
    if (atoms := _read(file)) is not None and atoms.cell.rank == 3:
        system.pop("cell", None)


def _said_of(error: InputError, structure: PathOrObject | None) -> InputError:
    """Return an error whose problems of the structure are those of the option that names it."""
    if structure is None:
        return error
    return InputError(
        [
            replace(one, where="--structure", value=str(structure))
            if one.value.startswith("system.structure")
            else one
            for one in error.problems
        ]
    )


def _set_masses(atoms: Atoms, masses: Any, source: TomlSource) -> None:
    """Give elements the masses of [system]."""
    if masses is None:
        return
    problems = []
    symbols = atoms.get_chemical_symbols()
    hint = 'such as masses = { H = "2.014 Da" }'
    values = atoms.get_masses()
    for element, text in masses.items() if isinstance(masses, dict) else [("", masses)]:
        key = f"system.masses.{element}" if element else "system.masses"
        try:
            mass = units.parse_quantity(text, units.mass).value * electron_mass_in_dalton
        except units.UnitError as error:
            problems.append(source.problem(key, error.what, hint=hint))
            continue
        if element not in symbols or not 0 < mass < 1000:
            what = "is no mass of an element of the structure"
            limit = ", ".join(dict.fromkeys(symbols))
            problems.append(source.problem(key, what, limit=limit, hint=hint))
        values[[one == element for one in symbols]] = mass
    if problems:
        raise InputError(problems, source=source.name)
    atoms.set_masses(values)


def _fixed(given: AbInitioInput) -> list[Any]:
    """Return what the file of the structure says of atoms that must not move."""
    system = given.model.system
    if system.structure.startswith(PREFIX):
        return []
    atoms = _read(given.path_of(system.structure), system.frame)
    if atoms is None:
        return []
    from ase.constraints import FixAtoms

    others = [one for one in atoms.constraints if not isinstance(one, FixAtoms)]
    if others:
        raise InputError(
            "holds atoms in a way that is not kept here",
            where=system.structure,
            value=", ".join(type(one).__name__ for one in others),
            limit="atoms that are fixed along all axes (FixAtoms)",
            hint="take it out of the file, or relax in Python with finegrain.ase",
        )
    return list(atoms.constraints)


def _read(file: Path, frame: int = -1) -> Atoms | None:
    """Return the atoms of a file; None if it is none, which is told elsewhere."""
    from ase.io import read

    try:
        found = read(file, index=frame, do_not_split_by_at_sign=True)
    except Exception:  # readers of ASE raise errors of any kind
        return None
    return found[-1] if isinstance(found, list) else found
