# SPDX-License-Identifier: BSD-3-Clause
"""Commented inputs for ab initio runs as a starting point."""

from __future__ import annotations

_head = """\
# finegrain input. Every quantity carries its unit; `finegrain check` reports what is wrong.

[system]
kind = "ab-initio"
"""

_systems = {
    "ab-initio": """\
structure = "system.xyz"         # any file that ASE reads: xyz, cif, POSCAR, pdb, ...
# cell = ["10 Å", "10 Å", "10 Å"]  # if the file has none
""",
    "ice": """\
structure = "built-in:ice"       # eight waters of cubic ice; or a file: xyz, cif, POSCAR, ...
""",
    "silicon": """\
structure = "built-in:silicon"   # eight atoms; or a file: xyz, cif, POSCAR, ...
""",
    "molecule": """\
structure = "built-in:H2O"       # a molecule of ASE, such as O2; or a file: xyz, cif, ...
cell = ["9 Å", "9 Å", "9 Å"]     # with 3 Å of vacuum around the molecule
# boundary = "isolated"          # without periodic images: a cell of 12 Å then
""",
}

_electrons = """
[electrons]
cutoff = "{cutoff}"                 # of the orbitals; that of the density is four times as high
functional = "{functional}"              # PBE, BLYP, revPBE, LDA, PZ81, PW92, or names of libxc
{pseudopotentials}
# spin = "collinear"             # for unpaired electrons: radicals, O2, magnets
# multiplicity = 3               # unpaired electrons plus one; or magnetization = 2

{dynamics}
[ground_state]
tolerance = "1e-7 hartree"       # largest residual of a coefficient
energy_tolerance = "1e-11 hartree"  # or when the energy is known to this
iterations = 200                 # at most

[output]
{output}density = {density}                  # whether ground_state.h5 holds the density
"""

_ground_state = """\
[dynamics]
kind = "ground-state"            # energy, forces and stress at the given positions
"""

_car_parrinello = """\
[dynamics]
kind = "car-parrinello"          # orbitals move with the ions, from their ground state
timestep = "0.1 fs"
steps = 1000
fictitious_mass = 400            # of a coefficient, electron masses; 0.1 fs is for this one
temperature = "300 K"            # of the velocities at the start; of the thermostat if there is one
# thermostat = "nose-hoover"     # or "velocity-rescaling", "langevin"; none: constant energy
# ions = "rest"                  # only the orbitals move; then without temperature
# orthonormality = "free"        # no forces of constraint on the orbitals
# cell = "isotropic"             # or "lengths", "full": it moves under an outer pressure
# pressure = "1 bar"
"""

_born_oppenheimer = """\
[dynamics]
kind = "born-oppenheimer"        # the ground state is found again at each step
timestep = "0.5 fs"
steps = 200
temperature = "300 K"            # of the velocities at the start; of the thermostat if there is one
# thermostat = "nose-hoover"     # or "velocity-rescaling", "langevin"; none: constant energy
# cell = "isotropic"             # or "lengths", "full": it moves under an outer pressure
# pressure = "1 bar"
"""

_frames = """\
energy_interval = 1              # steps between rows of energies.csv
trajectory_interval = 10         # steps between frames with velocities and forces
"""


def _auto(files: str) -> str:
    return f'pseudopotentials = "auto"        # or a table: {{ {files} }}'


# The pseudopotentials of Martins, Troullier, von Barth and Car for oxygen and hydrogen are softer
# than GTH's.
_soft = """\
# Files of Quantum ESPRESSO's package, found where it is installed; or "auto"
pseudopotentials = { O = "O.blyp-mt.UPF", H = "H.blyp-vbc.UPF" }"""

_choices = {
    "ab-initio": ("70 Ry", "PBE", _auto('O = "O.UPF", H = "H.UPF"'), "false"),
    "ice": ("70 Ry", "BLYP", _soft, "false"),
    "silicon": ("20 Ry", "LDA", _auto('Si = "Si.UPF"'), "false"),
    # The hard cores of GTH's oxygen need more waves than soft ones.
    "molecule": ("140 Ry", "PBE", _auto('O = "O.UPF", H = "H.UPF"'), "true"),
}

# A dynamics of the crystal of water.
_dynamics = {"car-parrinello": _car_parrinello, "born-oppenheimer": _born_oppenheimer}
names = (*_systems, *_dynamics)


def template(kind: str) -> str:
    """Return a commented input.

    Parameters
    ----------
    kind : str
        "ab-initio" for a file of your own; "ice", "silicon" or "molecule" for systems to try;
        "car-parrinello" or "born-oppenheimer" for a dynamics of the ice.
    """
    system = "ice" if kind in _dynamics else kind
    cutoff, functional, pseudopotentials, density = _choices[system]
    electrons = _electrons.format(
        cutoff=cutoff,
        functional=functional,
        pseudopotentials=pseudopotentials,
        density=density,
        dynamics=_dynamics.get(kind, _ground_state),
        output=_frames if kind in _dynamics else "",
    )
    return _head + _systems[system] + electrons
