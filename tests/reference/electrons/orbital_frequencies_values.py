# SPDX-License-Identifier: BSD-3-Clause
"""Print orbital_frequencies_values.hpp: highest frequencies of orbitals in ground states.

Run ``python orbital_frequencies_values.py > orbital_frequencies_values.hpp`` with python/ and
tests/python/electrons on PYTHONPATH, then clang-format the header. The ground states are those of
the plain program. The square of the highest frequency is the largest eigenvalue of
f m^(-1/2) (H - e_1) m^(-1/2) with the potential of the ground state, found by Lanczos' method.
"""

import numpy as np
import reference_systems
from plain_kohn_sham import System, minimise
from plain_kohn_sham.nonlocal_part import Projections
from scipy.sparse.linalg import LinearOperator, eigsh

SYSTEMS = ("hydrogen", "silicon", "water_pbe_triclinic", "water_blyp")
MASS = 400.0
CUTOFFS = (0.5, 1.25, 2.0, 1e9)  # of the mass, hartree


def highest(system: System, state: minimise.State, lowest: float, cutoff: float) -> float:
    """Return the highest frequency, for a cutoff of the mass."""
    basis, projections = system.basis, Projections.of(system)
    field = basis.density_on_grid(state.potential[0])
    kinetic, weight = basis.waves.length**2 / 2, basis.waves.weight
    scale = 1 / np.sqrt(MASS * np.maximum(1, kinetic / cutoff) * weight)
    waves = len(kinetic)

    def apply(x: np.ndarray) -> np.ndarray:
        c = (x.ravel()[:waves] + 1j * x.ravel()[waves:]) * scale
        c[0] = c[0].real
        h = (kinetic - lowest) * c + projections.apply(basis, c[None])[0]
        h = (h + basis.wave_of_grid(field * basis.wave_on_grid(c))) * weight * scale
        h[0] = h[0].real
        return np.concatenate([h.real, h.imag])

    operator = LinearOperator((2 * waves, 2 * waves), matvec=apply, dtype=float)
    start = np.ones(2 * waves)
    value = eigsh(operator, k=1, which="LA", v0=start, return_eigenvectors=False, tol=1e-8)
    return float(np.sqrt(system.occupation * value[0]))


def main() -> None:
    """Print the header."""
    rows = []
    for name in SYSTEMS:
        system = getattr(reference_systems, name)()
        found = minimise.ground_state(system, 1e-7)
        lowest = float(found.eigenvalues[0])
        for cutoff in CUTOFFS:
            value = highest(system, found.state, lowest, cutoff)
            rows.append(f'{{"{name}", {system.cutoff}, {cutoff}, {lowest:.6f}, {value:.6f}}}')
    print("// SPDX-License-Identifier: BSD-3-Clause")
    print("//\n// By orbital_frequencies_values.py. Units: hartree, atomic units of frequency.")
    print("#pragma once\n\nnamespace fg::test {\n")
    print("struct HighestFrequency {\n  const char* system;\n  double cutoff, mass_cutoff;")
    print("  double lowest_eigenvalue, highest;\n};\n")
    print(f"inline constexpr double mass_of_frequencies = {MASS};")
    print("inline constexpr HighestFrequency highest_frequencies[] = {")
    print(",\n".join(rows) + "};\n\n}  // namespace fg::test")


if __name__ == "__main__":
    main()
