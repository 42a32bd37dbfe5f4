# SPDX-License-Identifier: BSD-3-Clause
"""Atoms of ASE in an input that is given in Python.

They become a trajectory of ASE with one frame, which holds numbers with all their digits, cell,
masses, moments, momenta and constraints.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from finegrain.ab_initio.input.aside.of_atoms import occupancy_problem
from finegrain.base.visible import visible
from finegrain.toml_input.from_python import TakenObjects
from finegrain.toml_input.python_values import kind_in_words

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_file = "structure.traj"
_limit = "the name of a file, or atoms of ASE"
_kept = frozenset(
    ("numbers", "positions", "momenta", "masses", "initial_magmoms", "initial_charges", "tags")
)


def take_objects(system: Mapping[str, Any]) -> TakenObjects:
    """Take atoms out of [system]."""
    taken, given = TakenObjects(), system.get("structure")
    if given is None or isinstance(given, str | os.PathLike):
        return taken
    if isinstance(given, list | tuple) and given and all(map(_is_atoms, given)):
        hint = "give one of them, such as atoms[-1]"
        taken.refuse("structure", "are several structures", f"{len(given)} Atoms", _limit, hint)
    elif not _is_atoms(given):
        hint = 'such as ase.build.molecule("H2O", vacuum=4)'
        taken.refuse("structure", "is no structure", kind_in_words(given), _limit, hint)
    elif len(given) == 0:
        taken.refuse("structure", "has no atoms", "Atoms of ASE")
    elif problem := occupancy_problem(given):
        taken.refuse("structure", problem.what, "Atoms of ASE", problem.limit, problem.hint)
    elif unknown := sorted(
        {type(one).__name__ for one in given.constraints if not hasattr(one, "todict")}
    ):
        what = "has constraints that cannot be stored"
        hint = "take constraints of ASE, such as FixAtoms, or remove them: del atoms.constraints"
        limit = "each has a method todict"
        taken.refuse("structure", what, ", ".join(unknown), limit, hint)
    else:
        name = f"Atoms of ASE, {given.get_chemical_formula()}"
        taken.hold("structure", _file, _as_trajectory(given), name)
        others = sorted(set(given.arrays) - _kept)
        others += sorted(visible(str(name)) for name in set(given.info) - set(_plain_info(given)))
        if others:
            taken.notes.append(f"what the structure has too is not used: {', '.join(others)}")
    return taken


def _is_atoms(value: Any) -> bool:
    return hasattr(value, "get_chemical_symbols") and hasattr(value, "get_initial_magnetic_moments")


def _as_trajectory(atoms: Atoms) -> bytes:
    from ase.io.trajectory import TrajectoryWriter

    atoms = atoms.copy()  # without a calculator
    atoms.info = _plain_info(atoms)
    file = io.BytesIO()
    writer = TrajectoryWriter(file, mode="w")
    writer.write(atoms)
    return file.getvalue()


def _plain_info(atoms: Atoms) -> dict[str, Any]:
    """Return what a file can hold of the information that is no array."""
    return {
        name: value
        for name, value in atoms.info.items()
        if isinstance(name, str) and _is_plain(value)
    }


def _is_plain(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True
