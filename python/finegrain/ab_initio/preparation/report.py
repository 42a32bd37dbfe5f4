# SPDX-License-Identifier: BSD-3-Clause
"""Description of an ab initio run: sizes, pseudopotentials, division, memory and time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.ab_initio.division.checkpoint_sizes import bytes_of_checkpoints
from finegrain.ab_initio.division.fineness import enough_for
from finegrain.ab_initio.input.effective_cutoff import (
    effective_cutoff_of,
    in_words as effective_cutoff_in_words,
)
from finegrain.ab_initio.input.ion_method import IonMethod
from finegrain.ab_initio.input.words import (
    cell_in_words,
    electrons_in_words,
    formula,
    net_force_in_words,
    times,
)
from finegrain.ab_initio.preparation.dynamics import (
    dynamics_values,
    in_words as dynamics_in_words,
    iterations_of_step,
)
from finegrain.ab_initio.preparation.ion_costs import seconds_of_rest
from finegrain.ab_initio.preparation.job import checked_image
from finegrain.ab_initio.preparation.memory import memory_of
from finegrain.ab_initio.preparation.prepare import Prepared, prepare
from finegrain.pseudopotentials import Pseudopotential
from finegrain.runs.report import InputReport
from finegrain.toml_input.key_effects import attributes
from finegrain.toml_input.source import InputFile
from finegrain.units import bohr_in_angstrom
from finegrain.words.report import duration, file_size


@dataclass(kw_only=True)
class ReportOfElectrons(InputReport):
    """A checked input or job of an ab initio run.

    Attributes
    ----------
    cell_angstrom : list
        The vectors in rows.
    boundary : str
        "periodic", or "isolated" for a molecule without images.
    spin : str
        "none": every orbital holds two electrons, and `bands_down` is 0; or "collinear".
    empty : int
        Empty orbitals of all spins that are found after the ground state.
    cutoff_hartree : float
        The cutoff of |G|^2/2 for orbitals.
    effective_cutoff : dict
        Its energy, height and width [hartree]; empty without one.
    pseudopotentials : dict
        For each element at least its file and the SHA-256 of this file.
    dynamics : dict or None
        The settings of a dynamics in Hartree atomic units, as in the job; none for a ground state.
    """

    atoms: int
    formula: str
    cell_angstrom: list[list[float]]
    boundary: str
    electrons: int
    bands: int
    spin: str
    bands_up: int
    bands_down: int
    empty: int
    functional: str
    cutoff_hartree: float
    effective_cutoff: dict[str, float]
    grid: list[int]
    removes_net_force: bool
    pseudopotentials: dict[str, dict[str, Any]]
    nonlocal_part: IonMethod
    local_part: IonMethod
    dynamics: dict[str, Any] | None
    enough_for_pes: int

    def words(self) -> dict[str, str]:
        """Return names and values."""
        return {
            "title": "",
            "atoms": f"{self.atoms:,}, {self.formula}",
            "cell": cell_in_words(self.cell_angstrom),
            "boundary": self.boundary,
            "electrons": electrons_in_words(
                self.electrons, self.bands_up, self.bands_down, self.empty
            ),
            "functional": self.functional,
            "dispersion": "",
            **{f"pseudo {element}": "" for element in self.pseudopotentials},
            "cutoff": "",
            **dict(effective_cutoff_in_words(self.effective_cutoff)),
            "grid": times(self.grid),
            "net force": net_force_in_words(self.removes_net_force, self.functional),
            "ground state": "",
            "nonlocal": self.nonlocal_part.in_words(" an iteration"),
            "local": self.local_part.in_words(),
            "start": "",
            **(dynamics_in_words(self.dynamics) if self.dynamics else {}),
            "objects": "",
            "memory": "",
            "": "",
            "time": "",
            "steps": "",
        }

    def objects_in_words(self, of: Mapping[str, int]) -> str:
        """Return how orbitals, waves and pairs are divided, and for how many PEs that is enough."""
        return (
            f"blocks of {of['state_grain']} orbitals, {of['wave_parts']} parts of waves, "
            f"{of['density_parts']} of the density in {of['plane_pieces']} pieces, "
            f"{of['pair_groups']} groups of pairs in {of['pair_chunks']} chunks of waves, "
            f"tiles of {of['tile_grain']} orbitals; enough for {self.enough_for_pes} PEs"
        )


@dataclass(kw_only=True)
class AbInitioReport(ReportOfElectrons):
    """A checked input of an ab initio run.

    Attributes
    ----------
    plane_waves : int
        The number of waves in the half sphere of an orbital.
    density_waves : int
        The number of waves in the half sphere of the density.
    memory : float
        Bytes that a run takes, for all PEs together.
    checkpoint_memory : float
        Further bytes, for checkpoints in memory, in one process. In several processes they are
        twice as many. 0: a ground state has none.
    seconds_per_iteration : float
        On one core, roughly.
    """

    volume_angstrom3: float
    gradient_thresholds: str
    dispersion: str
    cutoff: str
    plane_waves: int
    density_waves: int
    start: str
    minimiser: str
    iterations: int
    tolerance: str
    energy_tolerance: str
    state_grain: int
    state_blocks: int
    wave_parts: int
    density_parts: int
    pair_groups: int
    tile_grain: int
    pair_chunks: int
    plane_pieces: int
    memory: float
    checkpoint_memory: float
    seconds_per_iteration: float

    def words(self) -> dict[str, str]:
        """Return names and values."""
        usual = super().words()
        more = f"{file_size(self.checkpoint_memory)} more with --memory-checkpoint-steps"
        return usual | {
            "cell": f"{usual['cell']}; {self.volume_angstrom3:,.1f} Å³",
            "functional": f"{self.functional}; gradient thresholds: {self.gradient_thresholds}",
            "dispersion": self.dispersion,
            **{f"pseudo {element}": _in_words(v) for element, v in self.pseudopotentials.items()},
            "cutoff": f"{self.cutoff}, {self.plane_waves:,} plane waves of a real orbital",
            "grid": f"{usual['grid']}, {self.density_waves:,} waves of the density",
            "ground state": f"{self.minimiser}, residual {self.tolerance}, "
            f"energy {self.energy_tolerance}, at most {self.iterations:,} iterations",
            "start": f"{self.start} orbitals",
            "objects": f"{self.state_blocks} {self.objects_in_words(vars(self))}",
            "memory": f"about {file_size(self.memory)}",
            "": f"{more}, twice that in several processes" if self.checkpoint_memory else "",
            "time": f"about {self.seconds_per_iteration:.2g} s an iteration on one core",
            "steps": self._time_of_steps(),
        }

    def _time_of_steps(self) -> str:
        """Return the time of a dynamics, whose steps are as long as some iterations."""
        if not self.dynamics:
            return ""
        each = iterations_of_step(self.dynamics)
        seconds = each * self.seconds_per_iteration
        whole = duration(seconds * int(self.dynamics["steps"]))
        words = "one iteration" if each == 1 else f"some {each} iterations"
        return f"about {seconds:.2g} s each, as {words}; all of them {whole}"


def check(
    path: str | InputFile,
    *,
    allow_scripts: bool = False,  # noqa: ARG001 - as for classical runs
) -> AbInitioReport:
    """Read an input and all files that it names; describe the run.

    Raises
    ------
    InputError
        With all problems that were found.
    ResourceError
        If the run does not fit into the memory of this machine.
    """
    prepared = prepare(path)
    checked_image(prepared)
    return report(prepared)


def report(prepared: Prepared) -> AbInitioReport:
    """Describe a prepared run."""
    model, structure, waves = prepared.given.model, prepared.structure, prepared.waves
    spins = prepared.spins.up, prepared.spins.down
    return AbInitioReport(
        source=prepared.given.source.name,
        atoms=len(structure.symbols),
        formula=formula(structure.symbols),
        cell_angstrom=(structure.vectors * bohr_in_angstrom).tolist(),
        boundary=model.system.boundary,
        volume_angstrom3=structure.volume * bohr_in_angstrom**3,
        electrons=prepared.electrons,
        bands=prepared.bands,
        spin=model.electrons.spin,
        bands_up=prepared.spins.up,
        bands_down=prepared.spins.down,
        empty=sum(prepared.empty),
        functional=prepared.functional,
        gradient_thresholds=model.electrons.gradient_thresholds,
        dispersion=_dispersion_in_words(prepared),
        cutoff=str(model.electrons.cutoff),
        cutoff_hartree=model.electrons.cutoff.value,
        effective_cutoff=effective_cutoff_of(attributes(model.electrons, "/electrons")),
        plane_waves=waves.orbitals.half,
        density_waves=waves.densities.half,
        grid=list(waves.grid),
        removes_net_force=model.electrons.net_force == "remove",
        pseudopotentials={
            element: _figures(pseudo) for element, pseudo in prepared.species.items()
        },
        dynamics=dynamics_values(model, prepared.structure),
        start=prepared.start,
        minimiser=model.ground_state.minimiser,
        iterations=model.ground_state.iterations,
        tolerance=str(model.ground_state.tolerance),
        energy_tolerance=str(model.ground_state.energy_tolerance),
        state_grain=prepared.division.state_grain,
        state_blocks=sum(map(prepared.division.blocks, spins)),
        wave_parts=prepared.division.wave_parts,
        density_parts=prepared.division.density_parts,
        pair_groups=prepared.division.pair_groups,
        tile_grain=prepared.division.tile_grain,
        pair_chunks=prepared.division.pair_chunks,
        plane_pieces=prepared.division.plane_pieces,
        enough_for_pes=enough_for(
            spins, prepared.division.state_grain, prepared.division.wave_parts
        ),
        memory=sum(memory_of(prepared).values()),
        checkpoint_memory=_checkpoint_memory(prepared),
        seconds_per_iteration=_seconds_per_iteration(prepared),
        nonlocal_part=prepared.nonlocal_part,
        local_part=prepared.local_part,
        notes=prepared.notes,
    )


def _dispersion_in_words(prepared: Prepared) -> str:
    if (found := prepared.dispersion) is None:
        return "none"
    return f"{found.model}, {found.program}, {found.energy:.6f} hartree"


def _figures(pseudo: Pseudopotential) -> dict[str, Any]:
    return {
        "file": str(pseudo.path),
        "name": pseudo.label,
        "format": pseudo.form,
        "functional": pseudo.functional.name,
        "valence_electrons": pseudo.charge,
        "projectors": pseudo.projectors,
        "core_correction": pseudo.core_corrected,
        "sha256": pseudo.sha256,
    }


def _in_words(values: dict[str, Any]) -> str:
    words = f"{values['name']} ({values['format']}, {values['functional']}), "
    words += f"{values['valence_electrons']:g} electrons, {values['projectors']} projectors"
    if values["core_correction"]:
        words += ", core correction"
    return f"{words}, {Path(values['file']).parent}"


def _checkpoint_memory(prepared: Prepared) -> float:
    values = dynamics_values(prepared.given.model, prepared.structure)
    if values is None:
        return 0.0
    return bytes_of_checkpoints(values, prepared.waves.orbitals.half, prepared.bands, 1)


def _seconds_per_iteration(prepared: Prepared) -> float:
    """Return the time of transforms, overlaps, and products with projectors."""
    rest = seconds_of_rest(prepared.waves, prepared.bands)
    return rest + prepared.nonlocal_part.seconds
