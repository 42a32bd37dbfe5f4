# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio energies, forces and stresses for ASE, computed in this process.

>>> from ase.build import molecule
>>> from finegrain.ase import Finegrain
>>> water = molecule("H2O", vacuum=3.0, pbc=True)
>>> water.calc = Finegrain(cutoff="70 Ry", functional="PBE")  # doctest: +SKIP
>>> water.get_potential_energy()  # eV  # doctest: +SKIP
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ase.calculators.calculator import Calculator, PropertyNotImplementedError, all_changes

from finegrain.ab_initio.ground_state import ase_results
from finegrain.ab_initio.kept_job import Framework, KeptJob, symbols_of
from finegrain.ab_initio.load import AbInitioInput, load_source
from finegrain.arguments import checked_companion_seconds, checked_pes
from finegrain.preparation import our_errors
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.toml_input.source import TomlSource

if TYPE_CHECKING:
    from ase import Atoms

    from finegrain.evaluation import Energies
else:
    Atoms = Any


# Why a result is not there, though the ground state was found.
_missing = {
    "dipole": "these atoms have no dipole moment: it needs 8 bohr (4.3 Å) without ions along each "
    "vector of the cell; in a crystal or a liquid it depends on where the cell is cut",
    "stress": 'a molecule without images (boundary = "isolated") has no stress',
}


class Finegrain(Calculator):
    """The ground state of electrons at the positions of ASE's atoms.

    Parameters
    ----------
    cutoff : str
        Of the orbitals, with its unit: "70 Ry".
    functional : str
        Such as "PBE" or "BLYP".
    pseudopotentials : mapping or str
        A file for each element, or "auto" to find them. Elements that the atoms do not have are
        left out, so one table serves for several molecules.
    pseudopotential_folders : sequence of path
        Searched first by "auto".
    electrons, ground_state, objects : mapping
        More keys of these sections of an input, such as ``ground_state={"tolerance": "1e-8
        hartree"}``; docs/reference/ab-initio-input.md lists them.
    boundary : str
        "periodic", or "isolated" for a molecule without periodic images, which has no stress.
    pes : int, optional
        Worker threads; by default all cores that this process may use. The number changes no bit.
    companion_seconds : float
        Longest wait for one answer of the program that finds the dispersion.

    Attributes
    ----------
    evaluation : Energies or None
        The last evaluation by terms, in Hartree atomic units.
    iterations : int
        Those of the last evaluation. It starts from the orbitals of the ones before, if the
        elements are the same.

    Raises
    ------
    InputError
        When a value is asked for: if settings or atoms cannot be used, with all problems.
    NumericsError
        If the ground state was not found.
    ResourceError
        If memory does not suffice, or the program that finds the dispersion fails.
    ase.calculators.calculator.PropertyNotImplementedError
        If these atoms have no dipole moment, or no stress.

    Notes
    -----
    Results are in eV and Å: ``energy`` (equal to ``free_energy``: orbitals are full or empty),
    ``forces``, ``stress``, ``magmom`` (Bohr magnetons), and ``dipole`` (e Å, from negative to
    positive charge) if there are 8 bohr without ions along each vector of the cell. A cell without
    such vacuum has no dipole moment, and a molecule without images no stress. With
    ``electrons={"spin": "collinear"}`` the initial magnetic moments of the atoms are where the
    density begins; they give the number of unpaired electrons too, if no ``multiplicity`` does.
    The stress is that of a constant number of waves; in a relaxation of the cell with a low
    cutoff it differs from the slope of the energy at a constant cutoff.

    The engine's objects stay in memory, and only ions move, until the cell, the elements or the
    initial moments change: then there are new ones, with waves for the new cell, and their search
    starts from the last orbitals (with spin from the moments). `close` gives the memory back. The
    job for the engine is a file in the folder for temporary files, which is removed after the
    first evaluation.
    """

    implemented_properties = [  # noqa: RUF012 - as in ASE
        "energy",
        "free_energy",
        "forces",
        "stress",
        "magmom",
        "dipole",
    ]

    def __init__(
        self,
        *,
        cutoff: str,
        functional: str = "PBE",
        pseudopotentials: Mapping[str, str] | str = "auto",
        pseudopotential_folders: Sequence[str | Path] = (),
        electrons: Mapping[str, Any] | None = None,
        ground_state: Mapping[str, Any] | None = None,
        objects: Mapping[str, Any] | None = None,
        boundary: str = "periodic",
        pes: int | None = None,
        companion_seconds: float = 600.0,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        named = (
            dict(pseudopotentials) if isinstance(pseudopotentials, Mapping) else pseudopotentials
        )
        self._settings: dict[str, dict[str, Any]] = {
            "electrons": {
                "cutoff": cutoff,
                "functional": functional,
                "pseudopotentials": named,
                **(
                    {"pseudopotential_folders": [*map(str, pseudopotential_folders)]}
                    if pseudopotential_folders
                    else {}
                ),
                **(electrons or {}),
            },
            "ground_state": dict(ground_state or {}),
            "objects": dict(objects or {}),
        }
        self._boundary = boundary
        self._pes = checked_pes(pes)
        self._companion_seconds = checked_companion_seconds(companion_seconds)
        self.evaluation: Energies | None = None
        self.iterations = 0
        self._job: KeptJob | None = None

    def calculate(
        self,
        atoms: Atoms | None = None,
        properties: Sequence[str] = ("energy",),
        system_changes: Sequence[str] = tuple(all_changes),
    ) -> None:
        """Find the ground state; ASE calls this when atoms have changed."""
        if system_changes or not self.results:
            super().calculate(atoms, properties, system_changes)  # type: ignore[no-untyped-call]
            assert self.atoms is not None  # ASE has kept a copy of them
            with our_errors():
                self.evaluation = self._evaluate(self.atoms)
            job = self._job
            assert job is not None
            self.iterations = job.iterations
            self.results = dict(ase_results(self.evaluation)) | {"magmom": float(job.unpaired)}
        for name in properties:
            if name in _missing and name not in self.results:
                raise PropertyNotImplementedError(_missing[name])

    def close(self) -> None:
        """Give back the memory and the files of the last job; the next evaluation makes another."""
        self._job = None

    def _evaluate(self, atoms: Atoms) -> Energies:
        job, self._job = self._job, None  # after an error the objects are of no use
        if job is not None and job.framework != Framework.of(atoms):
            with tempfile.TemporaryDirectory(prefix="finegrain-") as folder:
                start = self._start_from(job, atoms, Path(folder))
                job = None  # gives its memory back
                job = self._new_job(atoms, start)
        elif job is None:
            job = self._new_job(atoms)
        found = job.evaluate(self._given(atoms), atoms)
        self._job = job
        return found

    def _new_job(self, atoms: Atoms, start: Mapping[str, str] = MappingProxyType({})) -> KeptJob:
        return KeptJob(self._given(atoms, start), atoms, self._pes, self._companion_seconds)

    def _start_from(self, last: KeptJob, atoms: Atoms, folder: Path) -> dict[str, str]:
        """Return how the next job starts: from the orbitals of the last one, if they fit."""
        with_spin = self._settings["electrons"].get("spin", "none") != "none"
        if with_spin or last.framework.symbols != symbols_of(atoms):
            return {}
        last.save(folder / "checkpoint.h5")
        return {"start": str(folder / "checkpoint.h5")}

    def _given(
        self, atoms: Atoms, start: Mapping[str, str] = MappingProxyType({})
    ) -> AbInitioInput:
        return load_source(self._source(atoms, start), strict=False)

    def _source(self, atoms: Atoms, start: Mapping[str, str]) -> TomlSource:
        """Return the settings as if they had been read from a file."""
        data: dict[str, Any] = {
            "system": {
                "kind": "ab-initio",
                "title": "ASE",
                "structure": "atoms of ASE",
                "boundary": self._boundary,
            },
            **{name: {**values} for name, values in self._settings.items() if values},
        }
        files = data["electrons"]["pseudopotentials"]
        if isinstance(files, dict):  # one table may serve for several molecules
            others = set(SYMBOLS) - set(symbols_of(atoms))
            needed = {one: name for one, name in files.items() if one not in others}
            data["electrons"]["pseudopotentials"] = needed
        if start:
            data["ground_state"] = {**data.get("ground_state", {}), **start}
        text = json.dumps(data, indent=2, ensure_ascii=False, default=str)
        return TomlSource(Path("the calculator"), text, data)
