# SPDX-License-Identifier: BSD-3-Clause
"""Description of a run: sizes, settings and their origin, memory and time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from finegrain.base import cells
from finegrain.base.visible import visible
from finegrain.classical.division import electrostatics as ewald, fineness
from finegrain.classical.division.division import lists_in_words
from finegrain.classical.division.step_estimate import StepEstimate, estimate_own_step
from finegrain.classical.input import impulses
from finegrain.classical.input.baths import baths_in_words, thermostat
from finegrain.classical.input.sections.dynamics import DynamicsSection
from finegrain.classical.preparation.job import checked_image
from finegrain.classical.preparation.memory import memory_of
from finegrain.classical.preparation.messages import Messages, count_messages
from finegrain.classical.preparation.notes import (
    notes_of,
    start_of_velocities,
    what_run_refuses,
)
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.preparation.stages import prepare_stages
from finegrain.engine.engine import usable_cores
from finegrain.runs.report import InputReport
from finegrain.toml_input.source import InputFile, read_toml
from finegrain.units import (
    Ramp,
    bohr_in_angstrom,
    bohr_in_nm,
    force_in_kj_per_mol_nm,
    hartree_in_kelvin,
    in_angstrom,
    time_in_fs,
    time_in_ps,
)
from finegrain.words.report import atoms_in_words, duration, file_size


@dataclass(kw_only=True)
class ClassicalReport(InputReport):
    """A checked input or job.

    Attributes
    ----------
    charge : float
        Elementary charges.
    box_nm : list
        Edges, nanometres; three vectors if the cell is tilted.
    settings : dict of str to str
        Each setting in words, with its origin if it is known.
    estimate : StepEstimate
        The estimate of a step on the PEs at hand.
    """

    details = ("division", "step")
    atoms: int
    waters: int
    virtual_sites: int
    charge: float
    box_nm: list[Any]
    periodic: bool
    settings: dict[str, str]
    patch_grid: list[int]
    pencil_grid: list[int]
    steps: int
    simulated_ps: float
    timestep_fs: float
    estimate: StepEstimate

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        return super().as_dict() | {"estimate": self.estimate.as_dict()}

    def words(self) -> dict[str, str]:
        """Return names and values."""
        box = cells.describe(np.array(self.box_nm), "nm")
        return {
            "title": "",
            "atoms": atoms_in_words(self.atoms, self.waters, self.virtual_sites),
            "box": box if self.periodic else "none (vacuum)",
            "charge": f"{self.charge:+.3f} e",
            "constraints": "",
            "freedom": "",
            **self.settings,
            "patches": _times(self.patch_grid),
            "length": f"{self.steps:,} steps, {self.simulated_ps:g} ps" if self.steps else "",
            "memory": "",
            "division": "",
            "messages": "",
            "step": "\n".join(self.estimate.lines()),
            "time": self.estimate.pace(self.timestep_fs),
        }


@dataclass(kw_only=True)
class Report(ClassicalReport):
    """A checked input.

    Attributes
    ----------
    memory : float
        Bytes that a run takes, for all PEs together.
    seconds_per_step : float
        The estimated seconds of a step on one core.
    why : dict of str to str
        Why the division is as it is, with what came next.
    messages : Messages or None
        What each process would send, if it was asked for.
    """

    fragments: int
    degrees_of_freedom: int
    reach: list[int]
    pairs: str
    cells: list[int] | None
    pair_computes: int
    enough_for_pes: int
    objects: int
    memory: float
    seconds_per_step: float
    why: dict[str, str]
    messages: Messages | None

    def _pairs_in_words(self) -> str:
        notes = []
        if max(self.reach) > 1:
            notes.append(f"pairs up to {_times(self.reach)} patches away")
        if self.pairs == "midpoint":
            cells = f" in {_times(self.cells)} cells cut by work" if self.cells else ""
            notes.append(f"pairs by their midpoints{cells}")
        words = f" ({', '.join(notes)})" if notes else ""
        if self.pairs == "half-shell":
            more = "s" if self.pair_computes > 1 else ""
            words += f", each with {self.pair_computes} pair compute{more}"
        return words

    def words(self) -> dict[str, str]:
        """Return names and values."""
        usual = super().words()
        seconds = self.estimate.seconds_here * self.steps
        whole = f"; {duration(seconds)} in all" if self.steps else ""
        return usual | {
            "freedom": f"{self.degrees_of_freedom:,} degrees, {self.fragments:,} fragments",
            "patches": f"{usual['patches']}{self._pairs_in_words()}; "
            f"{self.objects:,} objects, enough for {self.enough_for_pes} PEs",
            "memory": f"about {file_size(self.memory)}",
            "division": "\n".join(f"{name}: {words}" for name, words in self.why.items()),
            "messages": self.messages.in_words() if self.messages is not None else "",
            "time": usual["time"] + whole,
        }


def check(
    path: str | InputFile, *, allow_scripts: bool = False, ranks: int | None = None
) -> Report:
    """Read an input and all files that it names; describe the run.

    Parameters
    ----------
    allow_scripts : bool
        Whether a force field of the user's may execute Python.
    ranks : int, optional
        Count what each of so many processes would send.

    Raises
    ------
    InputError
        With all problems that were found.
    ResourceError
        If the run does not fit into the memory of this machine.
    """
    prepared = prepare(path, allow_scripts=allow_scripts)
    return report(prepared, checked_image(prepared), ranks)


_optional = (
    "restraints",
    "long range",
    "temperature",
    "thermostat",
    "barostat",
)  # that a stage may have, and the next one not


@dataclass(kw_only=True)
class StagedReport(InputReport):
    """A checked input with stages: a report of each, by the name of its folder."""

    stages: dict[str, Report]

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        stages = [{"stage": name} | one.as_dict() for name, one in self.stages.items()]
        return {"source": self.source, "stages": stages, "problems": []}

    def text(self, *, verbose: bool = False) -> str:
        """Return the report as text: the first stage in full, then what differs from it."""
        parts = []
        before: dict[str, str] = {}
        for name, one in self.stages.items():
            lines = one.lines(verbose=verbose)
            gone = [f"  {key}: none" for key in before if key not in lines and key in _optional]
            changed = (line for key, line in lines.items() if before.get(key) != line)
            parts += [name, *changed, *gone, ""]
            before = lines
        return visible("\n".join([f"fine  {self.source}, {len(self.stages)} stages", "", *parts]))


def check_stages(
    path: str | InputFile, *, allow_scripts: bool = False, ranks: int | None = None
) -> StagedReport:
    """Read an input with stages and all files that it names; describe each stage as `check` does.

    Raises
    ------
    InputError
        With the problems of all stages.
    ResourceError
        If a stage does not fit into the memory of this machine.
    """
    images: list[bytes] = []
    stages = prepare_stages(
        path, lambda one: images.append(checked_image(one)), allow_scripts=allow_scripts
    )
    reports = {
        stage.folder: report(stage.prepared, image, ranks)
        for stage, image in zip(stages, images, strict=True)
    }
    return StagedReport(source=read_toml(path).name, stages=reports)


def report(prepared: Prepared, image: bytes, ranks: int | None = None) -> Report:
    """Describe a prepared run, whose job's file has these contents, and what `ranks` send."""
    estimate = estimate_own_step(prepared.given.source.name, image, usable_cores())
    system, division, copies = prepared.system, prepared.division, prepared.system.copies
    dynamics, keys = prepared.given.model.dynamics, prepared.given.model.patches
    steps = dynamics.steps if dynamics else 0
    length = steps * dynamics.timestep.value * time_in_ps if dynamics else 0.0
    removed = 3 if dynamics is not None and dynamics.remove_com_motion else 0
    patches = math.prod(division.patch_grid)
    pme = prepared.settings.electrostatics == "pme"
    x, y = division.pencil_grid
    enough = max(
        fineness.enough_for(division.patch_grid, division.pair_computes),
        math.prod(keys.cells or [1]),
    )
    return Report(
        source=prepared.given.source.name,
        atoms=system.all_atoms,
        waters=copies * len(prepared.fragments.water_atoms),
        virtual_sites=copies * len(system.sites),
        fragments=copies * prepared.fragments.count,
        degrees_of_freedom=copies * system.degrees_of_freedom - removed,
        charge=round(copies * float(system.charge.sum()), 6) + 0.0,
        box_nm=(prepared.frame * bohr_in_nm).tolist(),
        periodic=prepared.settings.periodic,
        settings=_settings_in_words(prepared),
        patch_grid=list(division.patch_grid),
        reach=list(division.reach),
        pairs=keys.pairs,
        cells=keys.cells,
        pair_computes=division.pair_computes,
        enough_for_pes=enough,
        pencil_grid=list(division.pencil_grid),
        objects=patches * (2 + (1 if pme else 0))
        + (math.prod(keys.cells) if keys.cells else patches * division.pair_computes)
        + (3 * x * y if pme else 0),
        steps=steps,
        simulated_ps=length,
        timestep_fs=dynamics.timestep.value * time_in_fs if dynamics else 0.0,
        memory=sum(memory_of(prepared).values()),
        seconds_per_step=estimate.core_seconds,
        estimate=estimate,
        why=prepared.why,
        messages=None if ranks is None else count_messages(prepared, image, ranks),
        notes=[*what_run_refuses(prepared), *notes_of(prepared), *_too_few(prepared, enough)],
    )


def _too_few(prepared: Prepared, enough: int) -> list[str]:
    """Return a note if the division has not enough objects for the PEs that the input names."""
    wanted = prepared.given.model.patches.pes
    if not prepared.given.given("patches.pes") or wanted <= enough:
        return []
    return [
        f"[patches] pes = {wanted}, but this division is enough for {enough}, since thinner "
        "patches do not fit: on more PEs some are idle"
    ]


def copies_in_words(repeat: tuple[int, int, int], atoms: int) -> dict[str, str]:
    """Return how often a cell of so many atoms is repeated; nothing if it is not."""
    if math.prod(repeat) == 1:
        return {}
    return {"copies": f"{_times(repeat)} of {atoms:,} atoms"}


def _times(counts: list[int] | tuple[int, ...]) -> str:
    return " x ".join(str(count) for count in counts)


def _settings_in_words(prepared: Prepared) -> dict[str, str]:
    settings, forces = prepared.settings, prepared.given.model.forces

    def of(key: str) -> str:
        return f"  [{settings.origin[key]}]" if key in settings.origin else ""

    words = copies_in_words(prepared.system.repeat, prepared.system.atoms)
    words |= {"electrostatics": settings.electrostatics + of("electrostatics")}
    if settings.has_lists:
        switch = settings.switch_distance
        words["cutoff"] = in_angstrom(settings.cutoff) + of("cutoff")
        of_force = ", of the force" if forces.switching == "force" else ""
        words["switch"] = f"from {in_angstrom(switch)}{of_force}" if switch else "off"
        words["switch"] += of("switch")
    if settings.electrostatics == "pme":
        alpha = settings.ewald_coefficient / bohr_in_angstrom
        words["ewald"] = f"{alpha:.5f} 1/Å" + of("ewald_coefficient")
        words["ewald error"] = _ewald_error_in_words(prepared)
        words["mesh"] = _times(settings.mesh) + of("mesh")
        words["spline order"] = str(settings.spline_order) + of("spline_order")
        words["influence"] = forces.influence_function
    if settings.electrostatics == "reaction-field":
        words["dielectric"] = f"{settings.dielectric:g}" + of("reaction_field_dielectric")
    if settings.periodic:
        tail = "on" if settings.dispersion_coefficient else "off"
        words["dispersion"] = tail + of("dispersion_correction")
    words["precision"] = forces.precision
    words["bits"] = forces.bits
    if settings.has_lists:
        words["pair list"] = _lists_in_words(prepared)
    words["constraints"] = _constraints_in_words(prepared)
    if held := prepared.system.copies * len(prepared.system.restraints):
        words["restraints"] = f"{held:,} atoms"
    dynamics = prepared.given.model.dynamics
    if dynamics is not None:
        words["dynamics"] = f"{dynamics.ensemble}, {dynamics.timestep.value * time_in_fs:g} fs"
        if isinstance(dynamics.temperature, Ramp):
            words["temperature"] = f"{dynamics.temperature}, linear over the steps"
        elif thermostat(dynamics) is not None:
            words["temperature"] = f"{prepared.temperature * hartree_in_kelvin:g} K"
        words |= _impulses_in_words(prepared, dynamics)
        words |= baths_in_words(dynamics, prepared.division.rebuild_interval)
        words["velocities"] = start_of_velocities(prepared)
    return words


def _constraints_in_words(prepared: Prepared) -> str:
    waters = len(prepared.fragments.water_atoms)
    lengths = len(prepared.system.constraint_atoms) - 3 * waters
    counts = {"fixed distance": lengths, "rigid water": waters}
    copies = prepared.system.copies
    parts = [f"{copies * n:,} {name}{'s' * (copies * n > 1)}" for name, n in counts.items() if n]
    return ", ".join(parts) or "none"


def _impulses_in_words(prepared: Prepared, dynamics: DynamicsSection) -> dict[str, str]:
    mesh = impulses.mesh_interval(dynamics, prepared.settings.electrostatics)
    intervals = {"pair forces": dynamics.pair_interval, "long range": mesh}
    return {
        name: impulses.in_words(dynamics, interval)
        for name, interval in intervals.items()
        if interval > 1
    }


def _ewald_error_in_words(prepared: Prepared) -> str:
    settings, system = prepared.settings, prepared.system
    alpha, cutoff = settings.ewald_coefficient, settings.cutoff
    volume = cells.volume(prepared.frame) / system.copies
    error = ewald.direct_force_error(system.charge, alpha, cutoff, volume) * force_in_kj_per_mol_nm
    return (
        f"direct sum cut at erfc = {math.erfc(alpha * cutoff):.1e}, "
        f"about {error:.2g} kJ/mol/nm in a force"
    )


def _lists_in_words(prepared: Prepared) -> str:
    division = prepared.division
    return (
        f"{lists_in_words(division)}; drift at most {division.tolerance} an atom "
        f"at {division.temperature * hartree_in_kelvin:.0f} K"
    )
