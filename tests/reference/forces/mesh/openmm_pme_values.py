# SPDX-License-Identifier: BSD-3-Clause
"""Print openmm_pme_values.hpp: reciprocal-space energies and forces of OpenMM's Reference.

Run ``python openmm_pme_values.py > openmm_pme_values.hpp``, then clang-format the header.
"""

import numpy as np
import openmm as mm
from openmm import unit

EDGES = (3.0, 2.8, 3.2)  # nm
ATOMS = 24
SEED = 5


def evaluate(charges, positions, alpha, mesh):
    """Return energies of direct and reciprocal space [kJ/mol] and reciprocal forces [kJ/mol/nm]."""
    system = mm.System()
    force = mm.NonbondedForce()
    force.setNonbondedMethod(mm.NonbondedForce.PME)
    force.setCutoffDistance(1.2)
    force.setPMEParameters(alpha, *mesh)
    force.setUseDispersionCorrection(False)
    for charge in charges:
        system.addParticle(1.0)
        force.addParticle(charge, 0.1, 0.0)
    system.setDefaultPeriodicBoxVectors((EDGES[0], 0, 0), (0, EDGES[1], 0), (0, 0, EDGES[2]))
    force.setForceGroup(0)
    force.setReciprocalSpaceForceGroup(1)
    system.addForce(force)
    platform = mm.Platform.getPlatformByName("Reference")
    context = mm.Context(system, mm.VerletIntegrator(0.001), platform)
    context.setPositions(positions)
    state = context.getState(getEnergy=True, getForces=True, groups={1})
    energy = state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
    forces = state.getForces(asNumpy=True)
    return energy, forces.value_in_unit(unit.kilojoule_per_mole / unit.nanometer)


def rows(name, array):
    """Return a C++ initialiser."""
    lines = [f"inline constexpr double {name}[{len(array)}][3] = {{"]
    lines += ["    {" + ", ".join(f"{x:.15e}" for x in row) + "}," for row in array]
    return "\n".join(lines) + "\n};"


def main():
    """Print the header."""
    random = np.random.default_rng(SEED)
    charges = np.round(random.uniform(-0.5, 0.5, ATOMS), 3)
    positions = np.round(random.uniform(0, 1, (ATOMS, 3)) * EDGES, 4)
    mesh = (24, 20, 27)
    energy, forces = evaluate(charges, positions, 3.2, mesh)
    single, _ = evaluate([1.0], [(0.1, 0.2, 0.3)], 3.0, (64, 64, 64))
    print("// SPDX-License-Identifier: BSD-3-Clause")
    print("//")
    print(f"// From OpenMM {mm.version.version}, Reference platform, by openmm_pme_values.py.")
    print("// Units: nm, kJ/mol, kJ/mol/nm, elementary charges.")
    print("#pragma once\n\nnamespace fg::test::openmm {\n")
    print(f"inline constexpr double edges[3] = {{{', '.join(map(str, EDGES))}}};")
    print(f"inline constexpr int mesh[3] = {{{', '.join(map(str, mesh))}}};")
    print("inline constexpr double alpha = 3.2;")
    print(f"inline constexpr double energy = {energy:.15e};")
    print(
        "// One charge of 1 in the same box, alpha 3, mesh 64: self energy and background included."
    )
    print(f"inline constexpr double single_ion_energy = {single:.15e};")
    values = ", ".join(map(str, charges))
    print(f"inline constexpr double charges[{ATOMS}] = {{{values}}};")
    print(rows("positions", positions))
    print(rows("forces", forces))
    print("\n}  // namespace fg::test::openmm")


if __name__ == "__main__":
    main()
