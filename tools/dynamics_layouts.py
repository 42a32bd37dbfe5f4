# SPDX-License-Identifier: BSD-3-Clause
"""Tables of what ab initio dynamics was checked by: drift of the energy, vibrations.

The figures come from bench/accuracy/ab_initio_drift.py and
tests/python/ab_initio/test_vibration_frequencies.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ground_state_layouts import Layout, Table


def dynamics_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def read(results: Path, name: str) -> Any:
        return json.loads((results / name).read_text(encoding="utf-8"))

    def drift(results: Path) -> list[str]:
        entries = read(results, "ab_initio_drift.json")["entries"]
        rows = [
            (
                f"{entry['system']}, {entry['cutoff_ry']:g} Ry",
                entry["scheme"],
                f"{entry['picoseconds']:g} ps of {entry['timestep_fs']:g} fs",
                f"{entry['temperature']:.0f} K",
                f"{entry['drift'] * 1e6:.2f} ± {entry['drift_error'] * 1e6:.2f}",
                f"{entry['fictitious_kinetic'] / entry['ion_kinetic']:.3f}",
                *(
                    (f"{entry['reset_above']:g}", f"{entry['resets']:,}")
                    if "resets" in entry
                    else ("", "")
                ),
            )
            for entry in entries
        ]
        head = (
            "system",
            "orbitals",
            "run",
            "temperature",
            "drift, 1e-6 hartree/ps for each atom",
            "fictitious kinetic energy, of that of the ions",
            "`reset_above`",
            "made orthonormal",
        )
        return table(head, "lllrrrrr", rows)

    def vibrations(results: Path) -> list[str]:
        found = read(results, "vibrations.json")["vibrations"]
        names = ("finite_differences", "pw", "born_oppenheimer", "car_parrinello", "predicted")
        rows = [
            (molecule, *(f"{figures[name][mode]:.1f}" for name in names))
            for molecule, figures in found.items()
            for mode in range(len(figures["pw"]))
        ]
        head = (
            "1/cm",
            "differences of forces",
            "of those of pw.x",
            "Born-Oppenheimer",
            "Car-Parrinello",
            "with the masses of the orbitals",
        )
        return table(head, "lrrrrr", rows)

    return {
        "drift of Car-Parrinello dynamics": drift,
        "vibrations of molecules": vibrations,
    }
