# SPDX-License-Identifier: BSD-3-Clause
"""A ground state with Quantum ESPRESSO's pw.x: its input, its run, its figures.

Units: hartree, bohr and seconds; pw.x prints Ry and stores hartree.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from measured import Measured, measure
from processes import ROOT

PROGRAM = "pw.x"
SERIAL = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # two ranks, and no other threads
# What OpenBLAS makes of the processor by itself, and its kernels with AVX-512.
VARIANTS: dict[str, dict[str, str]] = {
    "as it is": {},
    "OPENBLAS_CORETYPE=SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
}


@dataclass(frozen=True)
class Task:
    """What is computed.

    Attributes
    ----------
    vectors, positions : float64, shape (3, 3) and (atoms, 3)
        Å.
    files : dict
        The UPF file of each element.
    cutoff, accuracy : float
        Ry.
    """

    symbols: tuple[str, ...]
    vectors: np.ndarray
    positions: np.ndarray
    files: dict[str, Path]
    functional: str
    cutoff: float
    accuracy: float
    grid: tuple[int, int, int]


def rows(table: np.ndarray) -> list[str]:
    """Return the rows of a table as text, with all digits."""
    return [" ".join(repr(float(x)) for x in row) for row in table]


def system_lines(task: Task) -> list[str]:
    """Return the part of an input that cp.x has, too."""
    n1, n2, n3 = task.grid
    return [
        "&system",
        f"  ibrav = 0, nat = {len(task.symbols)}, ntyp = {len(task.files)}",
        f"  ecutwfc = {task.cutoff}, nr1 = {n1}, nr2 = {n2}, nr3 = {n3}",
        f"  input_dft = '{task.functional.lower()}'",
        "/",
    ]


def atom_lines(task: Task, masses: dict[str, float]) -> list[str]:
    """Return species, with their masses in Da, cell and atoms."""
    atoms = zip(task.symbols, rows(task.positions), strict=True)
    return [
        "ATOMIC_SPECIES",
        *(f"{element} {masses[element]} {file.name}" for element, file in task.files.items()),
        "CELL_PARAMETERS angstrom",
        *rows(task.vectors),
        "ATOMIC_POSITIONS angstrom",
        *(f"{symbol} {row}" for symbol, row in atoms),
    ]


def input_text(task: Task) -> str:
    """Return the input: everything as pw.x has it by default but for what both programs share."""
    lines = [
        "&control",
        "  calculation = 'scf', prefix = 'x', outdir = '.', pseudo_dir = '.'",
        "  tprnfor = .true., tstress = .true., disk_io = 'low'",
        "/",
        *system_lines(task),
        "&electrons",
        f"  conv_thr = {task.accuracy}",
        "/",
        *atom_lines(task, dict.fromkeys(task.files, 1.0)),
        "K_POINTS gamma",
    ]
    return "\n".join(lines) + "\n"


def run_on_ranks(
    program: str, folder: Path, text: str, ranks: int, variant: str, at_the_end: str
) -> Measured:
    """Run a program of Quantum ESPRESSO, which says these words when all went well."""
    (folder / "x.in").write_text(text)
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    done = measure(
        [*command, program, "-in", "x.in"], folder, {**ROOT, **SERIAL, **VARIANTS[variant]}
    )
    if done.status or at_the_end not in done.output:
        sys.exit(f"{program} failed:\n{done.output[-3000:]}\n{done.errors[-1000:]}")
    return done


def run(task: Task, folder: Path, ranks: int, variant: str) -> dict[str, Any]:
    """Compute it once in a new folder and return times, energy, iterations and forces."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in task.files.values():
        shutil.copy(file, folder)
    done = run_on_ranks(
        PROGRAM, folder, input_text(task), ranks, variant, "convergence has been achieved"
    )
    output = ElementTree.parse(folder / "x.save" / "data-file-schema.xml").getroot().find("output")
    assert output is not None

    def text(path: str) -> str:
        found = output.findtext(path)
        assert found is not None, path
        return found

    return {
        "seconds": done.seconds,
        "core_seconds": done.core_seconds,
        "own_seconds": _wall_seconds(done.output),
        "peak_memory": done.peak * ranks,  # ranks have the same share each
        "shares": shares(done.output),
        "energy": float(text("total_energy/etot")),
        "iterations": int(text("convergence_info/scf_conv/n_scf_steps")),
        "forces": np.array(text("forces").split(), float).reshape(-1, 3),
    }


def _wall_seconds(printed: str) -> float:
    """Return the time that pw.x prints at its end, such as "2m13.07s WALL"."""
    found = re.search(
        r"PWSCF\s*:.*CPU\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:([\d.]+)s)?\s*WALL", printed
    )
    assert found is not None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


# What pw.x times, in the words of finegrain's phases. Clocks are nested; those with a minus are
# taken out of the others.
_CLOCKS = {
    "transforms of orbitals": ("vloc_psi", "sum_band"),
    "products of orbitals, eigenvalues": ("regterg", "-h_psi", "-g_psi"),
    "projectors": ("calbec", "add_vuspsi"),
    "exchange and correlation, Hartree": ("v_of_rho",),
    "mixing": ("mix_rho",),
    "start": ("init_run",),
    "forces and stress": ("forces", "stress"),
}


def clocks(printed: str) -> dict[str, float]:
    """Return the wall seconds of all clocks that pw.x prints at its end."""
    number = r"(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:([\d.]+)s)?"
    found = {}
    for name, *parts in re.findall(rf"^\s+(\S+)\s*:.*CPU\s+{number}\s*WALL", printed, re.MULTILINE):
        hours, minutes, seconds = (float(part or 0) for part in parts)
        found[name] = 3600 * hours + 60 * minutes + seconds
    return found


def shares(printed: str) -> dict[str, float]:
    """Return the share of the wall time of each part that pw.x times."""
    times = clocks(printed)
    whole = _wall_seconds(printed)
    found = {
        part: sum(
            -times[name[1:]] if name.startswith("-") else times[name]
            for name in names
            if name.removeprefix("-") in times
        )
        / whole
        for part, names in _CLOCKS.items()
    }
    found["all other"] = max(0.0, 1 - sum(found.values()))
    return {part: round(share, 4) for part, share in found.items()}


def orbitals_of(task: Task) -> int:
    """Return the number of doubly occupied orbitals of waters."""
    return sum({"O": 6, "H": 1}[symbol] for symbol in task.symbols) // 2


def waves_of(task: Task) -> float:
    """Return roughly the number of waves of the half sphere of an orbital."""
    volume = abs(np.linalg.det(task.vectors)) / 0.529177210903**3
    return float(volume * task.cutoff**1.5 / (12 * np.pi**2))


def memory_of(task: Task, ranks: int) -> float:
    """Return roughly what it takes: the vectors of Davidson's method, and fields on the grid."""
    # psi, and of up to four times as many vectors (diago_david_ndim 2, with H times them).
    return (
        16 * waves_of(task) * orbitals_of(task) * 6
        + 16 * float(np.prod(task.grid)) * 30
        + (1.5e8 * ranks)
    )


def version(folder: Path) -> str:
    """Return its version; it leaves files in the folder where it is started."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [PROGRAM], cwd=folder, input="", capture_output=True, text=True, check=False
    )
    found = re.search(r"PWSCF v\.(\S+)", done.stdout)
    return found[1] if found else "unknown"
