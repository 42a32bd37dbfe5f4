# SPDX-License-Identifier: BSD-3-Clause
"""The job of an ab initio run: one HDF5 file with all that the engine needs.

Hartree atomic units; docs/reference/job-file.md describes it.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import h5py
import numpy as np

from finegrain.ab_initio.dispersion.companion import command_of
from finegrain.ab_initio.input.ion_method import IonMethod
from finegrain.ab_initio.ions.moving_cell import reach
from finegrain.ab_initio.preparation.dynamics import dynamics_values
from finegrain.ab_initio.preparation.memory import memory_of, refuse_what_does_not_fit
from finegrain.ab_initio.preparation.prepare import Prepared, prepare
from finegrain.ab_initio.preparation.tables import SPACING, SpeciesTables, tables_of
from finegrain.ab_initio.states.orbitals import stored_start
from finegrain.runs.job_header import job_contents, put_job, write_attributes
from finegrain.toml_input.engine_check import refuse_what_the_engine_refuses
from finegrain.toml_input.key_effects import attributes
from finegrain.toml_input.source import InputFile

Geometries = Literal["one", "many"]

# Quantum ESPRESSO's: below them a point has no gradient.
_thresholds = {"quantum-espresso": (1e-6, 1e-10), "off": (-1.0, -1.0)}

# The key of the input from which a part of the job comes.
_places = (
    ("/cell", "system.cell"),
    ("/ions", "system.structure"),
    ("/species", "electrons.pseudopotentials"),
    ("/electrons", "electrons"),
    ("/nonlocal", "electrons.spline_grid"),
    ("/local", "electrons.spline_grid"),
    ("/ground_state", "ground_state"),
    ("/dynamics", "dynamics.timestep"),
    ("/division", "objects"),
    ("/outputs", "output"),
    ("/", "system.structure"),
)


def make_job(
    path: str | InputFile,
    out: str | Path,
    *,
    allow_scripts: bool = False,  # noqa: ARG001 - as for classical runs
    runs_here: bool = True,
) -> None:
    """Read the input `path` and write the job `out`.

    Raises
    ------
    InputError
        With every problem of the input; then `out` is not touched.
    ResourceError
        If it `runs_here` and would not fit into memory.

    Warns
    -----
    InputNote
        For settings that are allowed but may not be what you meant.
    """
    prepared = prepare(path)
    put_job(out, checked_image(prepared, runs_here=runs_here), prepared.notes)


def checked_image(
    prepared: Prepared, *, geometries: Geometries = "one", runs_here: bool = True
) -> bytes:
    """Return the contents of the job's file, which the engine takes.

    Parameters
    ----------
    geometries : str
        "many" if a ground state is evaluated at other positions, too.
    runs_here : bool
        Whether it has to fit into the memory of this machine.
    """
    if runs_here:
        refuse_what_does_not_fit(prepared)
    image = job_image(prepared, geometries=geometries)
    refuse_what_the_engine_refuses(prepared.given, image, _places)
    return image


def job_image(prepared: Prepared, *, geometries: Geometries = "one") -> bytes:
    """Return the contents of the job's file, seal included; `geometries` as for `checked_image`."""
    structure, model = prepared.structure, prepared.given.model

    def write(file: h5py.File) -> None:
        file["cell/vectors"] = structure.vectors
        write_attributes(file["cell"], attributes(model, "/cell"))
        file["ions/position"] = structure.position
        numbers = {symbol: number for number, symbol in enumerate(prepared.species)}
        file["ions/species"] = np.array([numbers[symbol] for symbol in structure.symbols], np.int32)
        file["ions/mass"] = structure.mass
        if (dynamics := dynamics_values(model, structure)) is not None:
            write_attributes(file.create_group("dynamics"), dynamics)
            file["ions/velocity"] = prepared.velocity
        if (held := prepared.constraints) is not None:
            file["dynamics/distance_ions"] = held.atoms
            file["dynamics/distances"] = held.length
        if prepared.spins.moments is not None:
            file["ions/moment"] = prepared.spins.moments
        _write_species(file, prepared)
        _write_dispersion(file, prepared, geometries)
        _write_settings(file, prepared)
        if prepared.orbitals is not None:
            for name, table in stored_start(prepared.orbitals).items():
                file[f"start/{name}"] = table

    memory = sum(memory_of(prepared).values())
    return job_contents(prepared.given, prepared.notes, memory, write)


def _write_species(file: h5py.File, prepared: Prepared) -> None:
    group = file.create_group("species")
    write_attributes(group, {"count": len(prepared.species), "spacing": SPACING})
    waves = prepared.waves
    times = 1.0 if prepared.given.model.dynamics.cell == "fixed" else reach
    for number, (symbol, pseudo) in enumerate(prepared.species.items()):
        tables = tables_of(pseudo, times * waves.longest_wave, times * waves.longest_density)
        one = group.create_group(str(number))
        values = {
            "symbol": symbol,
            "charge": pseudo.charge,
            "file": pseudo.path.name,
            "sha256": pseudo.sha256,
            "width": tables.width,
            "form": pseudo.form,
            "label": pseudo.label,
        }
        write_attributes(one, values)
        _write_tables(one, tables)


def _write_tables(group: h5py.Group, tables: SpeciesTables) -> None:
    """Write what there is. Tables without rows are absent."""
    group["local"] = tables.local
    for name in ("core", "density"):
        if (table := getattr(tables, name)) is not None:
            group[name] = table
    if len(tables.projector_l):
        for name in ("projector_l", "projectors", "coupling"):
            group[name] = getattr(tables, name)
    if len(tables.orbital_l):
        for name in ("orbital_l", "orbital_occupation", "orbitals"):
            group[name] = getattr(tables, name)


def _write_dispersion(file: h5py.File, prepared: Prepared, geometries: Geometries) -> None:
    if (dispersion := prepared.dispersion) is None:
        return
    group = file.create_group("dispersion")
    words = f"{dispersion.model}, {dispersion.program}"
    write_attributes(group, {"model": words, "energy": dispersion.energy})
    group["forces"] = dispersion.forces
    group["strain"] = dispersion.strain
    dynamics = prepared.given.model.dynamics
    moves = dynamics.kind != "ground-state" and dynamics.ions != "rest"
    if moves or geometries == "many":
        group["companion/command"] = command_of(dispersion.method)
        group["companion/elements"] = dispersion.elements


def _write_settings(file: h5py.File, prepared: Prepared) -> None:
    model = prepared.given.model
    density, sigma = _thresholds[model.electrons.gradient_thresholds]
    tables: dict[str, dict[str, Any]] = {
        "electrons": {
            **attributes(model, "/electrons"),
            "grid": np.array(prepared.waves.grid, np.int32),
            "bands": prepared.bands,
            "spins": prepared.spins.count,
            "bands_up": prepared.spins.up,
            "functional": prepared.functional,
            "gradient_density_threshold": density,
            "gradient_sigma_threshold": sigma,
            "mirrors_negative_density": int(model.electrons.negative_density == "mirrored"),
        },
        "nonlocal": _method(prepared.nonlocal_part),
        "local": _method(prepared.local_part),
        "ground_state": {**attributes(model, "/ground_state"), "start": prepared.start},
        "division": asdict(prepared.division),
        "outputs": attributes(model, "/outputs"),
    }
    if any(prepared.empty):
        up, down = prepared.empty
        tables["electrons"] |= {"empty_up": up, "empty_down": down}
    if model.electrons.net_force == "remove":
        tables["electrons"]["removes_net_force"] = np.int32(1)
    for name, values in tables.items():
        write_attributes(file.create_group(name), values)


def _method(method: IonMethod) -> dict[str, Any]:
    return {
        "method": method.method,
        "spline_order": np.int32(method.order),
        "spline_grid": np.array(method.grid, np.int32),
        "exact_seconds": method.exact_seconds,
        "spline_seconds": method.spline_seconds,
    }
