# SPDX-License-Identifier: BSD-3-Clause
"""Make the pages of input keys from the models that read inputs, so that they always agree.

Usage: input_reference.py [--check]     --check only checks whether the pages are up to date
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ab_initio_keys
from finegrain.ab_initio.input import model as ab_initio
from finegrain.classical.input import model as classical
from finegrain.classical.system.selections import words
from made_page import write_or_check

PAGES = Path(__file__).resolve().parent.parent / "docs/reference"

HEAD = """# Input keys

This page lists all keys of the input of a classical run. An input is a text file in the TOML
format. Every quantity is text with one number and a unit (`"9 Å"`, `"2 fs"`, `"300 K"`, `"1 1/ps"`,
`"10 kJ/mol/nm"`); write decimals with a point. Errors are unknown keys, keys that have no effect
with the other keys, and values of another kind. Paths in `[system]` are relative to the input's
folder, `output.directory` to the current one.

If the default is "of the System", it is the setting of a serialised OpenMM `System` or of a test
system. For other inputs the meaning has the default in brackets.

Initial velocities are drawn at `temperature` if the input has one, **even if the files hold
velocities**. `velocities = "from-file"` uses those of a `.gro`, `.rst7`, State `.xml`,
`checkpoint.h5`, or `trajectory.h5` of a run with `output.velocities`. `finegrain check` says where
velocities come from, and notes when those of a file are not used.

An input may have [stages](../how-to/stages.md): tables `[[stages]]`, each with a `name` and with
sections of its own, such as `[stages.dynamics]`.

This page is made by `tools/input_reference.py`."""

LISTS = {"restraints"}
CHOSEN = {"forces.pair_list_tolerance", "forces.rebuild_interval", "forces.prune_interval"}

MEANINGS = {
    "system.kind": "kind of run",
    "system.title": "a title, stored in every result",
    "system.topology": "`.prmtop`, `.psf`, `.top`, `.pdb`, a `System` as `.xml`, `openmmtools:…`",
    "system.coordinates": "`.inpcrd`, `.rst7`, `.crd`, `.gro`, `.pdb`; `checkpoint.h5` or "
    "`trajectory.h5` of an earlier run",
    "system.frame": "which frame of a `trajectory.h5`, from 0; -1 is the last",
    "system.parameters": "CHARMM parameter files, with a `.psf`",
    "system.forcefield": "force fields of OpenMM, with a `.pdb`",
    "system.include": "folders to search before GROMACS's own, with a `.top`",
    "system.define": "words for `#ifdef` and macros, as with `-D` of `gmx grompp`, with a `.top`",
    "restraints.atoms": "which atoms: words, numbers or ranges from 1, or a list of these (below)",
    "restraints.force_constant": "k of E = k d²/2; three values: along x, y and z",
    "restraints.reference": "coordinates of the same atoms; the starting ones if not given",
    "restraints.reference_scaling": "how references follow a box that changes: not at all, all of "
    "them, or the centre of mass of the group (`refcoord_scaling` of GROMACS)",
    "system.box": "three edges; three lengths and three angles; or three vectors. By default that "
    "of the files",
    "system.repeat": "how often the cell is there along each of its vectors; all else of the input "
    "names one copy ([how](../how-to/inputs.md#a-large-system-of-a-small-one))",
    "forces.cutoff": "cutoff of Lennard-Jones and direct electrostatics (9 Å; CHARMM 12 Å)",
    "forces.switch": 'start of the Lennard-Jones switch, or `"off"` (off; CHARMM 10 Å)',
    "forces.switching": "what goes smoothly to zero: the energy (OpenMM), or the force (CHARMM)",
    "forces.electrostatics": "particle-mesh Ewald, reaction field, or plain Coulomb (pme)",
    "forces.reaction_field_dielectric": "dielectric constant beyond the cutoff (78.3)",
    "forces.mesh": "points per axis, even, without prime factors above 7",
    "forces.mesh_spacing": "largest spacing of the mesh, instead of its points (1 Å)",
    "forces.spline_order": "order of the B-splines (4; 5 with the tolerance's mesh)",
    "forces.ewald_coefficient": "inverse width of the screening charges; 1.82 to 6 over cutoff",
    "forces.ewald_tolerance": "chooses coefficient and mesh as OpenMM does (1e-5)",
    "forces.dispersion_correction": "energy of Lennard-Jones beyond the cutoff (yes; CHARMM no)",
    "forces.constraints": "bonds with fixed length",
    "forces.rigid_water": "three constraints in each water",
    "forces.precision": "precision of forces; sums and motion are always in double or fixed point",
    "forces.bits": "the fastest kernels of the processor, or kernels with the same bits on every "
    "processor, which are slower",
    "forces.pair_list_tolerance": "largest energy drift per atom that the pair lists may cause",
    "forces.rebuild_interval": "steps between rebuilds of the pair lists",
    "forces.prune_interval": "steps between prunings of the inner pair list, a shorter one that is "
    "valid for fewer steps",
    "dynamics.ensemble": "constant energy, constant temperature, or constant temperature and "
    "pressure",
    "dynamics.timestep": "length of a step, at most 20 fs",
    "dynamics.steps": "number of steps",
    "dynamics.long_range_interval": "steps between two evaluations of the forces of the mesh, "
    "which then count this many times (r-RESPA); `steps` and other intervals are multiples",
    "dynamics.temperature": "temperature of the heat bath and of initial velocities; "
    '`["100 K", "300 K"]` goes linearly from one to the other over the steps (Langevin)',
    "dynamics.thermostat": "Langevin dynamics of each atom, or one factor for all velocities",
    "dynamics.friction": "friction of Langevin dynamics",
    "dynamics.thermostat_time": "time in which velocity rescaling corrects the kinetic energy",
    "dynamics.barostat": "random scaling by the pressure, a box with mass and friction, or trials "
    "of the volume",
    "dynamics.pressure": "pressure of the bath, in all directions",
    "dynamics.pressure_coupling": "edges scaled alike: all, x and y, or none; with a piston all",
    "dynamics.compressibility": "an estimate; it sets how fast the box changes, not its mean",
    "dynamics.barostat_time": "time in which stochastic rescaling corrects the volume; decay "
    "time of a piston",
    "dynamics.piston_period": "period of a piston's oscillation",
    "dynamics.barostat_interval": "steps between two trials of a Monte Carlo barostat, a multiple "
    "of `rebuild_interval`",
    "dynamics.seed": "seed of all random numbers",
    "dynamics.velocities": "origin of the initial velocities; those of files only on request",
    "dynamics.hydrogen_mass": "mass of hydrogens, taken from their neighbours; not in rigid waters",
    "dynamics.remove_com_motion": "steps between removals of the total momentum; 0: never",
    "dynamics.constraint_tolerance": "relative error of constrained lengths",
    "minimise.method": "method of minimisation before the first step",
    "minimise.tolerance": "largest remaining force",
    "minimise.steps": "largest number of evaluations",
    "output.directory": "folder of the results, relative to the current folder, not the input's",
    "output.trajectory_interval": "steps between frames; 0: no frames",
    "output.velocities": "whether the frames of the trajectory also hold velocities",
    "output.energy_interval": "steps between rows of energies; 0: no rows",
    "output.checkpoint_interval": "wall-clock time between checkpoints",
    "patches.pes": "worker threads (PEs) for which there are enough objects; the run may have more "
    "or fewer",
    "patches.grid": "patches (cells of space) per axis; by default chosen by the estimated time "
    "of a step",
    "patches.pair_computes": "objects for the pairs of a patch, with itself and 13 neighbours; "
    "PEs share many more evenly, few take less time; chosen like `grid` by default",
    "mesh.pencils": "pencils (bundles of lines) of the mesh along z: their number along x and y; "
    "chosen by default",
}

# Defaults that are not in the model.
DEFAULTS = {
    "dynamics.thermostat": "`langevin`, in `nvt` and `npt`",
    "dynamics.friction": "`1 1/ps`, with `langevin`",
    "dynamics.thermostat_time": "`0.5 ps`, with `velocity-rescaling`",
    "dynamics.barostat": "`stochastic-rescaling`, in `npt`",
    "dynamics.pressure": "`1 bar`, in `npt`",
    "dynamics.pressure_coupling": "`isotropic`, in `npt`",
    "dynamics.compressibility": "`4.6e-5 1/bar`, in `npt`: that of water",
    "dynamics.barostat_time": "`2 ps`; with `langevin-piston` `0.5 ps`, or half of that period",
    "dynamics.piston_period": "with `langevin-piston`: `1 ps`, or 25 rebuild intervals if longer",
    "dynamics.barostat_interval": "`50`, or the next multiple, with `monte-carlo`",
    "dynamics.velocities": "`from-temperature` if there is a temperature, else `from-file`",
    "system.frame": "`-1`",
    "restraints.force_constant": 'required, but not with `"topology"`',
    "minimise.method": "without this section `none`, with it `l-bfgs`",
    "output.directory": "`runs/NAME`, NAME from the input file",
}


def kind_of(schema: Mapping[str, Any]) -> str:
    """Describe the values that a key takes."""
    choices = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    part = choices[0]
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if "const" in part:
        return f"`{part['const']}`"
    if part["type"] == "array":
        least, most = part.get("minItems"), part.get("maxItems")
        return f"list of {least}" if least and least == most else "list"
    examples = schema.get("examples") or part.get("examples")
    if part["type"] == "string" and examples:
        # A table or a list is written as it is; only text has quotes.
        is_text = not str(examples[0]).startswith(("{", "["))
        return f'such as `"{examples[0]}"`' if is_text else f"such as `{examples[0]}`"
    return {"integer": "whole number", "number": "number", "boolean": "true, false"}.get(
        part["type"], "text"
    )


def default_of(
    name: str, schema: Mapping[str, Any], defaults: Mapping[str, str], *, required: bool
) -> str:
    """Describe the default of a key."""
    if required:
        return "required"
    if name in defaults:
        return defaults[name]
    value = schema.get("default")
    if isinstance(value, Mapping):
        value = value.get("text")
    if value is None and name.startswith("forces."):
        return "chosen" if name in CHOSEN else "of the System"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "" if value in (None, "", []) else f"`{value}`"


def selections() -> str:
    """Describe the atoms that a user can name."""
    rows = [f'| `"{word}"` | {meaning} |' for word, (meaning, _) in words.items()]
    rows += [
        '| `"1-340"`, `17` | atoms by number, from 1; ranges include both ends |',
        '| `"name CA"`, `"residue LIG"` | atoms of this name, or in residues of this name |',
        '| `"topology"` | those that a GROMACS topology or an OpenMM System restrains, with the '
        "force constants there; without such a table they are restrained as they say |",
    ]
    head = (
        '\nA line `restraints = "none"` above the first section takes out all restraints, those of '
        "the topology, too.\n\n| atoms | meaning |\n|---|---|\n"
    )
    return head + "\n".join(rows)


def page(module: Any, model: Any, head: str, meanings: Any, defaults: Any) -> str:
    """Return the whole page of a kind of run."""
    definitions = model.model_json_schema()["$defs"]
    text = [head]
    for section, of_section in module.sections.items():
        schema = definitions[of_section.__name__]
        title = f"[[{section}]]" if section in LISTS else f"[{section}]"
        text.append(f"\n## {title}\n\n{schema.get('description', '')}\n")
        text.append("| key | meaning | value | default |\n|---|---|---|---|")
        for key, part in schema["properties"].items():
            name = f"{section}.{key}"
            required = key in schema.get("required", [])
            default = default_of(name, part, defaults, required=required)
            text.append(f"| `{key}` | {meanings[name]} | {kind_of(part)} | {default} |")
        if section == "restraints":
            text.append(selections())
    return "\n".join(text) + "\n"


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "input.md": page(classical, classical.InputModel, HEAD, MEANINGS, DEFAULTS),
        "ab-initio-input.md": page(
            ab_initio,
            ab_initio.AbInitioModel,
            ab_initio_keys.HEAD,
            ab_initio_keys.MEANINGS,
            ab_initio_keys.DEFAULTS,
        ),
    }


if __name__ == "__main__":
    complaint = "input_reference: run tools/input_reference.py, keys changed"
    results = [write_or_check(PAGES / name, text, complaint) for name, text in pages().items()]
    sys.exit(max(results))
