# SPDX-License-Identifier: BSD-3-Clause
"""DHFR with GROMACS: input made from the AMBER files through ParmEd, timed by mdrun.

The run is twice as long as the timed part: `-resethway` starts the clock half way, after mdrun has
settled its list and caches. GROMACS chooses the pair list's buffer and interval itself.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dhfr

THERMOSTATS = {
    # stochastic dynamics, the same physics as finegrain's Langevin integrator
    "sd": f"integrator = sd\ntc-grps = System\ntau-t = {1 / dhfr.FRICTION_PER_PS}\n",
    # GROMACS's usual and cheapest method for the same ensemble
    "v-rescale": "integrator = md\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 1.0\n",
}


@dataclass(frozen=True)
class Prepared:
    """A run input and the program that made it and runs it."""

    gmx: str
    tpr: Path
    thermostat: str
    steps: int


def programs(others: Sequence[Path]) -> dict[str, str]:
    """Return paths of gmx: the installed one is gromacs, others are gromacs-1, gromacs-2, ..."""
    installed = shutil.which("gmx")
    found = {} if installed is None else {"gromacs": installed}
    for number, path in enumerate(others, start=1):
        if (given := shutil.which(str(path.resolve()))) is None:
            raise SystemExit(f"bench/peers: --gmx {path}: not a program")
        found[f"gromacs-{number}"] = given
    return found


def version(gmx: str) -> dict[str, str]:
    """Return version, SIMD level and compiler flags."""
    text = call([gmx, "--version"], Path.cwd()).stdout
    found = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    keys = {
        "version": "GROMACS version",
        "simd": "SIMD instructions",
        "compiler": "C++ compiler",
        "flags": "C++ compiler flags",
        "fft": "CPU FFT library",
        "precision": "Precision",
    }
    return {name: found.get(key, "").strip() for name, key in keys.items()}


def mdp(
    thermostat: str, steps: int, mesh: tuple[int, int, int], tolerance: float | None = None
) -> str:
    """Return the run parameters; the tolerance of the pair list in kJ/mol/ps an atom."""
    buffer = "" if tolerance is None else f"verlet-buffer-tolerance = {tolerance:g}\n"
    return (
        THERMOSTATS[thermostat]
        + buffer
        + f"""ref-t = {dhfr.TEMPERATURE_K}
dt = {dhfr.TIMESTEP_FS / 1000}
nsteps = {steps}
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = {dhfr.CUTOFF_NM}
rvdw = {dhfr.CUTOFF_NM}
vdw-modifier = none
DispCorr = Ener
fourier-nx = {mesh[0]}
fourier-ny = {mesh[1]}
fourier-nz = {mesh[2]}
pme-order = {dhfr.SPLINE_ORDER}
ewald-rtol = 1e-5
constraints = h-bonds
nstcomm = 100
nstcalcenergy = 100
nstenergy = 1000
nstlog = 0
gen-vel = yes
gen-temp = {dhfr.TEMPERATURE_K}
gen-seed = {dhfr.SEED}
ld-seed = {dhfr.SEED}
"""
    )


def write_topology(folder: Path) -> None:
    """Write dhfr.top and dhfr.gro from the AMBER files."""
    try:
        import parmed
    except ImportError:
        raise SystemExit(
            "bench/peers: ParmEd makes the input of gromacs: "
            "pip install -r tools/requirements-bench.txt"
        ) from None

    prmtop, inpcrd = dhfr.files()
    with contextlib.redirect_stdout(io.StringIO()):
        structure = parmed.load_file(str(prmtop), str(inpcrd))
    if len(structure.atoms) != dhfr.ATOMS:
        raise SystemExit(f"bench/peers: {prmtop} has {len(structure.atoms)} atoms")
    structure.save(str(folder / "parmed.top"), overwrite=True)
    structure.save(str(folder / "dhfr.gro"), overwrite=True)
    (folder / "dhfr.top").write_text(with_settles((folder / "parmed.top").read_text()))


def with_settles(topology: str) -> str:
    """Make the water rigid with SETTLE, as a GROMACS user would; ParmEd leaves three bonds.

    Constraining those by LINCS would be slower and less exact, and the comparison unfair.
    """
    start = topology.index("[ bonds ]", topology.index("\nWAT "))
    end = topology.index("[ system ]", start)
    lengths = {
        frozenset(words[:2]): words[3]
        for line in topology[start:end].splitlines()
        if len(words := line.split()) == 5 and words[0].isdigit()
    }
    oxygen_hydrogen = lengths[frozenset(("1", "2"))]
    hydrogen_hydrogen = lengths[frozenset(("2", "3"))]
    settles = f"[ settles ]\n1 1 {oxygen_hydrogen} {hydrogen_hydrogen}\n\n"
    exclusions = "[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n\n"
    return topology[:start] + settles + exclusions + topology[end:]


def prepare(
    gmx: str,
    folder: Path,
    thermostat: str,
    steps: int,
    system: str = "dhfr",
    mesh: tuple[int, int, int] = (dhfr.MESH,) * 3,
    tolerance: float | None = None,
) -> Prepared:
    """Make the run input for `steps` timed steps from SYSTEM.top and SYSTEM.gro."""
    if system == "dhfr" and not (folder / "dhfr.top").exists():
        write_topology(folder)
    name = f"{system}-{thermostat}-{steps}"
    (folder / f"{name}.mdp").write_text(mdp(thermostat, 2 * steps, mesh, tolerance))
    tpr = folder / f"{name}.tpr"
    command = [gmx, "grompp", "-f", f"{name}.mdp", "-c", f"{system}.gro", "-p", f"{system}.top"]
    # The only warning is about the net charge, which this benchmark has.
    call([*command, "-maxwarn", "1", "-o", tpr.name, "-po", f"{name}-full.mdp"], folder)
    return Prepared(gmx, tpr, thermostat, steps)


def run(prepared: Prepared, threads: int) -> dict[str, Any]:
    """Run once and return the figures that mdrun prints.

    Returns
    -------
    dict
        ``ns_per_day``, ``seconds_per_step``, ``nstlist``, ``phases`` (rows of GROMACS's own cycle
        table and of its breakdown of the mesh: name, seconds of wall-clock time, share in percent),
        ``computed`` (rows of its table of operations: name, millions of them).
    """
    with tempfile.TemporaryDirectory(prefix="peer-gromacs-") as name:
        folder = Path(name)
        command = [prepared.gmx, "mdrun", "-s", str(prepared.tpr.resolve()), "-noconfout"]
        command += ["-resethway"]
        command += ["-ntmpi", "1", "-ntomp", str(threads), "-pin", "on", "-notunepme"]
        call([*command, "-g", "run.log", "-e", "run.edr", "-cpo", "run.cpt"], folder)
        return parse_log((folder / "run.log").read_text())


def parse_log(text: str) -> dict[str, Any]:
    """Read the figures out of md.log."""
    rate = re.search(r"^Performance:\s+([\d.]+)", text, re.MULTILINE)
    if rate is None:
        raise SystemExit("bench/peers: gromacs printed no performance")
    changed = re.search(r"Changing nstlist from \d+ to (\d+)", text)
    given = re.search(r"^\s+nstlist\s+=\s+(\d+)", text, re.MULTILINE)
    nstlist = changed or given
    ns_per_day = float(rate.group(1))
    return {
        "ns_per_day": ns_per_day,
        "seconds_per_step": dhfr.TIMESTEP_FS * 1e-6 * 86400 / ns_per_day,
        "nstlist": int(nstlist.group(1)) if nstlist else None,
        "phases": _cycle_table(text),
        "computed": _operations(text),
    }


def _cycle_table(text: str) -> list[dict[str, Any]]:
    start = text.rfind("R E A L   C Y C L E")
    rows = []
    # name, threads of ranks, calls, wall seconds, giga-cycles, percent
    row = re.compile(r"^ (\S.*?)\s{2,}(?:\d+\s+\d+\s+\d+\s+)?([\d.]+)\s+[\d.]+\s+([\d.]+)\s*$")
    whole = False
    for line in text[start:].splitlines():
        found = row.match(line)
        if found:
            name, seconds, share = found.groups()
            rows.append({"name": name.strip(), "seconds": float(seconds), "percent": float(share)})
        # A breakdown of the mesh may follow the sum.
        if whole and not line.strip():
            break
        whole = whole or line.startswith(" Total")
    return rows


def _operations(text: str) -> list[dict[str, Any]]:
    """Return the numbers of operations of each kind, in millions."""
    start = text.rfind("M E G A - F L O P S")
    rows = []
    row = re.compile(r"^ (\S.*?)\s{2,}([\d.]+)\s+[\d.]+\s+[\d.]+\s*$")
    for line in text[start:].splitlines() if start >= 0 else ():
        if line.startswith(" Total"):
            break
        if found := row.match(line):
            rows.append({"name": found.group(1), "millions": float(found.group(2))})
    return rows


def call(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of GROMACS in a folder; end with its last words if it fails."""
    # The command says how many threads; GROMACS refuses to start if this says another number.
    others = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=others
    )
    if done.returncode != 0:
        tail = "\n".join(done.stderr.splitlines()[-25:])
        raise SystemExit(f"bench/peers: {' '.join(command[:2])} failed:\n{tail}")
    return done
