# SPDX-License-Identifier: BSD-3-Clause
"""What a run would be: sizes, settings and where they come from, memory and time."""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.errors import Problem, ResourceError
from finegrain.input import electrostatics as ewald
from finegrain.input.notes import notes_of, start_of_velocities
from finegrain.input.prepare import Prepared, prepare
from finegrain.report import duration, file_size
from finegrain.units import (
    bohr_in_angstrom,
    bohr_in_nm,
    force_in_kj_per_mol_nm,
    hartree_in_kelvin,
    in_angstrom,
    time_in_fs,
    time_in_ps,
)

# One core of 2020 with AVX2, order of magnitude: the estimate is for choosing between minutes and
# days, not for comparing machines.
_pairs_per_second = 4e8
_mesh_points_per_second = 2.5e7
_spread_atoms_per_second = 4e6
_steps_of_atoms_per_second = 2e7


@dataclass
class Report:
    """A checked input.

    Attributes
    ----------
    settings : dict of str to str
        Each choice about forces, in words, with where it comes from.
    memory : float
        Bytes that a run takes, all PEs together.
    seconds_per_step : float
        On one core, roughly.
    """

    source: str
    atoms: int
    waters: int
    fragments: int
    degrees_of_freedom: int
    charge: float
    box_nm: list[float]
    periodic: bool
    settings: dict[str, str]
    patch_grid: list[int]
    pencil_grid: list[int]
    objects: int
    steps: int
    simulated_ps: float
    memory: float
    seconds_per_step: float
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        return asdict(self) | {"problems": []}

    def text(self) -> str:
        """Return the report for people."""
        box = " x ".join(f"{edge:.3f}" for edge in self.box_nm) + " nm"
        rows = [
            ("atoms", f"{self.atoms:,}, of which {3 * self.waters:,} in rigid waters"),
            ("box", box if self.periodic else "none (vacuum)"),
            ("charge", f"{self.charge:+.3f} e"),
            ("freedom", f"{self.degrees_of_freedom:,} degrees, {self.fragments:,} fragments"),
            *self.settings.items(),
            ("patches", f"{_times(self.patch_grid)}, {self.objects:,} objects"),
        ]
        if self.steps:
            rows.append(("length", f"{self.steps:,} steps, {self.simulated_ps:g} ps"))
        rows.append(("memory", f"about {file_size(self.memory)}"))
        time = f"about {1000 * self.seconds_per_step:.2g} ms a step on one core"
        if self.steps:
            time += f", {duration(self.seconds_per_step * self.steps)} in all"
        rows.append(("time", time))
        width = max(len(name) for name, _ in rows) + 2
        lines = [f"fine  {self.source}", ""]
        lines += [f"  {name.ljust(width)}{value}" for name, value in rows]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines) + "\n"


def check(path: str | Path) -> Report:
    """Read an input and all that it names; report what a run would be.

    Raises
    ------
    InputError
        With every problem that was found.
    ResourceError
        If a run of it does not fit into the memory of this machine.
    """
    prepared = prepare(path)
    refuse_what_does_not_fit(prepared)
    return report(prepared)


def machine_memory() -> float:
    """Return the bytes that this machine has."""
    return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")


def refuse_what_does_not_fit(prepared: Prepared) -> None:
    """Raise a `ResourceError` if a run takes more memory than there is."""
    parts, most = _memory(prepared), machine_memory()
    needed = sum(parts.values())
    if needed <= most:
        return
    forces = prepared.given.model.forces
    largest = max(parts, key=lambda name: parts[name])
    key = "system.topology"
    hint = "simulate fewer atoms, or take a machine with more memory"
    if largest == "mesh":
        given = ("mesh", "mesh_spacing", "ewald_tolerance")
        key = next((f"forces.{name}" for name in given if getattr(forces, name) is not None), key)
        hint = 'use a coarser mesh, such as mesh_spacing = "1 Å"'
    elif largest == "pair lists" and not prepared.settings.periodic:
        hint = "give [system] box: without one every pair is computed"
    elif largest == "pair lists":
        key = "forces.cutoff" if forces.cutoff is not None else key
        hint = "use a shorter cutoff, or take a machine with more memory"
    source = prepared.given.source
    what = "takes more memory than this machine has"
    limit = f"{file_size(most)}; it takes about {file_size(needed)}"
    limit += f", {file_size(parts[largest])} of it for its {largest}"
    problem = source.problem(key, what, limit=limit, hint=hint)
    if not prepared.given.given(key):
        problem = Problem(what, source.place(key), key, limit, hint)
    raise ResourceError([problem], source=source.name)


def report(prepared: Prepared) -> Report:
    """Describe a prepared run."""
    system, cut = prepared.system, prepared.cut
    dynamics = prepared.given.model.dynamics
    steps = dynamics.steps if dynamics else 0
    length = steps * dynamics.timestep.value * time_in_ps if dynamics else 0.0
    removed = 3 if dynamics is not None and dynamics.remove_com_motion else 0
    patches = math.prod(cut.patch_grid)
    pme = prepared.settings.electrostatics == "pme"
    x, y = cut.pencil_grid
    return Report(
        source=prepared.given.source.name,
        atoms=system.atoms,
        waters=len(prepared.fragments.water_atoms),
        fragments=prepared.fragments.count,
        degrees_of_freedom=3 * system.atoms - len(system.constraint_atoms) - removed,
        charge=round(float(system.charge.sum()), 6) + 0.0,
        box_nm=[float(edge) * bohr_in_nm for edge in prepared.frame],
        periodic=prepared.settings.periodic,
        settings=_settings_in_words(prepared),
        patch_grid=list(cut.patch_grid),
        pencil_grid=list(cut.pencil_grid),
        objects=patches * (16 + (1 if pme else 0)) + (3 * x * y if pme else 0),
        steps=steps,
        simulated_ps=length,
        memory=sum(_memory(prepared).values()),
        seconds_per_step=_seconds_per_step(prepared),
        notes=notes_of(prepared),
    )


def _times(counts: list[int] | tuple[int, ...]) -> str:
    return " x ".join(str(count) for count in counts)


def _settings_in_words(prepared: Prepared) -> dict[str, str]:
    settings = prepared.settings

    def of(key: str) -> str:
        return f"  [{settings.origin[key]}]" if key in settings.origin else ""

    words = {"electrostatics": settings.electrostatics + of("electrostatics")}
    if settings.periodic or settings.electrostatics != "plain":
        switch = settings.switch_distance
        words["cutoff"] = in_angstrom(settings.cutoff) + of("cutoff")
        words["switch"] = (f"from {in_angstrom(switch)}" if switch else "off") + of("switch")
    if settings.electrostatics == "pme":
        alpha = settings.ewald_coefficient / bohr_in_angstrom
        words["ewald"] = f"{alpha:.5f} 1/Å" + of("ewald_coefficient")
        words["ewald error"] = _ewald_error_in_words(prepared)
        words["mesh"] = _times(settings.mesh) + of("mesh")
        words["spline order"] = str(settings.spline_order) + of("spline_order")
    if settings.electrostatics == "reaction-field":
        words["dielectric"] = f"{settings.dielectric:g}" + of("reaction_field_dielectric")
    if settings.periodic:
        tail = "on" if settings.dispersion_coefficient else "off"
        words["dispersion"] = tail + of("dispersion_correction")
    words["precision"] = settings.precision
    if settings.periodic or settings.electrostatics != "plain":
        words["pair list"] = _lists_in_words(prepared)
    dynamics = prepared.given.model.dynamics
    if dynamics is not None:
        words["dynamics"] = f"{dynamics.ensemble}, {dynamics.timestep.value * time_in_fs:g} fs"
        words["velocities"] = start_of_velocities(prepared)
    return words


def _ewald_error_in_words(prepared: Prepared) -> str:
    settings, system = prepared.settings, prepared.system
    alpha, cutoff = settings.ewald_coefficient, settings.cutoff
    volume = float(np.prod(prepared.frame))
    error = ewald.direct_force_error(system.charge, alpha, cutoff, volume) * force_in_kj_per_mol_nm
    return (
        f"direct sum cut at erfc = {math.erfc(alpha * cutoff):.1e}, "
        f"about {error:.2g} kJ/mol/nm in a force"
    )


def _lists_in_words(prepared: Prepared) -> str:
    cut = prepared.cut
    return (
        f"{in_angstrom(cut.list_cutoff)} every {cut.rebuild_interval} steps, "
        f"{in_angstrom(cut.inner_list_cutoff)} every {cut.prune_interval}; "
        f"drift at most {cut.tolerance} an atom at {prepared.temperature * hartree_in_kelvin:.0f} K"
    )


def _pairs(prepared: Prepared, radius: float) -> float:
    """Return how many pairs of atoms are closer than a radius, at the mean density."""
    atoms = prepared.system.atoms
    density = atoms / float(np.prod(prepared.frame))
    every = 0.5 * atoms * (atoms - 1)
    if not prepared.settings.periodic:
        return every
    return float(min(every, 0.5 * atoms * density * 4 / 3 * math.pi * radius**3))


def _memory(prepared: Prepared) -> dict[str, float]:
    """Return bytes: atoms with their copies in messages and terms, cluster lists, meshes."""
    system, cut = prepared.system, prepared.cut
    # A pair of clusters, 4 by 8 atoms, takes 8 bytes in each of two lists; half its pairs count.
    clusters = (
        8.0 * (_pairs(prepared, cut.list_cutoff) + _pairs(prepared, cut.inner_list_cutoff)) / 16
    )
    terms = 48.0 * sum(
        len(table)
        for table in (
            system.bond_atoms,
            system.angle_atoms,
            system.torsion_atoms,
            system.exception_atoms,
            system.constraint_atoms,
        )
    )
    real = 8 if prepared.settings.precision == "double" else 4
    messages = system.atoms * 3 * real * 2 * 28.0
    mesh = math.prod(prepared.settings.mesh) * 64.0
    atoms = 40e6 + system.atoms * 400.0 + terms + messages
    return {"atoms": atoms, "pair lists": clusters, "mesh": mesh}


def _seconds_per_step(prepared: Prepared) -> float:
    settings, atoms = prepared.settings, prepared.system.atoms
    slower = 2.5 if settings.precision == "double" else 1.0
    seconds = 1.4 * _pairs(prepared, prepared.cut.inner_list_cutoff) / _pairs_per_second
    if settings.electrostatics == "pme":
        seconds += math.prod(settings.mesh) / _mesh_points_per_second
        seconds += (settings.spline_order / 4) ** 3 * atoms / _spread_atoms_per_second
    return slower * (seconds + atoms / _steps_of_atoms_per_second)
