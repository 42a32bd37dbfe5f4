# SPDX-License-Identifier: BSD-3-Clause
"""The input that takes a prepared system from minimisation to production, in five stages."""

from __future__ import annotations

import json
from collections.abc import Sequence

from finegrain.classical.building.choices import Choices

_head = """\
# {title}: written by `finegrain prepare`, from {source}.
# From the first minimisation to production at constant pressure, in five stages.
[system]
kind = "classical"
title = {title_text}
topology = {topology}
forcefield = [{files}]

[forces]
{pairs}electrostatics = "pme"
mesh_spacing = "1 Å"
constraints = "h-bonds"
rigid_water = true
"""

_amber = """\
cutoff = "9 Å"
"""

_charmm = """\
cutoff = "12 Å"
switch = "10 Å"
switching = "force"         # as in CHARMM
dispersion_correction = false
"""

_coupling = """\
pressure_coupling = "semi-isotropic"  # no tension in the plane of the membrane
"""

_stages = """
[dynamics]                  # of all stages, if they do not say otherwise
ensemble = "npt"
temperature = "{temperature}"
timestep = "2 fs"
friction = "5 1/ps"
steps = {steps}
seed = {seed}

[[restraints]]              # in all stages that have none of their own
atoms = {all_held}
force_constant = "1000 kJ/mol/nm^2"
reference_scaling = "com"   # the solute follows the box as a whole

[[stages]]
name = "minimise"
[stages.minimise]
[stages.dynamics]
ensemble = "nvt"
steps = 0

[[stages]]
name = "heat"               # 50 ps
[stages.dynamics]
ensemble = "nvt"
temperature = ["50 K", "{temperature}"]
steps = 25000

[[stages]]
name = "press"              # {time}: the box finds its size around the solute
{coupled}
[[stages]]
name = "release"            # {time}: side chains relax first
{coupled}[[stages.restraints]]
atoms = {held}
force_constant = "100 kJ/mol/nm^2"
reference_scaling = "com"

[[stages]]
# For half the time: hydrogen_mass = "3 Da" in [dynamics] above, and here timestep = "4 fs". Then
# `finegrain check` says how stiff the fastest free bonds are for such a step.
name = "produce"            # 10 ns
restraints = "none"
[stages.dynamics]
friction = "1 1/ps"
{coupling}steps = 5000000
"""


def staged_input(
    choices: Choices,
    source: str,
    topology: str,
    title: str,
    held: list[str],
    more: Sequence[str] = (),
    all_held: Sequence[str] = ("solute heavy atoms",),
) -> str:
    """Return the text of the input.

    Parameters
    ----------
    source, topology : str
        Names of the raw file and of the prepared one, which is beside the input.
    held : list of str
        Atoms that the stage "release" holds.
    more : sequence of str
        Files of the force field beside the input.
    all_held : sequence of str
        Atoms that the stages before "release" hold.
    """
    field = choices.force_field
    files = (*field.files, choices.water.file, *more)
    head = _head.format(
        title=_one_line(title),
        source=_one_line(source),
        title_text=_quoted(title),
        topology=_quoted(topology),
        files=", ".join(_quoted(file) for file in files),
        pairs=_charmm if choices.forcefield == "charmm36" else _amber,
    )
    membrane = choices.membrane is not None
    return head + _stages.format(
        temperature=f"{choices.temperature:g} K",
        seed=choices.seed,
        held=_words(held),
        all_held=_words(all_held),
        steps=250000 if membrane else 50000,
        time="500 ps" if membrane else "100 ps",
        coupling=_coupling if membrane else "",
        coupled=f"[stages.dynamics]\n{_coupling}" if membrane else "",
    )


def _words(held: Sequence[str]) -> str:
    words = [_quoted(word) for word in held]
    return words[0] if len(words) == 1 else f"[{', '.join(words)}]"


def _quoted(text: str) -> str:
    """Return a string of TOML; JSON escapes the same characters."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
