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
from typing import TYPE_CHECKING, Any

from ase.calculators.calculator import Calculator, all_changes

from finegrain.ab_initio.evaluation import energies
from finegrain.ab_initio.existing_job import AbInitioJob
from finegrain.ab_initio.ground_state import ase_results
from finegrain.ab_initio.job import checked_image
from finegrain.ab_initio.load import load_source
from finegrain.ab_initio.prepare import prepare_input
from finegrain.arguments import checked_pes
from finegrain.checkpoints import step_of_checkpoint
from finegrain.engine import load_engine
from finegrain.preparation import our_errors
from finegrain.ranks import usual_pes
from finegrain.toml_input.source import TomlSource
from finegrain.whole_file import replace_file

if TYPE_CHECKING:
    from ase import Atoms

    from finegrain.evaluation import Energies
else:
    Atoms = Any


class Finegrain(Calculator):
    """The ground state of electrons at the positions of ASE's atoms.

    Parameters
    ----------
    cutoff : str
        Of the orbitals, with its unit: "70 Ry".
    functional : str
        Such as "PBE" or "BLYP".
    pseudopotentials : mapping or str
        A file for each element, or "auto" to find them.
    pseudopotential_folders : sequence of path
        Searched first by "auto".
    electrons, ground_state, objects : mapping
        More keys of these sections of an input, such as ``ground_state={"tolerance": "1e-8
        hartree"}``; docs/reference/ab-initio-input.md lists them.
    boundary : str
        "periodic", or "isolated" for a molecule without periodic images, which has no stress.
    pes : int, optional
        Worker threads; by default all cores that this process may use. The number changes no bit.

    Attributes
    ----------
    evaluation : Energies or None
        The last evaluation by terms, in Hartree atomic units.
    iterations : int
        Those of the last evaluation. It starts from the orbitals of the one before, if the elements
        are the same.

    Raises
    ------
    InputError
        When a value is asked for: if settings or atoms cannot be used, with all problems.
    NumericsError
        If the ground state was not found.

    Notes
    -----
    Results are in eV and Å: ``energy`` (equal to ``free_energy``: orbitals are full or empty),
    ``forces``, ``stress``, ``magmom`` (Bohr magnetons). With ``electrons={"spin": "collinear"}``
    the initial magnetic moments of the atoms are where the density begins; they give the number of
    unpaired electrons too, if no ``multiplicity`` does. The stress is that of a constant number of
    waves; in a relaxation of the cell with a low cutoff it differs from the slope of the energy at
    a constant cutoff. The job for the engine is a file in the folder for temporary files, which is
    removed after each evaluation; the last orbitals are there until the calculator is gone.
    """

    implemented_properties = [  # noqa: RUF012 - as in ASE
        "energy",
        "free_energy",
        "forces",
        "stress",
        "magmom",
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
        self.evaluation: Energies | None = None
        self.iterations = 0
        self._kept: tempfile.TemporaryDirectory[str] | None = None  # holds the last orbitals
        self._kept_of: tuple[str, ...] = ()  # elements of the atoms that they are of
        self._unpaired = 0

    def calculate(
        self,
        atoms: Atoms | None = None,
        properties: Sequence[str] = ("energy",),
        system_changes: Sequence[str] = tuple(all_changes),
    ) -> None:
        """Find the ground state; ASE calls this when atoms have changed."""
        super().calculate(atoms, properties, system_changes)  # type: ignore[no-untyped-call]
        assert self.atoms is not None  # ASE has kept a copy of them
        self.evaluation = self._evaluate(self.atoms)
        self.results = dict(ase_results(self.evaluation)) | {"magmom": float(self._unpaired)}

    def _evaluate(self, atoms: Atoms) -> Energies:
        engine = load_engine()
        symbols = tuple(atoms.get_chemical_symbols())
        if self._kept is None:
            self._kept = tempfile.TemporaryDirectory(prefix="finegrain-")
        kept = Path(self._kept.name)
        orbitals = kept / "checkpoint.h5"
        if symbols != self._kept_of:
            orbitals.unlink(missing_ok=True)
        with our_errors(), tempfile.TemporaryDirectory(prefix="finegrain-") as folder:
            with_spin = self._settings["electrons"].get("spin", "none") != "none"
            start = {"start": str(orbitals)} if orbitals.exists() and not with_spin else {}
            prepared = prepare_input(load_source(self._source(start), strict=False), atoms)
            job = Path(folder) / "job.h5"
            replace_file(job, checked_image(prepared))
            self._unpaired = prepared.spins.magnetization
            orbitals.unlink(missing_ok=True)  # those of a search without success are no start
            answer = engine.energy(str(job), pes=self._pes or usual_pes(None), out=str(kept))
            self._kept_of = symbols
            self.iterations = step_of_checkpoint(orbitals)
            return energies(answer, AbInitioJob(job))

    def _source(self, start: Mapping[str, str]) -> TomlSource:
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
        if start:
            data["ground_state"] = {**data.get("ground_state", {}), **start}
        text = json.dumps(data, indent=2, ensure_ascii=False, default=str)
        return TomlSource(Path("the calculator"), text, data)
