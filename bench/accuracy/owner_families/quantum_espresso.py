# SPDX-License-Identifier: BSD-3-Clause
"""Pseudopotentials and functionals against pw.x: energies by term, forces and stress.

The systems are those of tests/python/electrons, small ones of each functional, spin and format of
pseudopotentials. GTH and psp8 files are written as UPF tables, which pw.x reads (measure_pw.py).
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import finegrain as fg
from finegrain.units import pressure_in_bar
from owner_families.family import Compared, Family, Limit, MissingOwnerError, Term, terms_of

_tests = Path(__file__).resolve().parents[3] / "tests/python"

# Found are 1e-8; without images 1e-7, because pw.x tabulates the potential of an ion.
LDA = Limit(2e-7)
# In pw.x the constant (1 - ln 2) / pi^2 of PBE correlation has five digits: 8e-7 an atom.
PBE = Limit(2e-6)
BLYP = Limit(2e-7)
# Terms move against each other with the density, to first order in the residual.
PART = Limit(1e-5)
FORCE, STRESS = 3e-6, 0.02  # hartree/bohr, kbar
# One of each functional, format, spin and boundary, that both programs do in seconds.
SYSTEMS = {
    "H2, GTH, LDA": ("FOR_PW", "H2 GTH LDA", LDA),
    "H2O, UPF, BLYP": ("FOR_PW", "H2O MT BLYP", BLYP),
    "H2O, GTH, LDA, without images": ("FOR_PW", "H2O GTH LDA isolated", LDA),
    "Si2, UPF, LDA": ("FOR_PW", "Si2 VBC LDA", LDA),
    "Si2, psp8 with model core, LDA": ("FOR_PW", "Si2 ONCV NLCC LDA", LDA),
    "H2, GTH, revPBE": ("FOR_PW", "H2 GTH revPBE", PBE),
    "H2O, GTH, PBE, triclinic": ("FOR_PW", "H2O GTH PBE triclinic", PBE),
    "H, GTH, LDA with spin, without images": ("SPINS", "H GTH LDA isolated spin", LDA),
    "O2, GTH, LDA with spin": ("SPINS", "O2 GTH LDA spin", LDA),
    "H, GTH, PBE with spin": ("SPINS", "H GTH PBE spin", PBE),
    "N, GTH, PBE with spin": ("SPINS", "N GTH PBE spin", PBE),
    "triplet H2, GTH, BLYP with spin": ("SPINS", "H2 GTH BLYP spin", BLYP),
}


def _needed() -> None:
    """Make the systems importable; raise MissingOwnerError without pw.x."""
    if shutil.which("pw.x") is None:
        raise MissingOwnerError("pw.x is missing: Debian's quantum-espresso")
    for folder in ("electrons", "ab_initio"):
        if str(_tests / folder) not in sys.path:
            sys.path.insert(0, str(_tests / folder))


def version() -> str:
    """Return the version of pw.x."""
    _needed()
    from measure_pw import version as full

    return str(full()).removeprefix("Quantum ESPRESSO pw.x ")


def compare(group: str, name: str, limit: Limit) -> Callable[[Path], Compared]:
    """Return a comparison of one system."""

    def compared(folder: Path) -> Compared:
        _needed()
        import reference_systems
        from engine_runs import engine_input
        from measure_pw import compute

        system = getattr(reference_systems, group)[name]()
        source = engine_input(system, folder, "[ground_state]", 'tolerance = "1e-7 hartree"')
        found = fg.run(source, folder / "run", pes=1).ground_state()
        theirs = compute(system)
        ours = dict(found.energies)
        one_electron = sum(
            ours.get(part, 0.0) for part in ("kinetic", "local", "nonlocal", "alpha")
        )
        energies = {"total": found.energy}
        owner = {"total": theirs["total"]}
        if not system.isolated:  # without images the programs split the energy in other ways
            energies |= {
                "one electron": one_electron,
                "hartree": ours["hartree"],
                "exchange and correlation": ours["exchange_correlation"],
                "ions": ours["ewald"],
            }
            owner |= {
                "one electron": theirs["parts"]["one-electron"],
                "hartree": theirs["parts"]["hartree"],
                "exchange and correlation": theirs["parts"]["xc"],
                "ions": theirs["parts"]["ewald"],
            }
        limits = dict.fromkeys(energies, PART) | {"total": limit}
        terms = terms_of(energies, owner, limits)
        # pw.x takes the net force, which the grid leaves, out of its forces.
        forces = found.forces - found.forces.mean(axis=0)
        apart = float(np.abs(forces - np.array(theirs["forces"])).max())
        terms["forces, without the net force"] = Term(apart, 0.0, FORCE, "hartree/bohr")
        if found.stress is not None:
            kilobar = pressure_in_bar / 1000
            apart = float(np.abs((found.stress - np.array(theirs["stress"])) * kilobar).max())
            terms["stress"] = Term(apart, 0.0, STRESS, "kbar")
        return Compared(len(system.elements), terms)

    return compared


FAMILY = Family(
    name="Plane waves",
    owner="pw.x",
    unit="hartree",
    version=version,
    inputs={name: compare(*system) for name, system in SYSTEMS.items()},
)
