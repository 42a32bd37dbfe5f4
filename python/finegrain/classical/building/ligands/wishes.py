# SPDX-License-Identifier: BSD-3-Clause
"""The user's words for ligands: which residue is which molecule, and with which charge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finegrain.errors import Problem, nearest

SUFFIXES = (".sdf", ".sd", ".mol", ".mol2")
_ligand = re.compile(r"([A-Za-z0-9]{1,5})=(.+)", re.DOTALL)
_charge = re.compile(r"([A-Za-z0-9]{1,5})=([+-]?\d{1,2})", re.ASCII)
_smiles = "smiles:"
_most_charge = 20
_how = "such as --ligand LIG=ligand.sdf, LIG=ligand.mol2 or LIG=smiles:CCO"


@dataclass(frozen=True)
class LigandWish:
    """One ligand as the user gives it.

    Attributes
    ----------
    name : str
        The name of its residues.
    source : str
        A path, or a SMILES.
    charge : int, optional
        Net charge, e; None for that of the source.
    """

    name: str
    source: str
    smiles: bool
    charge: int | None = None

    @property
    def shown(self) -> str:
        """Return the source as a report names it."""
        return f"SMILES {self.source}" if self.smiles else Path(self.source).name

    @property
    def where(self) -> str:
        """Return the source as a problem names it."""
        return f"--ligand {self.name}" if self.smiles else self.source


def ligand_wishes(
    words: str | Sequence[str], charges: str | Sequence[str], problems: list[Problem]
) -> tuple[LigandWish, ...]:
    """Return the ligands; add words that cannot be read to `problems`."""
    found: dict[str, LigandWish] = {}
    for word in _listed(words):
        match = _ligand.fullmatch(word)
        if match is None:
            what = "names no residue and its molecule"
            problems.append(Problem(what, "--ligand", word, hint=_how))
            continue
        name, source = match[1].upper(), match[2].strip()
        smiles = source.lower().startswith(_smiles)
        source = source[len(_smiles) :].strip() if smiles else source
        if name in found:
            what = f"is a second molecule for the residues {name}"
            hint = "all residues of a name are the same molecule: rename one of them in the file"
            problems.append(Problem(what, "--ligand", word, hint=hint))
        elif not source:
            problems.append(Problem("names no molecule", "--ligand", word, hint=_how))
        else:
            found[name] = LigandWish(name, source, smiles)
    for name, charge in _charges(charges, found, problems).items():
        wish = found[name]
        found[name] = LigandWish(name, wish.source, wish.smiles, charge)
    return tuple(found.values())


def _listed(words: str | Sequence[str]) -> list[str]:
    return [words] if isinstance(words, str) else [str(word) for word in words]


def _charges(
    words: str | Sequence[str], ligands: dict[str, LigandWish], problems: list[Problem]
) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in _listed(words):
        match = _charge.fullmatch(word.strip())
        if match is None or abs(int(match[2])) > _most_charge:
            what = "names no residue and its whole charge"
            limit = f"-{_most_charge} to {_most_charge} e"
            hint = "such as --ligand-charge LIG=-1"
            problems.append(Problem(what, "--ligand-charge", word, limit, hint))
            continue
        name = match[1].upper()
        if name not in ligands:
            close = nearest(name, [one.lower() for one in ligands])
            hint = (
                f"did you mean {close.upper()}?" if close else f"say which molecule it is, {_how}"
            )
            limit = ", ".join(ligands)
            problems.append(Problem("is no --ligand", "--ligand-charge", word, limit, hint))
        elif found.setdefault(name, int(match[2])) != int(match[2]):
            what, hint = f"is a second charge of {name}", "give one"
            problems.append(Problem(what, "--ligand-charge", word, hint=hint))
    return found
