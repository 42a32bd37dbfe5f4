# SPDX-License-Identifier: BSD-3-Clause
"""Commented inputs as a starting point."""

from __future__ import annotations

_head = """\
# finegrain input. Every quantity carries its unit; `finegrain check` reports what is wrong.

[system]
kind = "classical"
"""

_systems = {
    "amber": """\
topology = "system.prmtop"
coordinates = "system.inpcrd"    # or .rst7, .pdb
""",
    "charmm": """\
topology = "system.psf"
coordinates = "system.pdb"       # or .crd
parameters = ["par_all36_prot.prm", "toppar_water_ions.str"]
box = ["60 Å", "60 Å", "60 Å"]   # if the coordinates have none
""",
    "gromacs": """\
topology = "topol.top"
coordinates = "conf.gro"
""",
    "pdb": """\
topology = "system.pdb"          # with all hydrogens and the box (CRYST1)
forcefield = ["amber14-all.xml", "amber14/tip3p.xml"]
""",
    "openmm": """\
topology = "system.xml"          # a serialised OpenMM System; its settings are the defaults
coordinates = "system.pdb"       # or a State .xml
""",
    "water": """\
topology = "openmmtools:WaterBox"
""",
    "dhfr": """\
topology = "openmmtools:DHFRExplicit"
""",
    "vacuum": """\
topology = "openmmtools:AlanineDipeptideVacuum"
""",
}

_forces = """
[forces]
cutoff = "{cutoff}"
switch = {switch}
electrostatics = "pme"           # or "reaction-field"
mesh_spacing = "1 Å"             # or mesh = [64, 64, 64]
spline_order = 4                 # 4, 5, 6 or 8
ewald_tolerance = 1e-5           # or ewald_coefficient = "0.35 1/Å"
dispersion_correction = {tail}
constraints = "h-bonds"          # "none", "h-bonds", "all-bonds"
rigid_water = true
precision = "mixed"              # or "double"
"""

_own_forces = """
[forces]                         # cutoff, switch and all others as in the System
precision = "mixed"              # or "double"
"""

_vacuum_forces = """
[forces]
electrostatics = "plain"         # no box: every pair is computed
precision = "mixed"              # or "double"
"""

_dynamics = """
[dynamics]
ensemble = "{ensemble}"                 # {ensembles}
{pressure}timestep = "2 fs"
steps = {steps}
temperature = "300 K"            # of the first velocities{bath}
{friction}seed = 1

[minimise]
method = "{method}"            # "none", "steepest-descent", "l-bfgs"

[output]
trajectory_interval = 1000       # steps; 0 for none
energy_interval = 100
checkpoint_interval = "15 min"   # and on Ctrl-C, SIGTERM or SIGHUP
"""

_pressure = """\
# pressure = "1 bar"             # with "npt"; and, for a membrane:
# pressure_coupling = "semi-isotropic"
"""

_stages = """
# Stages, one after the other, each with its own folder; what a stage does not set is as above.
# Then take [minimise] above out.
#
# [[restraints]]                   # in all stages that have none of their own
# atoms = "solute heavy atoms"
# force_constant = "1000 kJ/mol/nm^2"
#
# [[stages]]
# name = "minimise"
# [stages.minimise]
# [stages.dynamics]
# steps = 0
#
# [[stages]]
# name = "heat"
# [stages.dynamics]
# temperature = ["50 K", "300 K"]  # linear over the steps
# steps = 25000
#
# [[stages]]
# name = "produce"
# restraints = "none"
"""

names = tuple(_systems)


def template(kind: str) -> str:
    """Return a commented input.

    Parameters
    ----------
    kind : str
        "amber", "charmm", "gromacs", "pdb" or "openmm" for files of your own; "water", "dhfr" or
        "vacuum" for systems to try.
    """
    charmm = kind == "charmm"
    forces = _forces.format(
        cutoff="12 Å" if charmm else "9 Å",
        switch='"10 Å"                 # or "off"'
        '\nswitching = "force"             # as in CHARMM; or of the "potential", as in OpenMM'
        if charmm
        else '"off"                   # or the distance where switching starts, such as "7.5 Å"',
        tail="false    # CHARMM was fitted without" if charmm else "true",
    )
    if kind == "openmm":
        forces = _own_forces
    elif kind == "vacuum":
        forces = _vacuum_forces
    elif kind == "water":
        forces = forces.replace('"9 Å"', '"9 Å"                   # at most half the box')
    tried = kind in ("water", "dhfr", "vacuum")
    dynamics = _dynamics.format(
        ensemble="nvt",
        ensembles='"nve" or "nvt"' if kind == "vacuum" else '"nve", "nvt" or "npt"',
        pressure="" if kind == "vacuum" else _pressure,
        steps=1000 if tried else 50000,
        bath=" and of the heat bath",
        friction='friction = "1 1/ps"\n',
        method="none" if kind == "dhfr" else "l-bfgs",
    )
    return _head + _systems[kind] + forces + dynamics + _stages
