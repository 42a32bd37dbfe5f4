# SPDX-License-Identifier: BSD-3-Clause
"""Long runs of methanol and of a peptide in water, and the shares of their modes."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from engine_jobs import make_job
from methanol import KT, methanol_files
from modes import kinetic_modes
from numpy.typing import NDArray
from volume_statistics import block_error

import finegrain as fg
from finegrain.runs.energies import read_energies

Array = NDArray[np.float64]

NPT = {"ensemble": "npt", "pressure": "1 bar"}
BAROSTATS: dict[str, dict[str, Any]] = {
    "none": {"ensemble": "nvt"},
    "stochastic rescaling": NPT | {"barostat": "stochastic-rescaling", "barostat_time": "2 ps"},
    "Langevin piston": NPT | {"barostat": "langevin-piston"},
    "Monte Carlo": NPT | {"barostat": "monte-carlo"},
}
THERMOSTATS: dict[str, dict[str, Any]] = {
    "velocity rescaling": {"thermostat": "velocity-rescaling", "thermostat_time": "0.5 ps"},
    "Langevin": {"thermostat": "langevin", "friction": "1 1/ps"},
}
# Pair forces end smoothly and lists are exact, so that the conserved energy tells about the baths.
FORCES = {
    "cutoff": "7 Å",
    "switch": "6 Å",
    "pair_list_tolerance": "1e-6 kJ/mol/ps",
    "constraints": "h-bonds",
}
TEMPERATURE = 298.15  # K
HALF = KT / 2
METHANOLS, WATERS = 216, 749
# Coordinates of a methanol and of the dipeptide without constraints, motion and rotation.
METHANOL_INNER, PEPTIDE_INNER = 18 - 4 - 6, 66 - 12 - 6
PEPTIDE_ATOMS, PEPTIDE_BONDS = 22, 9  # the bonds without hydrogen


@dataclass
class Shares:
    """Energies over those of equipartition, each with its standard error, and other figures."""

    mean: dict[str, float] = field(default_factory=dict)
    error: dict[str, float] = field(default_factory=dict)
    others: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, values: Array) -> None:
        """Take the mean of a series without its first quarter, and the error of this mean."""
        later = values[len(values) // 4 :]
        self.mean[name] = float(later.mean())
        self.error[name] = block_error(later)

    def add_rest(self, name: str, freedom: int, others: dict[str, int]) -> None:
        """Add the share of what is left of the temperature; degrees of freedom of all are given.

        Frames of velocity rescaling have velocities at full steps, where vibrations have less than
        at half steps, so the rest is taken from the temperature, which is that of half steps.
        """
        total = freedom + sum(others.values())
        left = total * self.mean["temperature"] / TEMPERATURE
        variance = (total * self.error["temperature"] / TEMPERATURE) ** 2
        for other, count in others.items():
            left -= count * self.mean[other]
            variance += (count * self.error[other]) ** 2
        self.mean[name] = left / freedom
        self.error[name] = variance**0.5 / freedom

    def figures(self) -> dict[str, float]:
        """Return all of it, rounded, with names for a file."""
        errors = {f"{name}_error": value for name, value in self.error.items()}
        return {name: round(v, 7) for name, v in (self.mean | errors | self.others).items()}


@dataclass
class Baths:
    """What acts on a system, how often, and for how long."""

    barostat: str
    thermostat: str
    interval: int  # steps
    picoseconds: float
    timestep: float = 2  # fs
    others: dict[str, Any] = field(default_factory=dict)

    @property
    def every(self) -> int:
        """The steps between two frames: 0.2 ps, or the interval."""
        return self.interval * max(1, round(200 / (self.timestep * self.interval)))

    def dynamics(self, compressibility: str) -> dict[str, Any]:
        """Return the section of the input."""
        moves: dict[str, Any] = {"timestep": f"{self.timestep} fs", "temperature": "298.15 K"}
        moves |= BAROSTATS[self.barostat] | THERMOSTATS[self.thermostat] | self.others
        moves["steps"] = round(1000 * self.picoseconds / self.timestep / self.every) * self.every
        if self.barostat == "Monte Carlo":
            moves["barostat_interval"] = self.interval * max(1, round(40 / self.interval))
        elif self.barostat != "none":
            moves["compressibility"] = compressibility
        return moves

    def output(self) -> dict[str, Any]:
        """Return the section of the input: energies at each interval, and frames."""
        frames = {"trajectory_interval": self.every, "velocities": True}
        return {"energy_interval": self.interval} | frames


def methanol_run(folder: Path, baths: Baths) -> Shares:
    """Run 216 methanols whose bonds with hydrogens are held."""
    settings = methanol_files(folder, 6)
    job = make_job(
        folder,
        str(settings["topology"]),
        FORCES | {"rebuild_interval": baths.interval},
        baths.dynamics("1e-4 1/bar"),
        system={"kind": "classical"} | settings,
        minimise={"steps": 500},
        output=baths.output(),
    )
    out = folder / "out"
    assert fg.run(job, out=out, pes=1).finished
    shares = _from_energies(out, METHANOLS, 6 * METHANOLS)
    with fg.Trajectory(out) as trajectory:
        modes = kinetic_modes(trajectory, 0, METHANOLS, 6)
    # The centre of mass of all is at rest.
    shares.add("centres", modes.centres / (3 * (METHANOLS - 1) * HALF))
    shares.add("rotation", modes.rotation / (3 * METHANOLS * HALF))
    shares.add_rest(
        "inside",
        METHANOL_INNER * METHANOLS,
        {"centres": 3 * (METHANOLS - 1), "rotation": 3 * METHANOLS},
    )
    return shares


def peptide_run(folder: Path, baths: Baths) -> Shares:
    """Run alanine dipeptide in 749 rigid waters; only its bonds without hydrogen are free."""
    job = make_job(
        folder,
        "AlanineDipeptideExplicit",
        FORCES | {"rebuild_interval": baths.interval, "mesh_spacing": "1 Å"},
        baths.dynamics("4.5e-5 1/bar"),
        minimise={"steps": 500},
        output=baths.output(),
    )
    out = folder / "out"
    assert fg.run(job, out=out, pes=1).finished
    shares = _from_energies(out, PEPTIDE_BONDS, PEPTIDE_ATOMS + 3 * WATERS)
    with fg.Trajectory(out) as trajectory:
        peptide = kinetic_modes(trajectory, 0, 1, PEPTIDE_ATOMS)
        water = kinetic_modes(trajectory, PEPTIDE_ATOMS, WATERS, 3)
    shares.add("water, centres", water.centres / (3 * WATERS * HALF))
    shares.add("water, rotation", water.rotation / (3 * WATERS * HALF))
    shares.add("peptide, whole", (peptide.centres + peptide.rotation) / (6 * HALF))
    if baths.thermostat == "Langevin":  # whose velocities are those of half steps
        shares.add("peptide, inside", peptide.inside / (PEPTIDE_INNER * HALF))
    return shares


def _from_energies(out: Path, bonds: int, atoms: int) -> Shares:
    """Return what the rows tell; energies of bonds and angles are for each free bond."""
    table = read_energies(out)
    shares = Shares()
    shares.add("bond", table["bond (kJ/mol)"] / (bonds * HALF))
    shares.add("angle", table["angle (kJ/mol)"] / (bonds * HALF))
    shares.add("temperature", table["temperature (K)"])
    later = slice(len(table["time (ps)"]) // 4, None)
    shares.others["pressure_scatter"] = float(table["pressure (bar)"][later].std())
    energy = table["conserved energy (kJ/mol)"][later] / atoms
    shares.others["drift"] = float(np.polyfit(table["time (ps)"][later], energy, 1)[0])
    return shares
