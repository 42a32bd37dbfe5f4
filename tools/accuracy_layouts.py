# SPDX-License-Identifier: BSD-3-Clause
"""How the tables of accuracy are laid out; see result_tables.py."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]


def layouts(table: Table) -> dict[str, Callable[[Path], list[str]]]:
    """Return the layouts by name; `table` lays out one table."""

    def report(results: Path) -> Any:
        return json.loads((results / "accuracy.json").read_text(encoding="utf-8"))

    def mesh(results: Path) -> list[str]:
        entries = report(results)["mesh"]
        orders = sorted({entry["spline_order"] for entry in entries})
        rows: dict[float, list[str]] = {}
        for entry in entries:
            cells = rows.setdefault(entry["points"], [f"{entry['spacing_angstrom']:.2f} Å"])
            cells.append(f"{entry['force_error']:.1e}")
        head = ("spacing", *(f"order {order}" for order in orders))
        return table(head, "r" * len(head), rows.values())

    def screening(results: Path) -> list[str]:
        rows = [
            (
                f"{entry['coefficient']:.2f} 1/Å",
                f"{9 * entry['coefficient']:.2f}",
                f"{entry['force_error']:.1e}",
            )
            for entry in report(results)["screening"]
        ]
        return table(("coefficient", "times the cutoff", "error of forces"), "rrr", rows)

    def cutoff(results: Path) -> list[str]:
        rows = [
            (
                f"{entry['cutoff_angstrom']} Å",
                f"{entry['force_error']:.1e}",
                f"{entry['energy_error']:+.4f}",
                f"{entry['energy_error_uncorrected']:+.4f}",
            )
            for entry in report(results)["cutoff"]
        ]
        head = ("cutoff", "error of forces", "of the energy", "without the correction")
        return table(head, "rrrr", rows)

    def precision(results: Path) -> list[str]:
        found = report(results)
        mixed, peer = found["precision"], found["openmm"]
        rows = [
            (
                "`mixed` against `double`",
                f"{mixed['force_error']:.1e}",
                f"{mixed['energy_error']:+.1e} kJ/mol for each atom",
            ),
            (
                "`double` against OpenMM's reference platform",
                f"{peer['force_error']:.1e}",
                f"{peer['energy_error_relative']:+.1e} of the energy",
            ),
        ]
        return table(("", "error of forces", "of the energy"), "lrr", rows)

    def drift(results: Path) -> list[str]:
        rows = [
            (
                f"{entry['timestep_fs']:g} fs",
                entry["precision"],
                "from 7.5 Å" if entry["switched"] else "off",
                f"{1e6 * entry['scatter']:.0f}",
                f"{1e6 * entry['drift']:+.0f} ± {1e6 * entry['drift_error']:.0f}",
            )
            for entry in report(results)["drift"]
        ]
        head = ("step", "precision", "switch", "scatter, 1e-6 kJ/mol", "drift, 1e-6 kJ/mol/ps")
        return table(head, "rllrr", rows)

    def cells(results: Path) -> list[str]:
        rows = [
            (
                entry["cell"],
                f"{entry['force_error_order_4']:.1e}",
                f"{entry['force_error_order_5']:.1e}",
                f"{entry['forces_against_openmm']:.0e}",
                f"{entry['energy_against_openmm']:.0e}",
                f"{entry['virial_against_strain']:.0e}",
            )
            for entry in report(results)["cells"]
        ]
        head = ("cell", "order 4", "order 5", "forces", "energies", "virial")
        return table(head, "lrrrrr", rows)

    def heavy(results: Path) -> list[str]:
        rows = [
            (
                f"{entry['timestep_fs']:g} fs",
                entry["hydrogen_mass"] or "1 Da",
                f"{1e6 * entry['scatter']:.0f}",
                f"{1e6 * entry['drift']:+.0f} ± {1e6 * entry['drift_error']:.0f}",
            )
            for entry in report(results)["heavy_hydrogens"]
        ]
        head = ("step", "hydrogens", "scatter, 1e-6 kJ/mol", "drift, 1e-6 kJ/mol/ps")
        return table(head, "rrrr", rows)

    return {
        "accuracy of the mesh": mesh,
        "accuracy of the screening": screening,
        "accuracy of the cutoff": cutoff,
        "accuracy of the precision": precision,
        "accuracy of the time step": drift,
        "accuracy of the cells": cells,
        "accuracy of heavy hydrogens": heavy,
    }
