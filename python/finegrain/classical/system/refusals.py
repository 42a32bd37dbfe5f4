# SPDX-License-Identifier: BSD-3-Clause
"""The messages that refuse a force or a setting that the engine does not have."""

from __future__ import annotations

from finegrain.base.visible import visible
from finegrain.classical.system.terms import kinds
from finegrain.errors import Problem

_longest = 100  # characters of a formula in a message

known_forces = ", ".join(
    [
        *(kind.force for kind in kinds if kind.force and not kind.energy),
        *("CMAPTorsionForce", "CustomTorsionForce (harmonic)", "NonbondedForce"),
        *("CustomNonbondedForce (12-6 Lennard-Jones)", "CMMotionRemover"),
        *(f"{kind.force} ({kind.name})" for kind in kinds if kind.energy),
        "CustomExternalForce (harmonic position restraints)",
    ]
)

remedies = {
    "CustomNonbondedForce": "12-6 Lennard-Jones is all that it takes, such as NBFIX has",
    "GBSAOBCForce": "put the molecule in explicit water, or choose the vacuum",
    "CustomGBForce": "put the molecule in explicit water, or choose the vacuum",
    "DrudeForce": "use a force field without polarisation",
    "AmoebaMultipoleForce": "use a force field without polarisation",
    "MonteCarloBarostat": 'take the barostat out, and use ensemble = "npt"',
    "MonteCarloAnisotropicBarostat": 'take the barostat out, and use ensemble = "npt"',
    "MonteCarloMembraneBarostat": 'take the barostat out, and use ensemble = "npt"',
    "AndersenThermostat": 'take it out, and use ensemble = "nvt"',
    "CustomExternalForce": "write a restraint as k*periodicdistance(x, y, z, x0, y0, z0)^2, or "
    "with 0.5*k, with k, x0, y0 and z0 of each particle; take other fields out",
    "CustomCentroidBondForce": "take the restraint out",
    "CustomBondForce": "take the restraint out, or write it as a harmonic bond",
    "CustomAngleForce": "take the restraint out, or write it as a harmonic angle",
}


def refused(what: str, hint: str) -> Problem:
    """Return the problem of a System that contains something that the engine does not support."""
    return Problem("is not supported", value=what, hint=hint)


def refuse_force(kind: str, name: str, formula: str | None = None) -> Problem:
    """Return the problem of a force that the engine does not have; custom ones have a formula."""
    what = kind if name == kind else f"{kind} ({name})"
    if formula:
        what += f" with the energy {visible(' '.join(formula.split()), keep='')[:_longest]}"
    hint = remedies.get(kind, "take it out of the System")
    return Problem(
        "is not supported", value=what, limit=f"{known_forces} are all it takes", hint=hint
    )
