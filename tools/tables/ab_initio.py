# SPDX-License-Identifier: BSD-3-Clause
"""Ground states, Car-Parrinello dynamics and splines: speed beside others, and accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from table_maker import Entry, Table, read, spread

GROUND_STATES, LARGEST = "ground_states.json", "ground_state_128.json"  # of two machines
ON = "{date}, {pes} cores of a virtual {machine:machine}, finegrain on {pes} threads, "
WITH_PW = ON + "pw.x {versions[pw.x]} on {pes} ranks; seconds of the whole command, "
WITH_PW += "{repeats:many median (range) of # runs in turns / one run of each}:"
WITH_CP = ON + (
    "cp.x {versions[cp.x]} on {pes} ranks, orbitals held by constraints; seconds of a step, "
    "median (range) of {repeats} runs in turns:"
)
BESIDE_PW = """
    < box                       | {waters} waters, {orbitals} orbitals
    pw.x                        | {peer[seconds]:spread 1}, {peer[iterations]} iterations
    finegrain                   | {seconds:spread 1}, {iterations} iterations
    finegrain is                | {peer[seconds][median]/seconds[median]:.2f} times as fast
    energies differ by          | {energies:.0e}
    forces without their sum by | {peer[largest_difference_of_forces]:.0e}
"""


def beside_peer(figure: str) -> Callable[[Any], Iterator[Entry]]:
    """Return what yields our entries, each with the better of the ways in which the peer ran."""

    def found(report: Any) -> Iterator[Entry]:
        for ours in report["entries"]:
            if ours["program"] == "finegrain":
                peers = [one for one in report["entries"] if one["program"] != "finegrain"]
                peers = [one for one in peers if one["waters"] == ours["waters"]]
                peer = min(peers, key=lambda one: float(one[figure]["median"]))
                energies = abs(ours.get("energy", 0) - peer.get("energy", 0)) / ours["atoms"]
                yield {**ours, "peer": peer, "energies": energies}

    return found


def all_ground_states(results: Path) -> list[list[Entry]]:
    """Return the entries of all ground states that know their shares, the six largest in words."""
    stored = [results / name for name in (GROUND_STATES, LARGEST)]
    entries = [one for path in stored if path.exists() for one in read(path)["entries"]]
    found: list[Entry] = []
    for entry in entries:
        largest = sorted(entry.get("shares", {}).items(), key=lambda item: -item[1])[:6]
        words = ", ".join(f"{name} {100 * share:.0f} %" for name, share in largest)
        name = f"{entry['program']} {entry['variant']}".strip()
        found += [{**entry, "name": name, "words": words}] if largest else []
    return [found]


def by_division(report: Any) -> Iterator[Entry]:
    """Yield steps on PEs, over those on the fewest with the same division."""
    least = min(entry["pes"] for entry in report["entries"])
    times = {
        (entry["divided_for"], entry["pes"]): entry["seconds_of_a_step"]["median"]
        for entry in report["entries"]
    }
    for entry in report["entries"]:
        one = times[entry["divided_for"], least]
        over = one / times[entry["divided_for"], entry["pes"]]
        yield {**entry, "least": least, "times": over}


def ratios(report: Any) -> str:
    """List how the layouts compare."""
    found = sorted(report["ratios"].items())
    return "\n".join(f"* {name}: {spread(ratio, '2')}" for name, ratio in found)


def grids(report: Any) -> Iterator[Entry]:
    """Yield the grids of each system but for the last, which the others are held against."""
    for system in dict.fromkeys(entry["system"] for entry in report["entries"]):
        usual, *others, _ = (one for one in report["entries"] if one["system"] == system)
        for entry in (usual, *others):
            time = entry["core_seconds"] / usual["core_seconds"]
            grid = f"of {entry['grid']}" if "," in entry["grid"] else f"{entry['grid']} times"
            yield {**entry, "name": system if entry is usual else "", "grid": grid, "time": time}


def vibrations(report: Any) -> Iterator[Entry]:
    """Yield the modes of each molecule."""
    for molecule, found in report["vibrations"].items():
        for mode in range(len(found["pw"])):
            yield {"molecule": molecule, **{name: modes[mode] for name, modes in found.items()}}


TABLES = [
    Table(
        "ground states of water", GROUND_STATES, beside_peer("seconds"), BESIDE_PW,
        above=WITH_PW, may_lack=True,
    ),
    Table(
        "ground state of 128 waters", LARGEST, beside_peer("seconds"), BESIDE_PW,
        above=WITH_PW, may_lack=True,
    ),
    Table("shares and memory of ground states", all_ground_states, lambda entries: entries, """
        waters    | {waters}
        < program | {name}
        least s   | {seconds[range][0]:.1f} or {seconds[median]:.1f}
        GB        | {peak_memory[median]:1e-9*.2f}
        < shares  | {words}
    """),
    Table("ground states on PEs and ranks", "ground_state_processes.json", "layouts", """
        <         | {layout}
        seconds   | {seconds:spread 2}
        runtime % | {overhead_share[median]:100*.1f}
        idle %    | {idle_share[median]:100*.1f}
    """, above="{date}, {waters} waters ({box}) at {cutoff_ry:g} Ry, median (range) of {repeats} "
    "runs in turns, all with the digest {state_digest:.12}…:", below=ratios, may_lack=True),
    Table("steps of Car-Parrinello dynamics", "car_parrinello.json",
          beside_peer("seconds_of_a_step"), """
        < box        | {waters} waters, {variant} orbitals
        cp.x         | {peer[seconds_of_a_step]:spread 3}
        finegrain    | {seconds_of_a_step:spread 3}
        finegrain is | {peer[seconds_of_a_step][median]/seconds_of_a_step[median]:.2f} times as fast
    """, above=WITH_CP),
    Table("memory and phases of Car-Parrinello dynamics", "car_parrinello.json", "entries", """
        < box      | {waters} waters, {variant} orbitals
        memory, GB | {peak_memory[range][1]:1e-9*.2f} or {peak_memory[median]:1e-9*.2f}
        products   | {shares:share products of orbitals + matrices of all orbitals}
        grid       | {shares:share orbitals on the grid + transforms}
        orbitals   | {shares:share orbitals + projectors of ions}
        density    | {shares:share density and potentials}
        runtime    | {shares:share orders and sums + scheduling + sending messages}
        idle       | {shares:share idle}
    """, where={"program": "finegrain"}),
    Table("Car-Parrinello steps on more PEs", "dynamics_on_cores.json", by_division, """
        PEs | {pes}
        each divided_for
        divided for {divided_for}: s a step | {seconds_of_a_step[median]:.3f}
        times {least} PE                    | {times:.1f}
        idle                                | {idle_share[median]:100*.0f} %
    """, by=("pes",), ordered=True, above="{waters} waters, {cutoff_ry:g} Ry, "
    "{machine:machine}, {repeats:many median of # runs / one run each}:"),
    Table("grids of the density", "density_grids.json", grids, """
        < system              | {name}
        < grid                | {grid}
        < points              | {points:list  x }
        net force             | {net_force:.1e}
        energy                | {energy_per_atom:.1e}
        forces                | {forces:.1e}
        without the net force | {forces_removed:.1e}
        time                  | {time:.2f}
    """, above="The largest figures of {places} places, hartree/bohr and hartree per atom; the "
    "time of a run over that with the usual grid:"),
    Table("drift of Car-Parrinello dynamics", "ab_initio_drift.json", "entries", """
        < system                                       | {system}, {cutoff_ry:g} Ry
        < orbitals                                     | {scheme}
        < run                                          | {picoseconds:g} ps of {timestep_fs:g} fs
        temperature                                    | {temperature:.0f} K
        drift, 1e-6 hartree/ps for each atom           | {drift:1e6*.2f} ± {drift_error:1e6*.2f}
        fictitious kinetic energy, of that of the ions | {fictitious_kinetic/ion_kinetic:.3f}
        `reset_above`                                  | {reset_above:g} or
        made orthonormal                               | {resets:,} or
    """),
    Table("vibrations of molecules", "vibrations.json", vibrations, """
        < 1/cm                          | {molecule}
        differences of forces           | {finite_differences:.1f}
        of those of pw.x                | {pw:.1f}
        Born-Oppenheimer                | {born_oppenheimer:.1f}
        Car-Parrinello                  | {car_parrinello:.1f}
        with the masses of the orbitals | {predicted:.1f}
    """),
    Table("errors of splines", "ion_spline_errors.json", "entries", """
        < system         | {system}
        order            | {order}
        factor           | {factor:g}
        nonlocal: energy | {energy_per_atom:.0e} | part=nonlocal
        forces           | {forces:.0e}          | part=nonlocal
        local: energy    | {energy_per_atom:.0e} | part=local
        forces           | {forces:.0e}          | part=local
    """, by=("system", "order", "factor"),
    above="Energies in hartree per atom, forces in hartree/bohr:"),
    Table("time of splines", "ion_splines.json", "systems", """
        < system        | {system}
        < sizes         | {nonlocal[orbitals]} orbitals, {nonlocal[rows]} projectors
        nonlocal: exact | {nonlocal[exact_seconds]:.2g} s
        splines         | {nonlocal[spline_seconds]:.2g} s
        local: exact    | {local[exact_seconds]:.2g} s
        splines         | {local[spline_seconds]:.2g} s
    """, above="One core of a virtual {machine[cpu]}, median of {rounds} rounds:"),
]  # fmt: skip
