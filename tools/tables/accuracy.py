# SPDX-License-Identifier: BSD-3-Clause
"""Accuracy of classical runs: forces, energies, barostats and thermostats, owners of formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from table_maker import Entry, Table, named, reports

FORCES, PRESSURE, MODES = "accuracy.json", "constant_pressure.json", "equipartition.json"
HYDROGENS = {"shorter steps": "1.008", "heavy hydrogens": "3"}  # Da
COMPRESSIBILITY = """
    compressibility, 1e-5/bar | {compressibility:±1e5*.2f}
"""
SHARES = """
    bonds        | {bond:±.3f}
    angles       | {angle:±.3f}
    centres      | {centres:±.3f} or
    rotation     | {rotation:±.3f} or
    inner motion | {inside:±.3f} or
"""


PREDICTED_JOBS = {
    "dhfr": "DHFR, 23,558 atoms",
    "water": "water, 6.2 nm",
    "small-water": "water, 2.5 nm",
}


def percent(row: Any, known: str) -> float:
    """Return by how much a prediction misses what is known, in per cent."""
    return 100.0 * (float(row["predicted_ms"]) / float(row[known]) - 1)


def measured_steps(report: Any) -> Iterator[Entry]:
    """Yield the steps on one machine, beside their predictions."""
    for row in report["measured"]["rows"]:
        yield {**row, "job": PREDICTED_JOBS[row["job"]], "percent": percent(row, "measured_ms")}


def ab_initio_steps(report: Any) -> Iterator[Entry]:
    """Yield the iterations and steps of electrons on one machine, beside their predictions."""
    for row in report["ab_initio"]["rows"]:
        yield {**row, "percent": percent(row, "measured_ms")}


def ground_states(report: Any) -> Iterator[Entry]:
    """Yield the simulated iterations of ground states, beside their predictions."""
    for row in report["ground_states"]:
        yield {**row, "percent": percent(row, "simulated_ms")}


def divided(section: str) -> Callable[[Any], Iterator[Entry]]:
    """Return what yields the rows of a section; the first one of a system names it."""

    def rows(report: Any) -> Iterator[Entry]:
        last = ""
        for row in report[section]:
            name, last = (row["system"] if row["system"] != last else ""), row["system"]
            yield {**row, "system": name, "grid": " x ".join(map(str, row["patches"]))}

    return rows


def precision(report: Any) -> tuple[Entry, Entry]:
    """Return what mixed precision is held against, and what double precision is."""
    return (
        {"name": "`mixed` against `double`", "of": "kJ/mol for each atom", **report["precision"]},
        {
            "name": "`double` against OpenMM's reference platform",
            "of": "of the energy",
            "force_error": report["openmm"]["force_error"],
            "energy_error": report["openmm"]["energy_error_relative"],
        },
    )


def owners(results: Path) -> list[Any]:
    """Return the terms of all families, as one report."""
    return [[row for report in reports(results, "owners/*.json") for row in largest(report)]]


def largest(report: Any) -> Iterator[Entry]:
    """Yield for each term of a family the input with the largest difference."""
    found: dict[str, list[tuple[float, float, str, str]]] = {}
    for entry in report["inputs"]:
        for name, term in entry.get("terms", {}).items():
            apart, unit = abs(term["ours"] - term["owner"]), term["unit"] or report["unit"]
            found.setdefault(name, []).append((apart, term["owner"], entry["input"], unit))
    for name, values in found.items():
        apart, of, where, unit = max(values)
        row = {"term": name, "count": len(values), "size": f"{apart:.1e} {unit}".rstrip()}
        yield {**report, **row, "of": f"{of:.6g}" if of else "", "input": where}


def volumes(section: str) -> Callable[[Any], list[Entry]]:
    """Return what returns the barostats of a liquid; others come after those of finegrain."""
    names = {"OpenMM": "*OpenMM*", "NIST": "*NIST*"}

    def found(report: Any) -> list[Entry]:
        entries = sorted(named(report[section]), key=lambda entry: entry["name"] in names)
        return [{**entry, "name": names.get(entry["name"], entry["name"])} for entry in entries]

    return found


def ratios(report: Any) -> Iterator[Entry]:
    """Yield the barostats of both liquids."""
    for section, liquid in (("argon", "Lennard-Jones fluid"), ("water", "207 waters")):
        for entry in named(report[f"ratio of {section}"]):
            yield {**entry, "liquid": liquid}


def shared(report: Any, section: str, third: str) -> list[dict[str, Any]]:
    """Return entries named by baths and a third word; bonds and angles over the reference."""
    reference = report["methanol, 0.5 fs"]["Langevin"]
    found = []
    for entry in named(report.get(section, {})):
        baths = zip(("barostat", "thermostat", third), entry["name"].split(", "), strict=True)
        found.append({**entry, **dict(baths)})
        for mode in ("bond", "angle"):
            for key in (mode, f"{mode}_error"):
                if key in entry:
                    found[-1][key] /= reference[mode]
    return found


def by_interval(report: Any) -> list[Entry]:
    """Return methanol by baths, with the scatter over that at constant volume."""
    volume = report["methanol"]
    entries = shared(report, "methanol", "interval")
    for entry in entries:
        constant = volume[f"none, {entry['thermostat']}, 16"]["pressure_scatter"]
        entry |= {"scatter": entry["pressure_scatter"] / constant, "every": int(entry["interval"])}
    return sorted(entries, key=lambda one: (one["barostat"], one["thermostat"], one["every"]))


def by_step(report: Any) -> Iterator[Entry]:
    """Yield methanol by time step and mass of hydrogens, of both programs."""
    for section, mass in HYDROGENS.items():
        for entry in shared(report, f"methanol, {section}", "step"):
            theirs, _, bath = entry["thermostat"].rpartition("GROMACS: ")
            program = "*GROMACS*" if "GROMACS" in entry["thermostat"] else "finegrain"
            yield {**entry, "mass": mass, "thermostat": theirs + bath, "program": program}


TABLES = [
    Table("predicted and measured", "predictions/steps.json", measured_steps, """
        < job           | {job}
        ranks           | {ranks}
        PEs of each     | {pes}
        core speed      | {core_speed:.2f}
        measured / ms   | {measured_ms:.4g}
        predicted / ms  | {predicted_ms:.4g}
        difference / %  | {percent:+.0f}
    """),
    Table("predicted and measured, ab initio", "predictions/steps.json", ab_initio_steps, """
        < job           | {job}
        ranks           | {ranks}
        PEs of each     | {pes}
        measured / ms   | {measured_ms:.4g}
        predicted / ms  | {predicted_ms:.4g}
        difference / %  | {percent:+.0f}
    """),
    Table("predicted and simulated, ab initio", "predictions/steps.json", ground_states, """
        < machine       | {machine}
        waters          | {waters}
        nodes           | {nodes}
        < map           | {map}
        simulated / ms  | {simulated_ms:.4g}
        predicted / ms  | {predicted_ms:.4g}
        difference / %  | {percent:+.0f}
    """),
    Table("accuracy of the mesh", FORCES, "mesh", """
        spacing | {spacing_angstrom:.2f} Å
        each spline_order
        order {spline_order} | {force_error:.1e}
    """, by=("points",)),
    Table("accuracy of the influence functions", "influence.json", "errors", """
        spacing    | {spacing} Å
        < function | `{function}`
        order 4    | {order_4:.1e}
        order 5    | {order_5:.1e}
        order 6    | {order_6:.1e}
        order 8    | {order_8:.1e}
    """),
    Table("a coarse mesh of order 8", "influence.json", "coarse", """
        spacing         | {spacing} Å
        order           | {order}
        < function      | `{function}`
        error of forces | {error:.1e}
        bytes           | {bytes:,}
        messages        | {messages:,}
    """),
    Table("drift with both influence functions", "influence.json", "drift", """
        spacing               | {spacing} Å
        order                 | {order}
        < function            | `{function}`
        scatter, 1e-6 kJ/mol  | {scatter}
        drift, 1e-6 kJ/mol/ps | {drift:+} ± {error}
    """),
    Table("prepared systems", "systems/prepared.json", "systems", """
        < `finegrain ...`        | `{command}`
        atoms                    | {atoms:,}
        prepare, core-s          | {prepare_core_seconds:.0f}
        ps                       | {picoseconds:.0f}
        ns/day                   | {ns_per_day:.2g}
        T / K                    | {temperature:.1f}
        g/l                      | {density:.0f}
        energy: difference       | {energy_against_openmm:.0e} or
        forces                   | {forces_against_openmm:.0e} or
    """),
    Table("assignments of pairs", FORCES, divided("assignments"), """
        < system             | {system}
        < patches            | {grid}
        reach                | {reach}
        half shell: messages | {half_shell:.1f}
        bytes                | {bytes:,}
        midpoint: messages   | {midpoint:.1f}
        bytes                | {its_bytes:,}
        ratio of bytes       | {its_bytes/bytes:.2f}
    """),
    Table("work of many processes", FORCES, divided("work_of_processes"), """
        < system                         | {system}
        < patches                        | {grid}
        reach                            | {reach}
        half shell: fullest over average | {half_shell:.2f}
        fullest                          | {half_shell_us:.0f} µs
        midpoint: fullest over average   | {midpoint:.2f}
        fullest                          | {midpoint_us:.0f} µs
        8 x 8 x 8 cells                  | {cut:.2f}
        fullest                          | {cut_us:.0f} µs
        8 x 8 x 16 cells                 | {cut_finer:.2f}
        fullest                          | {cut_finer_us:.0f} µs
    """),
    Table("work of midpoint cells", FORCES, divided("work_of_cells"), """
        < system           | {system}
        < patches          | {grid}
        cells of one size  | {one_size_cells}
        estimated          | {one_size:.2f}
        by lists           | {one_size_listed:.2f}
        cells cut by work  | {cut_cells}
        estimated          | {cut:.2f}
        by lists           | {cut_listed:.2f}
    """),
    Table("accuracy of the screening", FORCES, "screening", """
        coefficient      | {coefficient:.2f} 1/Å
        times the cutoff | {coefficient:9*.2f}
        error of forces  | {force_error:.1e}
    """),
    Table("accuracy of the cutoff", FORCES, "cutoff", """
        cutoff                 | {cutoff_angstrom} Å
        error of forces        | {force_error:.1e}
        of the energy          | {energy_error:+.4f}
        without the correction | {energy_error_uncorrected:+.4f}
    """),
    Table("accuracy of the precision", FORCES, precision, """
        <               | {name}
        error of forces | {force_error:.1e}
        of the energy   | {energy_error:+.1e} {of}
    """),
    Table("accuracy of the time step", FORCES, "drift", """
        step                  | {timestep_fs:g} fs
        < precision           | {precision}
        < switch              | {switched:either from 7.5 Å / off}
        scatter, 1e-6 kJ/mol  | {scatter:1e6*.0f}
        drift, 1e-6 kJ/mol/ps | {drift:1e6*+.0f} ± {drift_error:1e6*.0f}
    """),
    Table("accuracy of the cells", FORCES, "cells", """
        < cell   | {cell}
        order 4  | {force_error_order_4:.1e}
        order 5  | {force_error_order_5:.1e}
        forces   | {forces_against_openmm:.0e}
        energies | {energy_against_openmm:.0e} or
        virial   | {virial_against_strain:.0e}
    """),
    Table("accuracy of heavy hydrogens", FORCES, "heavy_hydrogens", """
        step                  | {timestep_fs:g} fs
        hydrogens             | {hydrogen_mass} or 1 Da
        scatter, 1e-6 kJ/mol  | {scatter:1e6*.0f}
        drift, 1e-6 kJ/mol/ps | {drift:1e6*+.0f} ± {drift_error:1e6*.0f}
    """),
    Table("accuracy of the levels of forces", FORCES, "levels", """
        < bonds               | {bonds}
        pairs every           | {pairs} fs
        mesh every            | {mesh} fs
        scatter, 1e-6 kJ/mol  | {scatter}
        drift, 1e-6 kJ/mol/ps | {drift:+} ± {error}
    """),
    Table("owners", owners, lambda rows: rows, """
        < family           | {family}
        < owner            | {owner} {version}
        < term             | {term}
        inputs             | {count}
        largest difference | {size}
        of                 | {of}
        < in               | {input}
    """),
    Table("volumes of water", PRESSURE, volumes("water"), """
        < barostat     | {name}
        run            | {picoseconds:,} ps or
        density, kg/m³ | {density:±.1f}
    """ + COMPRESSIBILITY),
    Table("volumes of a Lennard-Jones fluid", PRESSURE, volumes("argon"), """
        < barostat       | {name}
        run              | {picoseconds:,} ps or
        density, reduced | {density:±.4f}
    """ + COMPRESSIBILITY),
    Table("volumes at two pressures", PRESSURE, ratios, """
        < liquid                 | {liquid}
        < barostat               | {name}
        independent volumes      | {samples:.0f}
        slope over the exact one | {slope:±.2f}
    """),
    Table("drift under baths", PRESSURE, lambda report: named(report["drift"]), """
        < baths                             | {name}
        runs                                | {picoseconds:,} ps
        drift, 1e-6 kJ/mol/ps for each atom | {drift:±1e6*.0f}
    """),
    Table("modes of methanol", MODES, by_interval, """
        < barostat   | {barostat}
        < thermostat | {thermostat}
        interval     | {interval}
    """ + SHARES + """
        scatter of the pressure | {scatter:.2f}
        drift                   | {drift:1e6*.0f}
    """),
    Table("modes of methanol by step", MODES, by_step, """
        < program     | {program}
        step          | {step}
        hydrogens, Da | {mass}
        < barostat    | {barostat}
        < thermostat  | {thermostat}
    """ + SHARES),
    Table("modes of a peptide", MODES, lambda report: shared(report, "peptide", "interval"), """
        < barostat      | {barostat}
        < thermostat    | {thermostat}
        interval        | {interval}
        water, centres  | {water, centres:±.3f} or
        water, rotation | {water, rotation:±.3f} or
        peptide, whole  | {peptide, whole:±.3f} or
        peptide, inside | {peptide, inside:±.3f} or
    """),
]  # fmt: skip
