# SPDX-License-Identifier: BSD-3-Clause
"""One small, sound input of each format, to be damaged: 15 to 24 atoms in a periodic box.

Four more are at constant pressure, with each of the barostats, two of them in a tilted cell.
"""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openmm
from input_systems import Waters, tip3p_force_field, tip3p_molecule
from openmm import app, unit
from water_files import write_charmm_water

_forces = """\
[forces]
electrostatics = "pme"
cutoff = "7.5 Å"
mesh_spacing = "1.5 Å"
ewald_tolerance = 1e-4
constraints = "{constraints}"
rigid_water = {rigid}
pair_list_tolerance = "1e-4 kJ/mol/ps"
{intervals}"""
_moves = """
[dynamics]
{bath}timestep = "0.5 fs"
steps = 5
temperature = "300 K"
seed = 7
{velocities}
[minimise]
method = "none"

[output]
trajectory_interval = 5
energy_interval = 5
checkpoint_interval = "15 min"
"""


_at_constant_volume = 'ensemble = "nvt"\nfriction = "1 1/ps"\n'
# Lists are rebuilt often, so that the box changes within five steps.
_often = "rebuild_interval = 3\nprune_interval = 1\n"
_rescaled = 'ensemble = "npt"\nfriction = "1 1/ps"\nbarostat_time = "0.5 ps"\n'
_by_piston = (
    'ensemble = "npt"\nbarostat = "langevin-piston"\nthermostat = "velocity-rescaling"\n'
    'piston_period = "0.3 ps"\npressure = "10 bar"\n'
)
_by_trials = (
    'ensemble = "npt"\nfriction = "1 1/ps"\nbarostat = "monte-carlo"\nbarostat_interval = 3\n'
)
_anisotropic = 'ensemble = "npt"\nfriction = "1 1/ps"\npressure_coupling = "anisotropic"\n'


def _input(
    folder: Path, system: str, *, tied: bool, velocities: bool, bath: str = _at_constant_volume
) -> None:
    choice = 'velocities = "from-file"\n' if velocities else ""
    forces = _forces.format(
        constraints="h-bonds" if tied else "none",
        rigid="true" if tied else "false",
        intervals=_often if bath != _at_constant_volume else "",
    )
    moves = _moves.format(velocities=choice, bath=bath)
    text = f'[system]\nkind = "classical"\n{system}\n{forces}{moves}'
    (folder / "in.toml").write_text(text, encoding="utf-8")


def _dipeptide() -> Path:
    found = importlib.util.find_spec("openmmtools")
    assert found is not None
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "data" / "alanine-dipeptide-gbsa"


def _start() -> tuple[np.ndarray, np.ndarray]:
    """Return alanine dipeptide's positions (Å) in a box of 24 Å, and velocities."""
    file = app.AmberInpcrdFile(str(_dipeptide() / "alanine-dipeptide.crd"))
    position = np.array(file.getPositions().value_in_unit(unit.angstrom))
    position += 12.0 - position.mean(axis=0)
    return position, np.random.default_rng(5).normal(0, 0.1, position.shape)


def amber(
    folder: Path,
    cell: tuple[float, ...] = (24, 24, 24, 90, 90, 90),
    bath: str = _at_constant_volume,
) -> None:
    shutil.copy(_dipeptide() / "alanine-dipeptide.prmtop", folder / "a.prmtop")
    position, velocity = _start()
    numbers = np.concatenate([position.ravel(), velocity.ravel(), cell])
    rows = [
        "".join(f"{x:12.7f}" for x in numbers[start : start + 6])
        for start in range(0, len(numbers), 6)
    ]
    (folder / "a.rst7").write_text("\n".join(["a", f"{len(position):5d}", *rows]) + "\n")
    names = 'topology = "a.prmtop"\ncoordinates = "a.rst7"\n'
    _input(folder, names, tied=False, velocities=True, bath=bath)


def amber_octahedron(folder: Path) -> None:
    """AMBER in a truncated octahedron, with stochastic rescaling."""
    amber(folder, (26, 26, 26, *[109.471219] * 3), _rescaled)


def charmm(folder: Path, bath: str = _at_constant_volume) -> None:
    write_charmm_water(folder)
    names = 'topology = "w.psf"\ncoordinates = "w.pdb"\nparameters = ["w.prm"]\n'
    names += 'box = ["24 Å", "24 Å", "24 Å"]\n'
    _input(folder, names, tied=False, velocities=False, bath=bath)


def charmm_anisotropic(folder: Path) -> None:
    """CHARMM, with edges that are rescaled one by one."""
    charmm(folder, _anisotropic)


_methanol = (
    """\
[ defaults ]
1 2 yes 0.5 0.5
[ atomtypes ]
CT 6 12.011  0.145 A 0.350 0.276144
HC 1  1.008  0.040 A 0.250 0.125520
OH 8 15.9994 -0.683 A 0.312 0.711280
HO 1  1.008  0.418 A 0.0 0.0
OW 8 15.9994 -0.834 A 0.3150752 0.635968
HW 1  1.008  0.417 A 0.0 0.0
[ moleculetype ]
MET 3
[ atoms ]
1 CT 1 MET C  1  0.145 12.011
2 HC 1 MET H1 1  0.040  1.008
3 HC 1 MET H2 1  0.040  1.008
4 HC 1 MET H3 1  0.040  1.008
5 OH 1 MET O  1 -0.683 15.9994
6 HO 1 MET HO 1  0.418  1.008
[ bonds ]
1 2 1 0.109 284512.0
1 3 1 0.109 284512.0
1 4 1 0.109 284512.0
1 5 1 0.141 267776.0
5 6 1 0.0945 462750.4
[ pairs ]
2 6 1
3 6 1
4 6 1
[ angles ]
2 1 3 1 107.8 276.144
2 1 5 1 109.5 292.880
1 5 6 1 108.5 460.240
[ dihedrals ]
2 1 5 6 9 0.0 0.9414 3
3 1 5 6 9 0.0 0.9414 3
"""
    + tip3p_molecule
    + """\
[ system ]
methanol in water
[ molecules ]
MET 1
SOL 3
"""
)


def gromacs(
    folder: Path, box: tuple[float, ...] = (2.4, 2.4, 2.4), bath: str = _at_constant_volume
) -> None:
    (folder / "m.top").write_text(_methanol)
    methanol = np.array(
        [
            [0, 0, 0],
            [-0.036, 0.103, 0],
            [-0.036, -0.051, 0.089],
            [-0.036, -0.051, -0.089],
            [0.141, 0, 0],
            [0.171, 0.09, 0],
        ]
    )
    waters = Waters(side=2, edge=1.2).position[:9]
    position = np.concatenate([methanol + np.array([1.8, 1.8, 1.2]), waters + 0.2])
    velocity = np.random.default_rng(6).normal(0, 0.3, position.shape)
    names = ["C", "H1", "H2", "H3", "O", "HO", *("OW", "HW1", "HW2") * 3]
    lines = ["methanol in water", f"{len(names):5d}"]
    for i, name in enumerate(names):
        residue = "    1MET  " if i < 6 else f"{i // 3:5d}SOL  "
        row = "".join(f"{x:8.3f}" for x in position[i]) + "".join(f"{v:8.4f}" for v in velocity[i])
        lines.append(f"{residue}{name:>5s}{i + 1:5d}{row}")
    lines.append("".join(f"{edge:10.5f}" for edge in box))
    (folder / "m.gro").write_text("\n".join(lines) + "\n")
    text = 'topology = "m.top"\ncoordinates = "m.gro"\n'
    _input(folder, text, tied=True, velocities=True, bath=bath)


def gromacs_dodecahedron(folder: Path) -> None:
    """GROMACS in a rhombic dodecahedron, with a piston and velocity rescaling."""
    gromacs(folder, (2.6, 2.6, 1.83848, 0, 0, 0, 0, 1.3, 1.3), _by_piston)


def forcefield(folder: Path, bath: str = _at_constant_volume) -> None:
    Waters(side=2, edge=2.4).write(folder)
    (folder / "water.xml").unlink()
    (folder / "own_water.xml").write_text(tip3p_force_field)
    names = 'topology = "water.pdb"\nforcefield = ["own_water.xml"]\n'
    _input(folder, names, tied=False, velocities=False, bath=bath)


def forcefield_trials(folder: Path) -> None:
    """A force field, with the Monte Carlo barostat."""
    forcefield(folder, _by_trials)


def _impropers() -> openmm.CustomTorsionForce:
    force = openmm.CustomTorsionForce("0.5*k*(theta-theta0)^2")
    force.addPerTorsionParameter("k")
    force.addPerTorsionParameter("theta0")
    force.addTorsion(4, 1, 6, 5, [40.0, 0.0])
    force.addTorsion(14, 8, 16, 15, [30.0, 0.1])
    return force


def _cmap() -> openmm.CMAPTorsionForce:
    force = openmm.CMAPTorsionForce()
    force.addMap(2, [0.4, -1.2, 2.3, 0.7])
    force.addTorsion(0, 4, 6, 8, 14, 6, 8, 14, 16)
    return force


def system(folder: Path) -> None:
    prmtop = app.AmberPrmtopFile(str(_dipeptide() / "alanine-dipeptide.prmtop"))
    made = prmtop.createSystem(constraints=app.HBonds)
    made.setDefaultPeriodicBoxVectors(*(2.4 * np.eye(3)))
    for force in made.getForces():
        if isinstance(force, openmm.NonbondedForce):
            force.setNonbondedMethod(openmm.NonbondedForce.PME)
            force.setCutoffDistance(0.75)
    made.addForce(_impropers())
    made.addForce(_cmap())
    position, velocity = _start()
    reference = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(made, openmm.VerletIntegrator(0.001), reference)
    context.setPositions(position / 10)
    context.setVelocities(velocity)
    context.applyConstraints(1e-8)
    state = context.getState(getPositions=True, getVelocities=True)
    (folder / "system.xml").write_text(openmm.XmlSerializer.serialize(made))
    (folder / "state.xml").write_text(openmm.XmlSerializer.serialize(state))
    names = 'topology = "system.xml"\ncoordinates = "state.xml"\n'
    _input(folder, names, tied=True, velocities=True)


formats: dict[str, Callable[[Path], None]] = {
    "amber": amber,
    "charmm": charmm,
    "gromacs": gromacs,
    "forcefield": forcefield,
    "system": system,
    "amber-octahedron": amber_octahedron,
    "charmm-anisotropic": charmm_anisotropic,
    "gromacs-dodecahedron": gromacs_dodecahedron,
    "forcefield-trials": forcefield_trials,
}


def write_seeds(folder: Path) -> None:
    """Write the seed of each format into a folder of its name."""
    for name, write in formats.items():
        (folder / name).mkdir(parents=True)
        write(folder / name)
