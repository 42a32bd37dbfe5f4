# SPDX-License-Identifier: BSD-3-Clause
"""The atoms that a user names: by number, or by a word such as "backbone"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.system.molecules import find_molecules, heaviest_hydrogen
from finegrain.classical.system.system import ClassicalSystem, Ints
from finegrain.errors import nearest
from finegrain.units import electron_mass_in_dalton

_Mask = NDArray[np.bool_]

_backbone = ("N", "CA", "C")  # as the group of that name in GROMACS
# The residues of proteins in AMBER, CHARMM, GROMACS and OpenMM, with their caps.
_named_amino_acids = (
    "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL "
    "ASH CYM CYX GLH HID HIE HIP HSD HSE HSP LYN LSN ASPP GLUP CYS2 HISD HISE HISH "
    "ACE NME NHE NH2 MSE HYP ORN SEP TPO PTR"
)
_amino_acids = frozenset(_named_amino_acids.split())
_numbers = re.compile(r"([0-9]+)(?:\s*-\s*([0-9]+))?", re.ASCII)
_by_name = re.compile(r"(name|residue)\s+(\S+)")


class SelectionError(ValueError):
    """A selection that cannot be made; `what`, `value`, `limit` and `hint` as of a `Problem`."""

    def __init__(self, what: str, value: str, limit: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what, self.value, self.limit, self.hint = what, value, limit, hint


def is_protein(system: ClassicalSystem) -> _Mask:
    """Return which atoms are of amino acids; in AMBER ends of chains have N or C before the name.

    Returns
    -------
    bool, shape (atoms,)
    """
    names = [name.strip().upper() for name in system.names.residue_name]
    known = np.array(
        [n in _amino_acids or (n[:1] in ("N", "C") and n[1:] in _amino_acids) for n in names],
        dtype=bool,
    )
    return np.asarray(known[system.names.residue])


def _is_heavy(system: ClassicalSystem) -> _Mask:
    return np.asarray(system.mass * electron_mass_in_dalton > heaviest_hydrogen)


def _is_solute(system: ClassicalSystem) -> _Mask:
    """All but waters and single atoms, which are ions."""
    molecules = find_molecules(system)
    return np.asarray(~(molecules.water | molecules.alone)[molecules.of_atom])


def _named(system: ClassicalSystem, names: Sequence[str]) -> _Mask:
    return np.isin(np.array(system.names.atom), names)


words: dict[str, tuple[str, Callable[[ClassicalSystem], _Mask]]] = {
    "all": ("every atom", lambda system: np.ones(system.atoms, dtype=bool)),
    "heavy atoms": ("all but hydrogens", _is_heavy),
    "protein": ("amino acids, with their hydrogens", is_protein),
    "protein heavy atoms": (
        "amino acids without hydrogens",
        lambda system: is_protein(system) & _is_heavy(system),
    ),
    "backbone": (
        "N, CA and C of amino acids",
        lambda system: is_protein(system) & _named(system, _backbone),
    ),
    "CA": ("alpha carbons of amino acids", lambda s: is_protein(s) & _named(s, ("CA",))),
    "solute": ("all but waters and single ions", _is_solute),
    "solute heavy atoms": (
        "the same without hydrogens",
        lambda system: _is_solute(system) & _is_heavy(system),
    ),
}


def select(system: ClassicalSystem, wanted: Sequence[str | int]) -> Ints:
    """Return the atoms of a selection, each once, in the order of the system.

    Parameters
    ----------
    system : ClassicalSystem
    wanted : sequence of str or int
        Numbers from 1, ranges such as "1-340" with both ends, a word of `words`, "name CA" or
        "residue LIG". Virtual sites are never among the atoms of a word. If a number names one, it
        stays, so that the caller can refuse it.

    Returns
    -------
    int32, shape (selected,), from 0

    Raises
    ------
    SelectionError
        For a part that is unknown, or that selects nothing.
    """
    chosen = np.zeros(system.atoms, dtype=bool)
    real = ~system.sites.mask(system.atoms)
    for part in wanted:
        text = " ".join(str(part).split())
        if match := _numbers.fullmatch(text):
            first, last = int(match[1]), int(match[2] or match[1])
            if not 1 <= first <= last <= system.atoms:
                limit = f"1 to {system.atoms:,}, the atoms of the system"
                raise SelectionError("names no atom", text, limit, "atoms are counted from 1")
            chosen[first - 1 : last] = True
            continue
        if text in words:
            mask = words[text][1](system)
        elif match := _by_name.fullmatch(text):
            names = system.names
            of_residue = match[1] == "residue"
            own = np.array(names.residue_name)[names.residue] if of_residue else names.atom
            mask = np.array(own) == match[2]
        else:
            close = nearest(text, words)
            hint = f'did you mean "{close}"? ' if close else ""
            hint += f"one of {', '.join(words)}, name CA, residue LIG, or numbers such as 1-340"
            raise SelectionError("is no selection of atoms", text, hint=hint)
        if not (mask & real).any():
            hint = "do the files name atoms and residues? numbers such as 1-340 always work"
            raise SelectionError("selects no atoms", text, hint=hint)
        chosen |= mask & real
    return np.flatnonzero(chosen).astype(np.int32)
