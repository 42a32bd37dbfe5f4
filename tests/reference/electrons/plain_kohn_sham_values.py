# SPDX-License-Identifier: BSD-3-Clause
"""Print plain_kohn_sham_values.hpp: terms of an energy by the plain program of tests/python.

Run ``python plain_kohn_sham_values.py > plain_kohn_sham_values.hpp`` with python/ and
tests/python/electrons on PYTHONPATH, then clang-format the header. Pseudopotentials, orbitals and
density are formulas, so that the test makes the same ones; no ground state is needed.
"""

from pathlib import Path

import numpy as np
from plain_kohn_sham import System, hartree, kinetic, local
from plain_kohn_sham.nonlocal_part import Projections

from finegrain.pseudopotentials import Channel, GaussianLocal, GaussianProjector, Pseudopotential
from finegrain.pseudopotentials.functionals import Functional
from finegrain.pseudopotentials.transforms import Transform

ORBITALS, OCCUPATION = 3, 2.0
VECTORS = np.array([[6.6, 0.3, -0.2], [-1.1, 6.3, 0.4], [0.7, 1.2, 6.0]])
POSITIONS = np.array([[0.1, 0.2, 0.3], [2.9, 0.3, 3.1], [-0.5, 1.7, 0.9]])


def pseudo(element: str, charge: float, gaussian: GaussianLocal, *channels: Channel):
    """Return a pseudopotential of formulas alone."""
    return Pseudopotential(
        path=Path("made.gth"),
        form="GTH",
        label="made",
        sha256="",
        element=element,
        charge=charge,
        functional=Functional("PBE", "PBE"),
        local=gaussian,
        channels=channels,
    )


def channel(l: int, radius: float, coupling: list[list[float]]) -> Channel:  # noqa: E741
    """Return the first projectors of one l."""
    count = len(coupling)
    projectors = tuple(GaussianProjector(radius, i + 1) for i in range(count))
    return Channel(l, projectors, np.array(coupling))


def system() -> System:
    """Two ions of one kind with all l and coupled projectors, and one with s alone."""
    many = pseudo(
        "O",
        6.0,
        GaussianLocal(0.45, (-7.5, 1.2)),
        channel(0, 0.5, [[3.1, -0.7], [-0.7, 1.2]]),
        channel(1, 0.55, [[2.0, -0.4], [-0.4, 0.9]]),
        channel(2, 0.6, [[-1.3]]),
        channel(3, 0.65, [[0.6]]),
    )
    few = pseudo("H", 1.0, GaussianLocal(0.3, (-4.2, 0.7)), channel(0, 0.4, [[4.2]]))
    pseudos = {"O": many, "H": few}
    return System(VECTORS, ("O", "H", "O"), POSITIONS, pseudos, "PBE", 8.0, (24,) * 3)


def wave(index: np.ndarray, g: np.ndarray, number: int, decay: float) -> np.ndarray:
    """Return coefficients that a formula gives; real at G = 0, which comes first."""
    angle = (number + 1) * (index @ np.array([0.7, -1.1, 0.4])) + number
    result = np.exp(-((g**2).sum(axis=1)) / decay + 1j * angle)
    result[0] = result[0].real
    return result


def number(value: float) -> str:
    """Write all digits."""
    return f"{value:.16e}"


def array(name: str, values: np.ndarray) -> str:
    """Write an array of C++."""
    shape = "".join(f"[{n}]" for n in values.shape)
    rows = values if values.ndim > 1 else values[None]
    text = ["{" + ", ".join(number(x) for x in row) + "}" for row in rows]
    body = "{" + ", ".join(text) + "}" if values.ndim > 1 else text[0]
    return f"inline constexpr double {name}{shape} = {body};"


def virial(by_strain: np.ndarray) -> np.ndarray:
    """Return minus the derivative by the strain, in the engine's order."""
    both = -(by_strain + by_strain.T) / 2
    return both[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def main() -> None:
    """Print the header."""
    one = system()
    basis = one.basis
    c = np.array([wave(basis.waves.index, basis.waves.g, s, 4.0) for s in range(ORBITALS)])
    rho, partner = (wave(basis.density.index, basis.density.g, s, 6.0) for s in (3, 4))
    length = basis.density.length
    core = Transform(2 * np.exp(-(length**2) / 2), -2 * length * np.exp(-(length**2) / 2))
    cores = [core, None, core]
    nonlocal_part = Projections.of(one, strain=True)
    alpha = one.alpha_energy
    energies = {
        "kinetic": kinetic.energy(basis, c, OCCUPATION),
        "hartree": hartree.energy(basis, rho),
        "local": basis.integral(one.ionic, rho),
        "alpha": alpha,
        "nonlocal": nonlocal_part.energy(c, OCCUPATION),
    }
    at = one.positions
    forces = {
        "local": local.forces(basis, at, one.local_tables, rho),
        "core": local.forces(basis, at, cores, partner),
        "nonlocal": nonlocal_part.forces(basis, c, OCCUPATION, len(at)),
    }
    virials = {
        "kinetic": kinetic.by_strain(basis, c, OCCUPATION),
        "hartree": hartree.by_strain(basis, rho),
        "local": local.by_strain(basis, at, one.local_tables, rho),
        "core": local.by_strain(basis, at, cores, partner),
        "nonlocal": nonlocal_part.by_strain(c, OCCUPATION),
    }
    applied = nonlocal_part.apply(basis, c)
    print("// SPDX-License-Identifier: BSD-3-Clause")
    print("//\n// By plain_kohn_sham_values.py, which has the formulas of all that goes in.")
    print("// Units: hartree, bohr.\n#pragma once\n")
    print("namespace fg::test::plain {\n")
    for name, value in energies.items():
        print(f"inline constexpr double {name}_energy = {number(value)};")
    print("// The sum of |V_nl psi|^2 over the half sphere, of each orbital.")
    print(array("nonlocal_applied", (np.abs(applied) ** 2).sum(axis=1)))
    print(f"inline constexpr int waves = {len(basis.waves.index)};")
    print(f"inline constexpr int density_waves = {len(length)};")
    for name, value in forces.items():
        print(array(f"{name}_forces", value))
    print("// Minus the derivatives by the strain: xx yy zz xy xz yz.")
    for name, value in virials.items():
        print(array(f"{name}_virial", virial(value)))
    print("\n}  // namespace fg::test::plain")


if __name__ == "__main__":
    main()
