# SPDX-License-Identifier: BSD-3-Clause
"""The job: one HDF5 file with all that the engine needs, in Hartree atomic units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain import units
from finegrain.base import cells
from finegrain.classical.division.division import Division
from finegrain.classical.input.baths import dynamics_values
from finegrain.classical.input.impulses import mesh_interval, moved
from finegrain.classical.preparation.division import settle_division
from finegrain.classical.preparation.memory import memory_of, refuse_what_does_not_fit
from finegrain.classical.preparation.midpoint_cells import cut_cells
from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.chemical_bonds import connectivity
from finegrain.runs.job_header import job_contents, put_job, write_attributes
from finegrain.toml_input.engine_check import places_of_the_input, refuse_what_the_engine_refuses
from finegrain.toml_input.key_effects import attributes
from finegrain.toml_input.source import InputFile

# The key of the input from which a part of the job comes.
_places = (
    ("/ repeat", "system.repeat"),
    ("/box", "system.box"),
    ("/atoms/position", "system.coordinates"),
    ("/atoms/velocity", "system.coordinates"),
    ("/atoms", "system.topology"),
    ("/midpoint_cells", "patches.cells"),
    ("/settings/patch_grid", "patches.grid"),
    ("/settings", "forces"),
    ("/dynamics", "dynamics"),
    ("/", "system.topology"),
)

# What a job has without [dynamics].
_no_dynamics = {
    "timestep": 0.0,
    "steps": 0,
    "seed": 0,
    "com_interval": 0,
    "constraint_tolerance": 1e-8,
}


def make_job(
    path: str | InputFile, out: str | Path, *, allow_scripts: bool = False, runs_here: bool = True
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
    prepared = prepare(path, allow_scripts=allow_scripts)
    put_job(out, checked_image(prepared, runs_here=runs_here), notes_of(prepared))


def checked_image(prepared: Prepared, *, runs_here: bool = True) -> bytes:
    """Return the contents of the job's file, which the engine takes.

    If it `runs_here`, it fits into memory. The division of `prepared` is decided here, by what the
    engine estimates for each.
    """
    if runs_here:
        refuse_what_does_not_fit(prepared)
    image = image_without_cells(prepared)
    refuse_what_the_engine_refuses(prepared.given, image, _places, settings_are_keys=True)
    usual = prepared.division
    settle_division(prepared, image)
    has_cells = prepared.given.model.patches.cells is not None
    if has_cells or prepared.division != usual:
        image = job_image(prepared)
        refuse_what_the_engine_refuses(prepared.given, image, _places, settings_are_keys=True)
    return image


def job_image(prepared: Prepared) -> bytes:
    """Return the contents of the job's file, seal included."""
    image = image_without_cells(prepared)
    shape = prepared.given.model.patches.cells
    if shape is None:
        return image
    with places_of_the_input(prepared.given, _places):
        found = cut_cells(prepared.given.source.name, image, shape)
    return _image(prepared, found)


def image_without_cells(prepared: Prepared) -> bytes:
    """Return the contents of the job's file before space is cut by its work."""
    return _image(prepared, {})


def _image(prepared: Prepared, midpoint_cells: Mapping[str, Any]) -> bytes:
    def write(file: h5py.File) -> None:
        box = prepared.frame
        if prepared.system.copies > 1 and prepared.system.box is not None:
            box = prepared.system.box
            file.attrs["repeat"] = np.array(prepared.system.repeat, dtype=np.int64)
        file["box"] = cells.engine_numbers(box)
        _write_atoms(file, prepared)
        _write_terms(file, prepared)
        _write_settings(file, prepared)
        _write_dynamics(file, prepared)
        for name, values in midpoint_cells.items():
            file[f"midpoint_cells/{name}"] = values

    memory = sum(memory_of(prepared).values())
    return job_contents(prepared.given, notes_of(prepared), memory, write)


def _write_atoms(file: h5py.File, prepared: Prepared) -> None:
    system = prepared.system
    atoms, residues = file.create_group("atoms"), file.create_group("residues")
    atoms["position"] = system.position
    atoms["velocity"] = 0 * system.position if prepared.velocity is None else prepared.velocity
    for name in ("mass", "charge", "sigma", "epsilon"):
        atoms[name] = getattr(system, name)
    if (types := system.lennard_jones.types) is not None:
        group = file.create_group("lennard_jones_types")
        group["of_atom"] = types.of_atom
        group["sigma"], group["epsilon"] = types.sigma.ravel(), types.epsilon.ravel()
    atoms["fragment"] = prepared.fragments.of_atom
    atoms["residue"] = system.names.residue
    _write_texts(atoms, "name", system.names.atom)
    _write_texts(atoms, "element", system.names.element)
    _write_texts(residues, "name", system.names.residue_name)
    _write_texts(residues, "chain", system.names.residue_chain)
    residues["number"] = system.names.residue_number
    file["connectivity"] = connectivity(system)


def _write_texts(group: h5py.Group, name: str, texts: list[str]) -> None:
    group.create_dataset(name, data=texts, dtype=h5py.string_dtype())


def _write_terms(file: h5py.File, prepared: Prepared) -> None:
    system, fragments = prepared.system, prepared.fragments
    tables: dict[str, Mapping[str, Any]] = {
        **{name: {"atoms": table.atoms, **table.columns} for name, table in system.terms.items()},
        **{
            table.kind.shared.table: table.shared
            for table in system.terms.values()
            if table.kind.shared
        },
        "constraints": {
            "atoms": system.constraint_atoms,
            "distance": system.constraint_distance,
        },
        "waters": {
            "atoms": fragments.water_atoms,
            "r_oh": fragments.water_oh,
            "r_hh": fragments.water_hh,
        },
    }
    if len(system.sites):
        tables["virtual_sites"] = asdict(system.sites)
    if len(system.restraints):
        restraints = asdict(system.restraints)
        if system.copies == 1:
            del restraints["follows"]
        tables["restraints"] = restraints
    for name, columns in tables.items():
        group = file.create_group(name)
        for column, values in columns.items():
            group[column] = values
    file["exceptions/far"] = prepared.far


def _write_settings(file: h5py.File, prepared: Prepared) -> None:
    settings, division = prepared.settings, prepared.division
    values = {
        **attributes(prepared.given.model, "/settings"),
        "cutoff": settings.cutoff,
        "switch_distance": settings.switch_distance,
        "electrostatics": settings.electrostatics,
        "reaction_field_dielectric": settings.dielectric,
        "ewald_coefficient": settings.ewald_coefficient,
        "mesh": np.array(settings.mesh, dtype=np.int64),
        "spline_order": settings.spline_order,
        "dispersion_coefficient": settings.dispersion_coefficient,
        "dispersion_virial": settings.dispersion_virial,
        "list_cutoff": division.list_cutoff,
        "inner_list_cutoff": division.inner_list_cutoff,
        "list_temperature": division.temperature,
        "rebuild_interval": division.rebuild_interval,
        "prune_interval": division.prune_interval,
        "patch_grid": np.array(division.patch_grid, dtype=np.int64),
        "patch_width": division.patch_width,
        **_reach(division),
        "pair_computes": division.pair_computes,
        "pencil_grid": np.array(division.pencil_grid, dtype=np.int64),
        "periodic": int(settings.periodic),
    }
    write_attributes(file.create_group("settings"), values)


def _reach(division: Division) -> dict[str, Any]:
    """Only where it is not 1, which is what jobs without it have."""
    if division.reach == (1, 1, 1):
        return {}
    return {"reach": np.array(division.reach, dtype=np.int64)}


def _write_dynamics(file: h5py.File, prepared: Prepared) -> None:
    model = prepared.given.model
    dynamics, output = model.dynamics, model.output
    values: dict[str, Any] = {
        **_no_dynamics,
        **attributes(model, "/dynamics"),
        **dynamics_values(dynamics, prepared.division.rebuild_interval),
        "temperature": prepared.temperature,
        "velocities": "drawn" if prepared.velocity is None else "given",
        "energy_interval": moved(output.energy_interval, model),
        "trajectory_interval": moved(output.trajectory_interval, model),
        "minimise": model.minimise.method.replace("none", "no"),
    }
    if dynamics and isinstance(dynamics.temperature, units.Ramp) and dynamics.steps > 0:
        values["final_temperature"] = dynamics.temperature.end.value
        values["ramp_steps"] = dynamics.steps
    if dynamics:
        values["long_range_interval"] = mesh_interval(dynamics, prepared.settings.electrostatics)
    write_attributes(file.create_group("dynamics"), values)
