# SPDX-License-Identifier: BSD-3-Clause
"""Vibrations of small molecules: by finite differences of forces, and from trajectories.

Hartree atomic units; frequencies in 1/cm where said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from ase import Atoms
from ase.data import atomic_masses, atomic_numbers
from ase.io import write
from ase.optimize import BFGS
from ase.vibrations import Vibrations
from engine_runs import input_text
from installed import gth, upf
from numpy.typing import NDArray
from plain_kohn_sham import System
from scipy.linalg import eigh, polar, solve_sylvester
from scipy.optimize import minimize_scalar

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.states.orbitals import Orbitals
from finegrain.ase import Finegrain

Floats = NDArray[np.float64]
DALTON = 1 / units.electron_mass_in_dalton
# The wave number of an angular frequency of one atomic unit is 1/(2 pi c), c in cm/s.
IN_WAVE_NUMBERS = 1 / (2 * np.pi * 2.99792458e10 * units.time_in_fs * 1e-15)
DELTA = 0.01  # Å, of finite differences
ENERGY = 10 / units.hartree_in_kelvin  # of each mode at the start: 10 K, so that it is harmonic


@dataclass(frozen=True)
class Molecule:
    """A molecule in a box, and how many of its modes are vibrations."""

    system: System
    vibrations: int

    def masses(self) -> Floats:
        """Return the mass of each coordinate, shape (3 atoms,)."""
        of = [atomic_masses[atomic_numbers[element]] * DALTON for element in self.system.elements]
        return np.repeat(np.array(of), 3)

    def atoms(self) -> Atoms:
        """Return it for ASE."""
        angstrom = units.bohr_in_angstrom
        return Atoms(
            list(self.system.elements),
            positions=self.system.positions * angstrom,
            cell=self.system.vectors * angstrom,
            pbc=True,
        )

    def at(self, positions: Floats) -> Molecule:
        """Return it with these positions, shape (atoms, 3)."""
        return replace(self, system=replace(self.system, positions=positions))


def _in_a_box(elements: tuple[str, ...], positions: list[list[float]], pseudos: dict) -> System:
    edge, points = 9.0, (32,) * 3
    middle = np.full(3, edge / 2)
    # What is compared has the same cutoff, so it may be low; the functional of local densities,
    # because the thresholds of others for the gradient of the density make forces noisy.
    return System(edge * np.eye(3), elements, middle + positions, pseudos, "PZ", 12.5, points)


def water() -> Molecule:
    """H2O in a box of 9 bohr at 25 Ry, near its minimum."""
    pseudos = {"O": upf("O.blyp-mt.UPF"), "H": upf("H.blyp-vbc.UPF")}
    places = [[0.0, 0.0, -0.4], [1.44, 0.0, 0.71], [-1.44, 0.0, 0.71]]
    return Molecule(_in_a_box(("O", "H", "H"), places, pseudos), 3)


def carbon_dioxide() -> Molecule:
    """CO2 likewise."""
    pseudos = {"C": gth("C", "PADE"), "O": upf("O.blyp-mt.UPF")}
    places = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.22], [0.0, 0.0, -2.22]]
    return Molecule(_in_a_box(("C", "O", "O"), places, pseudos), 4)


def _input(molecule: Molecule, folder: Path, *more: str, velocities: Floats | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    atoms = molecule.atoms()
    if velocities is not None:
        from ase.units import fs

        atoms.set_velocities(velocities * units.bohr_in_angstrom / (units.time_in_fs * fs))
    write(folder / "start.json", atoms)
    text = input_text(molecule.system, folder, *more)
    source = folder / "system.toml"
    source.write_text(text.replace('"system.xyz"', '"start.json"'))
    return source


_ground_state = (
    "[ground_state]",
    'tolerance = "1e-8 hartree"',
    'energy_tolerance = "1e-13 hartree"',
)


def calculator(molecule: Molecule, folder: Path) -> Finegrain:
    """Return the calculator for ASE, with the settings of `_input`."""
    folder.mkdir(parents=True, exist_ok=True)
    text = _input(molecule, folder).read_text()
    import tomllib

    electrons = tomllib.loads(text)["electrons"]
    named = {
        element: str(folder / file) if (folder / file).exists() else file
        for element, file in electrons.pop("pseudopotentials").items()
    }
    return Finegrain(
        cutoff=electrons.pop("cutoff"),
        functional=electrons.pop("functional"),
        pseudopotentials=named,
        electrons=electrons,
        ground_state={"tolerance": "1e-8 hartree", "energy_tolerance": "1e-13 hartree"},
        pes=1,
    )


def relaxed_with_hessian(molecule: Molecule, folder: Path) -> tuple[Molecule, Floats]:
    """Return the molecule at its minimum, and the second derivatives by ASE with our forces."""
    atoms = molecule.atoms()
    atoms.calc = calculator(molecule, folder)
    BFGS(atoms, logfile=None).run(fmax=1e-3, steps=40)
    found = Vibrations(atoms, name=str(folder / "vibrations"), delta=DELTA)
    found.run()
    hessian = found.get_vibrations().get_hessian_2d()
    hessian = hessian * units.bohr_in_angstrom**2 / units.hartree_in_ev
    return molecule.at(atoms.get_positions() / units.bohr_in_angstrom), hessian


def hessian_of(forces: Callable[[Molecule], Floats], molecule: Molecule) -> Floats:
    """Return the second derivatives by finite differences of other forces, shape (3 N, 3 N)."""
    step = DELTA / units.bohr_in_angstrom
    start = molecule.system.positions
    rows = []
    for shift in np.eye(start.size).reshape(-1, *start.shape):
        there, back = (forces(molecule.at(start + sign * step * shift)) for sign in (1, -1))
        rows.append((np.asarray(back) - there).ravel() / (2 * step))
    return (np.array(rows) + np.array(rows).T) / 2


def modes(hessian: Floats, masses: Floats, vibrations: int) -> tuple[Floats, Floats]:
    """Return angular frequencies, rising, and modes e with e^T M e = 1 in columns.

    `masses` are those of coordinates, or a matrix. The lowest modes, in which the molecule moves
    and turns, are left out.
    """
    matrix = masses if masses.ndim == 2 else np.diag(masses)
    squares, vectors = eigh(hessian, matrix)
    return np.sqrt(squares[-vibrations:]), vectors[:, -vibrations:]


def run(molecule: Molecule, velocities: Floats, folder: Path, *dynamics: str) -> fg.DynamicsRun:
    """Run a dynamics from these velocities, shape (atoms, 3)."""
    source = _input(
        molecule,
        folder,
        *_ground_state,
        "[dynamics]",
        'velocities = "from-file"',
        *dynamics,
        "[output]",
        "trajectory_interval = 1",
        velocities=velocities,
    )
    done = fg.run(source, folder / "run", pes=1)
    assert isinstance(done, fg.DynamicsRun)
    return done


def start_velocities(vectors: Floats) -> Floats:
    """Return velocities of all modes, each with the same energy; shape (atoms, 3)."""
    signs = (-1.0) ** np.arange(vectors.shape[1])
    return np.sqrt(2 * ENERGY) * (vectors @ signs).reshape(-1, 3)


def frequencies_of(
    done: fg.DynamicsRun, vectors: Floats, masses: Floats, timestep: float
) -> Floats:
    """Return the angular frequency of each mode from the autocorrelation of its velocity.

    The velocities' parts along a mode are those of one oscillator, whose autocorrelation is a
    cosine; its frequency is fitted. The method of Verlet makes it too high: a step of dt turns w
    into (2/dt) arcsin(w dt/2), which is taken back.
    """
    with done.trajectory() as frames:
        # The frames have nm/ps.
        velocity = frames.velocities().reshape(len(frames), -1)
    parts = velocity @ (masses[:, None] * vectors)
    found = []
    for part in (parts - parts.mean(axis=0)).T:
        lags = np.arange(len(part) // 2)
        correlation = np.array([part[: len(part) - lag] @ part[lag:] for lag in lags])
        correlation /= len(part) - lags
        fast = _fitted(lags * timestep, correlation)
        found.append(2 / timestep * np.sin(fast * timestep / 2))
    return np.array(found)


def _fitted(time: Floats, values: Floats) -> float:
    """Return the angular frequency of the cosine that fits best."""
    spectrum = np.abs(
        np.fft.rfft(values * np.hanning(2 * len(values))[len(values) :], 16 * len(values))
    )
    step = 2 * np.pi / (16 * len(values) * (time[1] - time[0]))
    near = step * int(spectrum.argmax())

    def misfit(w: float) -> float:
        table = np.stack([np.cos(w * time), np.sin(w * time), np.ones_like(time)], axis=1)
        share, *_ = np.linalg.lstsq(table, values, rcond=None)
        return float(((table @ share - values) ** 2).sum())

    width = 8 * step
    return float(
        minimize_scalar(
            misfit, bounds=(near - width, near + width), method="bounded", options={"xatol": 1e-9}
        ).x
    )


def masses_of_orbitals(molecule: Molecule, folder: Path, mass: float, mass_cutoff: float) -> Floats:
    """Return what the orbitals add to the masses of the ions, shape (3 N, 3 N).

    Orbitals that follow the ions have the velocities sum of R_a' d(psi)/dR_a, and their fictitious
    kinetic energy <psi'|m|psi'> is that of heavier ions, 1/2 R'^T D R', with
    D_ab = 2 sum over orbitals of <d(psi)/dR_a|m|d(psi)/dR_b>. Derivatives are finite differences of
    ground states. Orbitals that began at rest never turn among themselves: the antisymmetric part
    of <psi|m|psi'>, which rotations would change, is conserved; so it is zero here.
    """
    step = 0.02
    start = molecule.system.positions

    def orbitals(positions: Floats, name: str) -> tuple[NDArray[np.complex128], Floats]:
        fg.run(
            _input(molecule.at(positions), folder / name, *_ground_state),
            folder / name / "run",
            pes=1,
        )
        kept = Orbitals(folder / name / "run")
        waves = kept.waves @ (2 * np.pi * np.linalg.inv(kept.cell).T)
        return kept.coefficients(), (waves**2).sum(axis=1)

    psi, squares = orbitals(start, "middle")
    weights = np.where(squares < 1e-12, 1.0, 2.0)
    heavy = weights * mass * np.maximum(1, squares / 2 / mass_cutoff)

    def product(a: NDArray[np.complex128], by: Floats, b: NDArray[np.complex128]) -> Floats:
        return ((a.conj() * by) @ b.T).real

    rates = []
    for number, shift in enumerate(np.eye(start.size).reshape(-1, *start.shape)):
        moved = []
        for sign in (1, -1):
            found, _ = orbitals(start + sign * step * shift, f"{number}{'+-'[sign < 0]}")
            turn, _ = polar(product(psi, weights, found))
            moved.append(turn @ found)
        rate = (moved[0] - moved[1]) / (2 * step)
        metric, change = product(psi, heavy, psi), product(psi, heavy, rate)
        rates.append(rate + solve_sylvester(metric, metric, change - change.T) @ psi)
    return 2 * np.array([[float((a.conj() * heavy * b).sum().real) for b in rates] for a in rates])
