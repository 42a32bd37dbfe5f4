# SPDX-License-Identifier: BSD-3-Clause
"""Some of the atoms, chosen in the words of MDAnalysis: "protein", "name CA and resid 5:20"."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.base.connected import pairs_among
from finegrain.errors import InputError, ResourceError
from finegrain.formats.structure import NamedAtoms, Structure
from finegrain.units import angstrom_per_nm

Array = NDArray[Any]

_usual = '"protein", "name CA", "not resname HOH" or "around 5 protein"'


class Chooser:
    """Chooses atoms of a job, where they are in one structure.

    Raises
    ------
    ResourceError
        If MDAnalysis is not installed.
    """

    def __init__(self, job: NamedAtoms, structure: Structure) -> None:
        analysis = _mdanalysis()
        residue_of, names, numbers, chains = job.residues()
        chain_of: dict[str, int] = {}
        segments = [chain_of.setdefault(chain, len(chain_of)) for chain in chains]
        universe = analysis.Universe.empty(
            len(residue_of),
            n_residues=len(names),
            n_segments=len(chain_of),
            atom_resindex=residue_of,
            residue_segindex=segments,
            trajectory=True,
        )
        elements = [symbol.strip() for symbol in job.elements]
        for attribute, values in (
            ("names", job.names),
            ("types", elements),
            ("elements", elements),
            ("resnames", list(names)),
            ("resids", np.asarray(numbers)),
            ("segids", list(chain_of)),
            ("chainIDs", np.asarray(list(chains), object)[np.asarray(residue_of)]),
            ("bonds", np.unique(np.sort(np.asarray(job.bonds()).reshape(-1, 2), axis=1), axis=0)),
        ):
            universe.add_TopologyAttr(attribute, values)
        universe.atoms.positions = structure.positions * angstrom_per_nm
        if structure.box is not None:
            box = structure.box
            universe.dimensions = [*(cells.lengths(box) * angstrom_per_nm), *cells.angles(box)]
        self._universe = universe

    def choose(self, words: str, option: str) -> Array:
        """Return the numbers of the atoms that words of the user choose, in their order.

        Raises
        ------
        InputError
            If the words make no sense, or choose no atom.
        """

        def wrong(what: str) -> InputError:
            hint = f"in the words of MDAnalysis, such as {_usual}"
            return InputError(what, where=option, value=repr(words), hint=hint)

        if not isinstance(words, str) or not words.strip():
            raise wrong("is no selection of atoms")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = self._universe.select_atoms(words).indices
        except Exception as error:
            said = " ".join(str(error).split())
            raise wrong(f"is no selection of atoms: {said}") from None
        if len(found) == 0:
            raise wrong("chooses no atom")
        return np.sort(found)


class ChosenAtoms:
    """The names of some atoms of a job."""

    def __init__(self, job: NamedAtoms, atoms: Array) -> None:
        self.path: Path = job.path
        self.title: str = job.title
        self._job, self._atoms = job, atoms

    @property
    def names(self) -> list[str]:
        """Name of each atom."""
        every = self._job.names
        return [every[atom] for atom in self._atoms]

    @property
    def elements(self) -> list[str]:
        """Chemical symbol of each atom."""
        every = self._job.elements
        return [every[atom] for atom in self._atoms]

    def residues(self) -> tuple[Array, list[str], Array, list[str]]:
        """Return the residue of each atom, then name, number and chain of each residue."""
        residue_of, names, numbers, chains = self._job.residues()
        kept, place = np.unique(np.asarray(residue_of)[self._atoms], return_inverse=True)
        return (
            place,
            [names[residue] for residue in kept],
            np.asarray(numbers)[kept],
            [chains[residue] for residue in kept],
        )

    def bonds(self) -> Array:
        """Return pairs of bonded atoms."""
        return pairs_among(self._job.bonds(), self._atoms, len(self._job.names))


def _mdanalysis() -> Any:
    try:
        import MDAnalysis
    except ImportError:
        raise ResourceError(
            "a selection of atoms needs MDAnalysis, which is not installed",
            hint="pip install 'finegrain[convert]'",
        ) from None
    return MDAnalysis
