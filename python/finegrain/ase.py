# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio energies, forces and stresses for ASE, computed in this process.

>>> from ase.build import molecule
>>> from finegrain.ase import Finegrain
>>> water = molecule("H2O", vacuum=3.0, pbc=True)
>>> water.calc = Finegrain(cutoff="70 Ry", functional="PBE")  # doctest: +SKIP
>>> water.get_potential_energy()  # eV  # doctest: +SKIP
"""

from __future__ import annotations

import copy
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ase.calculators.calculator import (
    Calculator,
    PropertyNotImplementedError,
    all_changes,
    external_calculators,
    register_calculator_class,
)

from finegrain.ab_initio.input.calculator_settings import (
    DEFAULTS,
    NO_BIT,
    checked_settings,
    plain,
    same,
    source_of,
)
from finegrain.ab_initio.input.load import AbInitioInput, load_source
from finegrain.ab_initio.preparation.kept_job import Framework, KeptJob, symbols_of
from finegrain.ab_initio.states.ground_state import (
    ase_results,
    bohr_in_angstrom,
    hartree_in_ev,
)
from finegrain.errors import InputError, InputNote
from finegrain.runs.preparation import our_errors

if TYPE_CHECKING:
    from ase import Atoms

    from finegrain.base.cells import Floats
    from finegrain.runs.evaluation import Energies
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
        The cutoff of the orbitals, with its unit: "70 Ry".
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
    least_distance : str, optional
        Atoms that are closer are refused, such as "0.3 Å"; by default half of their bond length.
    pes : int, optional
        Worker threads; by default all cores that this process may use. The number changes no bit.
    companion_seconds : float
        Longest wait for one answer of the program that finds the dispersion, in seconds.

    Attributes
    ----------
    evaluation : Energies or None
        The last evaluation by terms, in Hartree atomic units.
    net_force : ndarray, float64, shape (3,), or None
        The sum of the forces of all atoms in the last evaluation, eV/Å. The grid makes it differ
        from zero.
    iterations : int
        The iterations of the last evaluation. It starts from the orbitals of the ones before, if
        the elements are the same.
    parameters : dict
        All settings. `set` changes them, and `todict` returns a copy, which ASE writes into its
        trajectories and databases.

    Raises
    ------
    InputError
        At once for a setting that does not exist, with the nearest one. When a value is asked for:
        if settings or atoms cannot be used, with all problems.
    NumericsError
        If the ground state was not found.
    ResourceError
        If memory does not suffice, or the program that finds the dispersion fails.
    ase.calculators.calculator.PropertyNotImplementedError
        If these atoms have no dipole moment, or no stress.

    Warns
    -----
    InputNote
        When the engine's objects are made: if something in the atoms or the settings may not be
        what you meant.

    Notes
    -----
    Results are in eV and Å: ``energy``, ``forces`` (atoms, 3), ``stress`` (6,) as ASE has it,
    ``magmom`` (Bohr magnetons) and ``dipole`` (3,) (e Å, from negative to positive charge).
    ``free_energy`` equals ``energy``, because orbitals are full or empty. The dipole moment needs
    8 bohr without ions along each vector of the cell. A molecule without images has no stress. The
    results have names of ASE only, so ``SinglePointCalculator(atoms, **calc.results)`` takes them.

    With ``electrons={"spin": "collinear"}`` the density begins from the initial magnetic moments
    of the atoms. They also give the number of unpaired electrons, if no ``multiplicity`` does.

    ASE has no name for the net force; it is `net_force`. ``electrons={"net_force": "remove"}``
    takes an equal part of it from each atom, as pw.x does. It does so also for atoms that
    `FixAtoms` or another constraint of ASE holds. The forces of the free atoms then no longer are
    derivatives of the energy, so keep the net force if atoms are fixed.

    The stress is that of a constant number of waves. In a relaxation of the cell with a low cutoff
    it differs from the slope of the energy at a constant cutoff.

    As long as only ions move, the engine's objects stay in memory. If the cell, the elements or
    the initial moments change, new objects are made, with waves for the new cell. Their search
    starts from the last orbitals (with spin from the moments). `close` gives the memory back. The
    job for the engine is a temporary file, which is removed after the first evaluation.

    A copy, also one by pickle for another process, has the settings and the results. It makes
    objects of its own at its next calculation, which starts from no orbitals.
    """

    implemented_properties = [  # noqa: RUF012 - as in ASE
        "energy",
        "free_energy",
        "forces",
        "stress",
        "magmom",
        "dipole",
    ]

    default_parameters = dict(DEFAULTS)  # noqa: RUF012 - as in ASE

    def __init__(
        self,
        *,
        cutoff: str = "",
        functional: str = "PBE",
        pseudopotentials: Mapping[str, str] | str = "auto",
        pseudopotential_folders: Sequence[str | Path] = (),
        electrons: Mapping[str, Any] | None = None,
        ground_state: Mapping[str, Any] | None = None,
        objects: Mapping[str, Any] | None = None,
        boundary: str = "periodic",
        least_distance: str | None = None,
        pes: int | None = None,
        companion_seconds: float = 600.0,
        **others: Any,
    ) -> None:
        self._job: KeptJob | None = None
        self.evaluation: Energies | None = None
        self.iterations = 0
        self._used: dict[str, Any] = {}  # the settings of the results
        super().__init__()  # type: ignore[no-untyped-call]
        self.set(
            cutoff=cutoff,
            functional=functional,
            pseudopotentials=pseudopotentials,
            pseudopotential_folders=pseudopotential_folders,
            electrons=electrons,
            ground_state=ground_state,
            objects=objects,
            boundary=boundary,
            least_distance=least_distance,
            pes=pes,
            companion_seconds=companion_seconds,
            **others,
        )
        if not cutoff:
            hint = 'such as cutoff="70 Ry"'
            raise InputError("missing setting", where="the calculator", value="cutoff", hint=hint)

    def set(self, **settings: Any) -> dict[str, Any]:
        """Change settings, with the names of the constructor's parameters.

        A table (`electrons`, `ground_state`, `objects`, `pseudopotentials`) is replaced as a whole.
        If results depend on a changed setting, they are forgotten. The next evaluation then makes
        new objects in the engine. `pes` and `companion_seconds` leave results as they are.

        Returns
        -------
        dict
            The settings that have changed.

        Raises
        ------
        InputError
            If there is no setting of such a name, with the nearest one; then none has changed.
        """
        given = checked_settings(settings)
        now = self.parameters
        changed = {
            name: value
            for name, value in given.items()
            if name not in now or not same(now[name], value)
        }
        now.update(copy.deepcopy(changed))
        if changed:
            self.close()
        if changed.keys() - NO_BIT:
            self.reset()
        return changed

    def reset(self) -> None:
        """Forget the results; the engine's objects stay until `close`, or another setting."""
        super().reset()  # type: ignore[no-untyped-call]
        self.evaluation, self.iterations = None, 0

    def todict(self, skip_default: bool = False) -> dict[str, Any]:
        """Return all settings, as ASE stores them: ``Finegrain(**calc.todict())`` has the same.

        Settings with their defaults are there too, because another version may have others.
        """
        found = super().todict(skip_default=skip_default)  # type: ignore[no-untyped-call]
        return {name: plain(value) for name, value in found.items()}

    def check_state(self, atoms: Atoms, tol: float = 1e-15) -> list[str]:
        """Return what has changed since the results were found."""
        if self.results and not same(self._used, _with_a_say(self.parameters)):
            return list(all_changes)  # somebody has written into `parameters`
        return list(super().check_state(atoms, tol))  # type: ignore[no-untyped-call]

    @property
    def net_force(self) -> Floats | None:
        """The sum of the forces in the last evaluation, eV/Å; None if the results are forgotten.

        With ``electrons={"net_force": "remove"}`` it is what was taken out of the forces.
        """
        if not self.results or self.evaluation is None or self.evaluation.net_force is None:
            return None
        return self.evaluation.net_force * (hartree_in_ev / bohr_in_angstrom)

    def get_spin_polarized(self) -> bool:
        """Return whether there are orbitals of each spin."""
        return bool(self.parameters["electrons"].get("spin", "none") != "none")

    def calculate(
        self,
        atoms: Atoms | None = None,
        properties: Sequence[str] = ("energy",),
        system_changes: Sequence[str] = tuple(all_changes),
    ) -> None:
        """Find the ground state; ASE calls this when atoms have changed."""
        if system_changes or not self.results:
            self.results, self.evaluation, self.iterations = {}, None, 0
            super().calculate(atoms, properties, system_changes)  # type: ignore[no-untyped-call]
            if self.atoms is None:
                hint = "atoms.calc = calc, or calc.get_potential_energy(atoms)"
                raise InputError("there are no atoms", where="the calculator", hint=hint)
            with our_errors():
                found = self._evaluate(self.atoms)
            job = self._job
            assert job is not None
            self.evaluation, self.iterations = found, job.iterations
            self.results = dict(ase_results(found)) | {"magmom": float(job.unpaired)}
        for name in properties:
            if name in _missing and name not in self.results:
                raise PropertyNotImplementedError(_missing[name])

    def close(self) -> None:
        """Give back the memory and the files of the last job; the next evaluation makes another."""
        self._own_job()
        self._job = None

    def __getstate__(self) -> dict[str, Any]:
        """Return settings and results; the objects of the engine stay in their process."""
        kept = {name: value for name, value in self.__dict__.items() if name != "_job"}
        return copy.deepcopy(kept) | {"_job": None}

    def _own_job(self) -> KeptJob | None:
        """Return the kept job, if it is of this process and not of the one that has forked it."""
        if self._job is not None and self._job.process != os.getpid():
            _of_parents.append(self._job)  # its threads are not here to end
            self._job = None
        return self._job

    def _evaluate(self, atoms: Atoms) -> Energies:
        settings = checked_settings(self.parameters)
        if not same(self._used, used := _with_a_say(settings)):
            self.close()
        self._used = used
        job, self._job = self._own_job(), None  # after an error the objects are of no use
        if job is not None and job.framework != Framework.of(atoms):
            with tempfile.TemporaryDirectory(prefix="finegrain-") as folder:
                start = self._start_from(job, atoms, Path(folder))
                job = None  # gives its memory back
                job = self._new_job(settings, atoms, start)
        elif job is None:
            job = self._new_job(settings, atoms)
        found = job.evaluate(_given(settings, atoms), atoms)
        self._job = job
        return found

    def _new_job(
        self,
        settings: Mapping[str, Any],
        atoms: Atoms,
        start: Mapping[str, str] = MappingProxyType({}),
    ) -> KeptJob:
        given = _given(settings, atoms, start)
        job = KeptJob(given, atoms, settings["pes"], settings["companion_seconds"])
        for note in dict.fromkeys(given.notes):
            warnings.warn(note, InputNote, stacklevel=2)
        return job

    def _start_from(self, last: KeptJob, atoms: Atoms, folder: Path) -> dict[str, str]:
        """Return how the next job starts: from the orbitals of the last one, if they fit."""
        if self.get_spin_polarized() or last.framework.symbols != symbols_of(atoms):
            return {}
        last.save(folder / "checkpoint.h5")
        return {"start": str(folder / "checkpoint.h5")}


_of_parents: list[KeptJob] = []


def _given(
    settings: Mapping[str, Any], atoms: Atoms, start: Mapping[str, str] = MappingProxyType({})
) -> AbInitioInput:
    return load_source(source_of(settings, symbols_of(atoms), start), strict=False)


def _with_a_say(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of the settings on which results depend."""
    return {name: plain(value) for name, value in settings.items() if name not in NO_BIT}


if "finegrain" not in external_calculators:  # so that ASE's databases can make it again
    register_calculator_class("finegrain", Finegrain)
