# SPDX-License-Identifier: BSD-3-Clause
"""How the tables of runs at constant pressure are laid out; see result_tables.py."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]


def with_error(entry: Mapping[str, Any], name: str, unit: float, digits: int) -> str:
    """Write a figure with its error, in a unit; without an error if there is none."""
    text = f"{entry[name] / unit:.{digits}f}"
    error = entry.get(f"{name}_error")
    return text if error is None else f"{text} ± {error / unit:.{digits}f}"


def found_in(results: Path, name: str) -> dict[str, Any]:
    """Return what a file of results holds."""
    return dict(json.loads((results / name).read_text(encoding="utf-8")))


def by_baths(name: str) -> tuple[str, str, int]:
    """Return the place of "barostat, thermostat, interval" in a table."""
    barostat, thermostat, interval = name.split(", ")
    return barostat, thermostat, int(interval)


def pressure_layouts(table: Table) -> dict[str, Callable[[Path], list[str]]]:
    """Return the layouts by name; `table` lays out one table."""

    def report(results: Path, section: str) -> Mapping[str, Any]:
        return dict(found_in(results, "constant_pressure.json")[section])

    def length(entry: Mapping[str, Any]) -> str:
        return f"{entry['picoseconds']:,} ps" if "picoseconds" in entry else ""

    def liquid(section: str, unit: str, digits: int) -> Callable[[Path], list[str]]:
        def lay_out(results: Path) -> list[str]:
            entries = report(results, section)
            # The others come after the barostats of finegrain.
            ours = [name for name in entries if name not in ("OpenMM", "NIST")]
            rows = [
                (
                    name if name in ours else f"*{name}*",
                    length(entries[name]),
                    with_error(entries[name], "density", 1, digits),
                    with_error(entries[name], "compressibility", 1e-5, 2),
                )
                for name in [*ours, *(name for name in entries if name not in ours)]
            ]
            head = ("barostat", "run", f"density{unit}", "compressibility, 1e-5/bar")
            return table(head, "lrrr", rows)

        return lay_out

    def ratio(results: Path) -> list[str]:
        rows = [
            (liquid, name, f"{entry['samples']:.0f}", with_error(entry, "slope", 1, 2))
            for section, liquid in (("argon", "Lennard-Jones fluid"), ("water", "207 waters"))
            for name, entry in report(results, f"ratio of {section}").items()
        ]
        head = ("liquid", "barostat", "independent volumes", "slope over the exact one")
        return table(head, "llrr", rows)

    def drift(results: Path) -> list[str]:
        rows = [
            (name, length(entry), with_error(entry, "drift", 1e-6, 0))
            for name, entry in report(results, "drift").items()
        ]
        return table(("baths", "runs", "drift, 1e-6 kJ/mol/ps for each atom"), "lrr", rows)

    def shares_of(entry: Mapping[str, Any], reference: Mapping[str, float]) -> list[str]:
        """Bonds and angles over those of the reference, and kinetic energies over kT/2."""
        shares = [with_error(entry, mode, reference[mode], 3) for mode in ("bond", "angle")]
        kinetic = ("centres", "rotation", "inside")
        return shares + [with_error(entry, mode, 1, 3) if mode in entry else "" for mode in kinetic]

    def modes(results: Path) -> list[str]:
        found = found_in(results, "equipartition.json")
        reference = found["methanol, 0.5 fs"]["Langevin"]
        rows = []
        for name, entry in sorted(found["methanol"].items(), key=lambda one: by_baths(one[0])):
            barostat, thermostat, interval = name.split(", ")
            volume = found["methanol"][f"none, {thermostat}, 16"]
            scatter = f"{entry['pressure_scatter'] / volume['pressure_scatter']:.2f}"
            drift = f"{entry['drift'] / 1e-6:.0f}"
            shares = shares_of(entry, reference)
            rows.append((barostat, thermostat, interval, *shares, scatter, drift))
        head = ["barostat", "thermostat", "interval", "bonds", "angles", "centres", "rotation"]
        head += ["inner motion", "scatter of the pressure", "drift"]
        return table(head, "llrrrrrrrr", rows)

    def modes_by_step(results: Path) -> list[str]:
        found = found_in(results, "equipartition.json")
        reference = found["methanol, 0.5 fs"]["Langevin"]
        rows = []
        for section, hydrogens in (("shorter steps", "1.008"), ("heavy hydrogens", "3")):
            for name, entry in found.get(f"methanol, {section}", {}).items():
                barostat, thermostat, step = name.split(", ")
                ours = "finegrain" if not thermostat.startswith("GROMACS") else "*GROMACS*"
                bath = thermostat.removeprefix("GROMACS: ")
                shares = shares_of(entry, reference)
                rows.append((ours, step, hydrogens, barostat, bath, *shares))
        head = ["program", "step", "hydrogens, Da", "barostat", "thermostat", "bonds", "angles"]
        return table([*head, "centres", "rotation", "inner motion"], "lrrllrrrrr", rows)

    def modes_of_peptide(results: Path) -> list[str]:
        found = found_in(results, "equipartition.json")
        kinds = ("water, centres", "water, rotation", "peptide, whole", "peptide, inside")
        rows = []
        for name, entry in found.get("peptide", {}).items():
            barostat, thermostat, interval = name.split(", ")
            shares = [with_error(entry, kind, 1, 3) if kind in entry else "" for kind in kinds]
            rows.append((barostat, thermostat, interval, *shares))
        return table(["barostat", "thermostat", "interval", *kinds], "llrrrrr", rows)

    return {
        "modes of methanol": modes,
        "modes of methanol by step": modes_by_step,
        "modes of a peptide": modes_of_peptide,
        "volumes of water": liquid("water", ", kg/m³", 1),
        "volumes of a Lennard-Jones fluid": liquid("argon", ", reduced", 4),
        "volumes at two pressures": ratio,
        "drift under baths": drift,
    }
