# SPDX-License-Identifier: BSD-3-Clause
"""The atoms and the cell: read by ASE, checked, and brought into Hartree atomic units."""

from __future__ import annotations

import warnings
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.input.aside.of_atoms import (
    notes_of,
    occupancy_problem,
    take_masses,
)
from finegrain.ab_initio.input.aside.of_text import complete
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.built_in import PREFIX, built_in
from finegrain.ab_initio.ions.overlaps import far_apart, overlap_problem
from finegrain.ab_initio.ions.plain_xyz import read_plain_xyz
from finegrain.ab_initio.ions.structure import Structure
from finegrain.base.cells import Floats
from finegrain.errors import Problem
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton, hartree_in_ev
from finegrain.words.library_errors import said

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

most_atoms = 4000  # a matrix of all pairs of their orbitals has to fit into memory
_flattest = 1e-6  # volume of a cell over the product of its edges
_shortest = 0.01  # Å, of an edge; the bound of edges in an input too
_farthest = 1e6  # Å
_counted = 20_000_000  # bytes of a file whose frames are counted


def read_structure(given: AbInitioInput, atoms: Atoms | None = None) -> Structure | None:
    """Read the structure of an input; its problems go to `given`.

    Parameters
    ----------
    given : GivenInput
    atoms : ase.Atoms, optional
        Instead of those of the file.

    Returns
    -------
    Structure or None
        None if the file cannot be used.
    """
    source, key = given.source, "system.structure"
    read = _atoms(given) if atoms is None else atoms
    if isinstance(read, Problem):
        given.problems.append(source.problem(key, read.what, limit=read.limit, hint=read.hint))
        return None
    if atoms is None:
        take_masses(read)
        if not given.model.system.structure.startswith(PREFIX):
            given.notes += complete(given.path_of(given.model.system.structure), read)
        given.notes += notes_of(read, velocities=_velocities_are_used(given))
    atoms = read
    vectors, found = _cell(given, atoms)
    if atom_problem := _atom_problem(atoms):
        found.append(
            source.problem(key, atom_problem.what, limit=atom_problem.limit, hint=atom_problem.hint)
        )
    given.problems += found
    if vectors is None or atom_problem:
        return None
    if np.linalg.det(vectors) < 0:
        vectors = vectors * np.array([[1.0], [1.0], [-1.0]])  # the same lattice
        given.notes.append("the third vector of the cell is reversed: the vectors were left-handed")
    if atoms.get_initial_charges().any():
        given.notes.append("charges of the file are not used: the cell is neutral")
    if note := _not_periodic(given, atoms):
        given.notes.append(note)
    structure = Structure(
        vectors / bohr_in_angstrom,
        np.asarray(atoms.get_positions(), np.float64) / bohr_in_angstrom,
        tuple(atoms.get_chemical_symbols()),
        np.asarray(atoms.get_masses(), np.float64) / electron_mass_in_dalton,
        np.asarray(atoms.get_initial_magnetic_moments(), np.float64),
        _velocities(atoms),
    )
    structure = replace(structure, mass=_masses(given, structure))
    least = given.model.system.least_distance
    if problem := overlap_problem(structure, None if least is None else least.value):
        key = "system.least_distance" if least is not None else key
        given.problems.append(
            Problem(problem.what, source.place(key), problem.value, problem.limit, problem.hint)
        )
    elif note := far_apart(structure):
        given.notes.append(note)
    return structure


def _velocities(atoms: Atoms) -> Floats | None:
    """Return the velocities of the file, bohr per au time: momenta over its masses.

    The unit of ASE's momenta is (Da eV)^(1/2).
    """
    if not atoms.has("momenta"):
        return None
    mass = np.asarray(atoms.get_masses(), np.float64) / electron_mass_in_dalton
    unit = 1 / sqrt(electron_mass_in_dalton * hartree_in_ev)
    return np.asarray(atoms.get_momenta() * unit / mass[:, None])


def _velocities_are_used(given: AbInitioInput) -> bool:
    """Return whether a dynamics may begin with the velocities of the file."""
    dynamics = given.model.dynamics
    if dynamics.kind == "ground-state" or dynamics.ions == "rest":
        return False
    return (dynamics.velocities or ("from-file" if dynamics.temperature is None else "")) == (
        "from-file"
    )


def _masses(given: AbInitioInput, structure: Structure) -> Floats:
    """Return masses with those of the input for some elements."""
    mass, symbols = structure.mass.copy(), np.array(structure.symbols)
    for element, wanted in (given.model.system.masses or {}).items():
        if element not in structure.symbols:
            what = f"has a mass for {element}, but the structure has no such element"
            limit = ", ".join(structure.elements)
            hint = "take it out, or correct the symbol"
            key = "system.masses"
            given.problems.append(given.source.problem(key, what, limit=limit, hint=hint))
        mass[symbols == element] = wanted.value
    return mass


def _atoms(given: AbInitioInput) -> Atoms | Problem:
    """Return the atoms as ASE has them, or why there are none."""
    system = given.model.system
    name = system.structure
    if name.startswith(PREFIX):
        if "frame" in system.model_fields_set:
            what = "has no use with a built-in structure"
            given.problems.append(given.source.problem("system.frame", what, hint="take it out"))
        return built_in(name.removeprefix(PREFIX))
    path = given.path_of(name)
    if not path.exists():
        return Problem("no such file", limit=str(path), hint="check the path")
    if path.is_dir():
        return Problem("is a folder, not a file", hint="name a file with atoms and their cell")
    if path.stat().st_size == 0:
        return Problem("is empty", hint="make the file again")
    if system.frame in (0, -1) and (plain := read_plain_xyz(path)) is not None:
        return plain
    if system.frame not in (0, -1) and (lost := _no_such_frame(path, system.frame)):
        return lost
    from ase.io import read
    from ase.io.formats import UnknownFileTypeError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = read(path, index=system.frame, do_not_split_by_at_sign=True)
    except UnknownFileTypeError:
        hint = (
            "ASE reads xyz, cif, POSCAR, pdb, gen and many others; `ase info --formats` lists all"
        )
        return Problem("is of no format that ASE knows", hint=hint)
    except Exception as error:  # readers of ASE raise errors of any kind
        if isinstance(error, KeyError) and str(error.args[0]) in ("D", "T"):
            what = f"names the isotope {error.args[0]}"
            hint = 'write H in the file, and [system] masses = { H = "2.014 Da" } for deuterium'
            return Problem(what, hint=hint)
        hint = "is the file whole, and of the format that its name says?"
        return Problem("cannot be read", limit=said(error), hint=hint)
    if isinstance(found, list):
        found = found[-1]
    counted = "frame" not in system.model_fields_set and path.stat().st_size < _counted
    if counted and (count := _frames(path)) > 1:
        given.notes.append(
            f"{path.name} has {count:,} frames, and the last one is taken; another: [system] "
            "frame = 0 for the first, and so on"
        )
    if len(found) == 0:
        return Problem("has no atoms", hint="is the file whole?")
    return found


def _no_such_frame(path: Path, frame: int) -> Problem | None:
    """Return a problem if the file can be read but lacks this frame."""
    count = _frames(path)
    if count == 0 or -count <= frame < count:
        return None
    limit, hint = f"0 to {count - 1:,}", "frames count from 0; -1 is the last"
    return Problem(f"has no frame {frame}", limit=limit, hint=hint)


def _frames(path: Path) -> int:
    """Return the number of structures in a file; 0 if it cannot be read at all."""
    from ase.io import read

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return len(read(path, index=":", do_not_split_by_at_sign=True))
    except Exception:
        return 0


def _atom_problem(atoms: Atoms) -> Problem | None:
    """Return what makes the atoms impossible to use."""
    numbers, positions = atoms.get_atomic_numbers(), atoms.get_positions()
    if len(atoms) > most_atoms:
        what = f"has {len(atoms):,} atoms"
        return Problem(what, limit=f"{most_atoms:,} atoms", hint="take a smaller system")
    strange = np.flatnonzero((numbers < 1) | (numbers > len(SYMBOLS)))
    if len(strange):
        what = f"atom {strange[0] + 1} is of no element"
        hint = "write the symbol of its element, such as O; dummy atoms cannot be computed"
        return Problem(what, limit=f"{atoms.get_chemical_symbols()[strange[0]]}", hint=hint)
    lost = np.flatnonzero(~(np.abs(positions) < _farthest).all(axis=1))
    if len(lost):
        what = f"atom {lost[0] + 1} has no position within {_farthest:.0e} Å"
        return Problem(what, hint="make the file again")
    if problem := occupancy_problem(atoms):
        return problem
    moments = atoms.get_initial_magnetic_moments()
    if np.ndim(moments) != 1 or not np.isfinite(moments).all():
        what = "has magnetic moments that are not one number for each atom"
        return Problem(what, hint="spin is collinear: moments are numbers, not vectors")
    masses = atoms.get_masses()
    wrong = np.flatnonzero(~((masses > 0) & (masses < 1000)))
    if len(wrong):
        what = f"atom {wrong[0] + 1} has a mass of {masses[wrong[0]]:g} Da"
        return Problem(what, limit="0 to 1000 Da", hint="correct the file")
    return None


def _cell(given: AbInitioInput, atoms: Atoms) -> tuple[Floats | None, list[Problem]]:
    """Return the vectors in rows, Å; the input's own have priority over those of the file."""
    own, source = given.model.system.cell, given.source
    if own is not None:
        vectors, key = np.array(own.vectors) * bohr_in_angstrom, "system.cell"
    else:
        vectors, key = np.array(atoms.get_cell().array, np.float64), "system.structure"
        if not vectors.any():
            if any("system.cell" in problem.value for problem in given.problems):
                return None, []  # a wrong one has been reported already
            what = "has no cell"
            hint = 'add cell = ["10 Å", "10 Å", "10 Å"]; a molecule needs 3 Å of vacuum around it'
            return None, [source.problem(key, what, hint=hint)]
    if np.isfinite(vectors).all() and _spans_a_volume(vectors):
        return vectors, []
    rows = "; ".join("(" + ", ".join(f"{x:.3f}" for x in row) + ")" for row in vectors)
    hint = 'give three vectors that span a volume: cell = ["10 Å", "10 Å", "10 Å"]'
    return None, [source.problem(key, "spans no volume", limit=f"vectors {rows} Å", hint=hint)]


def _not_periodic(given: AbInitioInput, atoms: Atoms) -> str:
    """Return a note if the atoms are periodic in fewer directions than the calculation."""
    system = given.model.system
    if system.boundary != "periodic" or system.cell is not None or atoms.pbc.all():
        return ""
    written = " ".join("T" if one else "F" for one in atoms.pbc)
    note = (
        f'pbc = "{written}" of the structure is not used: the cell is periodic in all three '
        "directions, and only vacuum separates images"
    )
    if not atoms.pbc.any():
        note += '; for a molecule without images: [system] boundary = "isolated"'
    return note


def _spans_a_volume(vectors: Floats) -> bool:
    """Return whether no vector is nothing, or nearly in the plane of the other two."""
    edges = np.linalg.norm(vectors, axis=1)
    if edges.min() < _shortest:
        return False
    return bool(abs(np.linalg.det(vectors / edges[:, None])) > _flattest)
