# SPDX-License-Identifier: BSD-3-Clause
"""The input of the first run of a liquid: dynamics at its temperature, which loosens its start."""

from __future__ import annotations

import json

_text = """\
# {title}: written by `finegrain prepare`, from {source}.
# {molecules} copies at random places. The first picoseconds take the liquid to its equilibrium.
[system]
kind = "ab-initio"
title = {quoted}
structure = {structure}

[electrons]
cutoff = "{cutoff:g} Ry"                # {why_cutoff}
functional = "PBE"
pseudopotentials = "auto"        # or a table: {{ O = "O.UPF", H = "H.UPF" }}
# dispersion = "d3bj"            # attraction between molecules that PBE lacks; needs dftd3

[dynamics]
kind = "born-oppenheimer"        # the ground state is found again at each step
timestep = "{timestep:g} fs"
steps = {steps}                     # {length:g} ps
temperature = "{temperature:g} K"
thermostat = "velocity-rescaling"  # takes away the heat of the loose start
thermostat_time = "50 fs"
seed = {seed}

[ground_state]
tolerance = "1e-7 hartree"       # largest residual of a coefficient
energy_tolerance = "1e-11 hartree"  # or when the energy is known to this

[output]
energy_interval = 1              # steps between rows of energies.csv
trajectory_interval = 10         # steps between frames

# Then: finegrain convert runs/{name} --to xyz, and an input with the last frame of its
# trajectory.xyz as structure, velocities = "from-file", and no thermostat or a gentler one.
"""


def liquid_input(
    *,
    title: str,
    source: str,
    name: str,
    structure: str,
    molecules: int,
    cutoff: float,
    why_cutoff: str,
    temperature: float,
    has_hydrogen: bool,
    seed: int,
) -> str:
    """Return the text of the input.

    Parameters
    ----------
    source, structure : str
        Names of the file of the molecule, and of that of the liquid beside the input.
    name : str
        The input's own name without ending.
    cutoff : float
        Ry.
    why_cutoff : str
        Where it comes from.
    temperature : float
        K.
    has_hydrogen : bool
        The fastest atoms decide the time step.
    """
    timestep, steps = (0.5, 2000) if has_hydrogen else (1.0, 1000)
    return _text.format(
        title=_one_line(title),
        quoted=json.dumps(title, ensure_ascii=False).replace("\x7f", "\\u007f"),
        source=_one_line(source),
        name=_one_line(name),
        structure=json.dumps(structure, ensure_ascii=False).replace("\x7f", "\\u007f"),
        molecules=f"{molecules:,}",
        cutoff=cutoff,
        why_cutoff=_one_line(why_cutoff),
        timestep=timestep,
        steps=steps,
        length=timestep * steps / 1000,
        temperature=temperature,
        seed=seed,
    )


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
